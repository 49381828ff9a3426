import { isUtf8 } from 'node:buffer';
import type { Exchange } from '../core/evidence.ts';

/**
 * The request of an exchange as one line for a POSIX shell, with the key in an environment variable. What is secret
 * in it besides the key has to be redacted by the caller.
 */
export function renderCurl(exchange: Exchange): string {
  const { request } = exchange;
  const headers = request.headers.map(([name, value]) =>
    name.toLowerCase() === 'x-api-key'
      ? `-H "X-API-Key: ${value === '' ? '' : keyVariable(exchange.key)}"`
      : `-H ${quote(`${name}: ${value}`)}`,
  );
  const { before, flags } = bodyOf(request.body);
  const url = quote(request.baseUrl + request.target);
  return [`${before}curl -sS -i -X ${request.method}`, ...headers, ...flags, url].join(' ');
}

/** The shell's word for a key: the first, second, … of a comma-separated list, or a variable of its own. */
export function keyVariable(label: string | null): string {
  const pooled = /^(?<pool>primary|other)#(?<number>\d+)$/.exec(label ?? '')?.groups;
  if (pooled) {
    const name = `GATECHECK_KEYS_${pooled.pool?.toUpperCase() ?? ''}`;
    return pooled.number === '1'
      ? `\${${name}%%,*}`
      : `$(printf %s "$${name}" | cut -d, -f${pooled.number ?? ''})`;
  }
  const special = label !== null && /^[a-z]+([A-Z][a-z]+)*$/.test(label);
  return special ? `$GATECHECK_KEY_${label.replace(/[A-Z]/g, '_$&').toUpperCase()}` : '$GATECHECK_KEY';
}

function bodyOf(body: Uint8Array | null): { before: string; flags: readonly string[] } {
  if (body === null) return { before: '', flags: [] };
  const bytes = Buffer.from(body);
  if (isUtf8(bytes) && !bytes.includes(0))
    return { before: '', flags: [`--data-binary ${quote(bytes.toString('utf8'))}`] };
  return { before: `printf %s ${bytes.toString('base64')} | base64 -d | `, flags: ['--data-binary @-'] };
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
