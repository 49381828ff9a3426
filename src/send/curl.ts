import { isUtf8 } from 'node:buffer';
import type { Exchange, Headers } from '../core/evidence.ts';
import { redactBytes } from '../core/redactBytes.ts';

/**
 * The request of an exchange as one command for a POSIX shell, with the key in an environment variable. `redact` replaces the
 * other secrets in it before shell quoting.
 */
export function renderCurl(exchange: Exchange, redact: (text: string) => string = (text) => text): string {
  const { request } = exchange;
  const { before, flags } = bodyOf(request.body, redact);
  return [
    `${before}curl -sS -i`,
    ...(request.method === 'HEAD' ? ['--head'] : ['-X', word(request.method)]),
    ...urlFlags(request.target),
    ...headersOf(request.headers, request.body, (name, value) =>
      name.toLowerCase() === 'x-api-key' ? keyField(name, value, exchange.key) : field(name, redact(value)),
    ),
    ...flags,
    quote(redact(request.baseUrl + request.target)),
  ].join(' ');
}

/** Flags that keep curl from changing an address. */
function urlFlags(target: string): readonly string[] {
  return [
    ...(/[[\]{}]/.test(target) ? ['--globoff'] : []),
    ...(/\/\.\.?(\/|\?|$)/.test(target) ? ['--path-as-is'] : []),
  ];
}

function headersOf(
  headers: Headers,
  body: Uint8Array | null,
  render: (name: string, value: string) => string,
): readonly string[] {
  const typed = headers.some(([name]) => name.toLowerCase() === 'content-type');
  // Without this, curl would label the body as a form.
  const untyped = body !== null && !typed ? [`-H 'Content-Type:'`] : [];
  return [...headers.map(([name, value]) => render(name, value)), ...untyped];
}

function field(name: string, value: string): string {
  // To curl, a name with a colon and no value means: leave the header out.
  return `-H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`;
}

function keyField(name: string, value: string, key: string | null): string {
  return value === '' ? field(name, value) : `-H "${name}: ${keyVariable(key)}"`;
}

/** The shell expression for a key: an entry of a comma-separated list, or a variable of its own. */
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

/** Longest argument that every shell accepts, with room for quoting. */
const longestArgument = 100_000;

function bodyOf(
  body: Uint8Array | null,
  redact: (text: string) => string,
): { before: string; flags: readonly string[] } {
  if (body === null) return { before: '', flags: [] };
  const bytes = Buffer.from(body);
  if (isUtf8(bytes) && !bytes.includes(0) && bytes.length <= longestArgument)
    return { before: '', flags: [`--data-raw ${quote(redact(bytes.toString('utf8')))}`] };
  const clean = redactBytes(bytes, redact);
  return { before: `printf %s ${clean.toString('base64')} | base64 -d | `, flags: ['--data-binary @-'] };
}

function word(text: string): string {
  return /^[A-Z]+$/.test(text) ? text : quote(text);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
