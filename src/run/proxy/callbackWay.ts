import { createHmac } from 'node:crypto';
import type { OperationId } from '../../core/operations.ts';
import { isPublicHttps } from '../../plan/sinkReach.ts';
import { isObject } from '../../judge/kernel/body.ts';

/**
 * Makes addresses of the proxy that stand for those of a client. An address holds the one it stands for, signed, so that
 * nothing has to be remembered, and nobody else can make the proxy call an address.
 */
export class CallbackWay {
  readonly #secret: string;
  readonly #base: string;

  constructor(secret: string, base: string) {
    this.#secret = secret;
    this.#base = base;
  }

  /** The same for the same address of the client: an identical retry stays identical. */
  standIn(original: string): string {
    return `${this.#base}/${this.#sign(original)}/${Buffer.from(original).toString('base64url')}`;
  }

  /** The client's address that a request to the proxy is meant for; null for one that was not made here. */
  originalOf(target: string): { readonly token: string; readonly url: string } | null {
    const segments = (target.split('?', 1)[0] ?? '').split('/');
    const [token = '', encoded = ''] = segments.slice(-2);
    const url = Buffer.from(encoded, 'base64url').toString('utf8');
    return token.length > 0 && this.#sign(url) === token && isWebAddress(url) ? { token, url } : null;
  }

  #sign(original: string): string {
    return createHmac('sha256', this.#secret).update(original).digest('base64url').slice(0, 22);
  }
}

/** A longer one is nothing that a client means. */
const longest = 2000;

function isWebAddress(url: string): boolean {
  return url.length <= longest && /^https?:$/.test(URL.parse(url)?.protocol ?? '');
}

/** A subscribe whose callbacks come to the proxy, every other byte as it was; null where there is none to change. */
export function withStandIn(
  body: Uint8Array,
  operation: OperationId | null,
  way: Pick<CallbackWay, 'standIn'>,
): Uint8Array | null {
  if (operation !== 'wci.subscribe' && operation !== 'fla.subscribe') return null;
  // One character a byte, so that whatever is no text stays as it is.
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
  const found = /("callbackUrl"\s*:\s*)("(?:[^"\\]|\\.){1,2000}")/.exec(text);
  const original = parse(Buffer.from(found?.[2] ?? '', 'latin1').toString('utf8'));
  if (!found || typeof original !== 'string' || !isWebAddress(original) || !isSubscribe(text, original))
    return null;
  const start = found.index + (found[1] ?? '').length;
  const end = found.index + found[0].length;
  const address = way.standIn(original);
  // Flight Alerts takes public HTTPS names only: what would be refused stays so, and nothing is refused for the proxy's sake.
  if (operation === 'fla.subscribe' && !(isPublicHttps(original) && isPublicHttps(address))) return null;
  const written = JSON.stringify(address);
  return Buffer.from(text.slice(0, start) + written + text.slice(end), 'latin1');
}

/** In JSON it has to stand where the documents put it; a part of a form cannot be read as a whole. */
function isSubscribe(text: string, original: string): boolean {
  const json = parse(Buffer.from(text, 'latin1').toString('utf8'));
  if (json === undefined) return /content-disposition/i.test(text);
  return isObject(json) && isObject(json.callbackData) && json.callbackData.callbackUrl === original;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
