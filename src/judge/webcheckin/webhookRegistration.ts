import type { Exchange, RecordedRequest } from '../../core/evidence.ts';
import { isAccepted } from '../kernel/answer.ts';
import { isObject, memberOf, responseOf, type JsonObject } from '../kernel/body.ts';
import { callOf } from '../../trace/call.ts';

/** What a subscribe registered, or may have registered, as the webhook of a record. */
export interface WebhookRegistration {
  readonly url: string;
  /** The configured header; null if it does not have the form `<Header-Name>: <Header-Value>`. */
  readonly header: AuthHeader | null;
  readonly enterprise: string | null;
  /** Null if the subscribe was not answered with a record: the webhook may be registered all the same. */
  readonly checkinId: string | null;
  /** Id of the subscribe. */
  readonly exchange: string;
}

export interface AuthHeader {
  readonly name: string;
  /** Without surrounding white space, which is not part of it. */
  readonly value: string;
}

/** The webhook that a subscribe asks for; null for one without callbackData, and for one that was refused. */
export function registrationOf(exchange: Exchange): WebhookRegistration | null {
  if (exchange.operation !== 'wci.subscribe' || isRefused(exchange)) return null;
  const { callbackUrl, auth_header } = callbackDataOf(exchange) ?? {};
  if (typeof callbackUrl !== 'string') return null;
  return {
    url: callbackUrl,
    header: typeof auth_header === 'string' ? parseAuthHeader(auth_header) : null,
    enterprise: exchange.enterprise,
    checkinId: subscribedRecord(exchange),
    exchange: exchange.id,
  };
}

/** The record that a subscribe made or found; null where it did neither. */
export function subscribedRecord(exchange: Exchange): string | null {
  if (exchange.operation !== 'wci.subscribe' || !isAccepted(exchange)) return null;
  const id = memberOf(exchange, 'checkin_id');
  return typeof id === 'string' ? id : null;
}

/** Reads `<Header-Name>: <Header-Value>`. */
function parseAuthHeader(line: string): AuthHeader | null {
  const colon = line.indexOf(':');
  if (colon < 0) return null;
  return { name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() };
}

/** `callbackData` of a subscribe; also of parts that can be read in several ways, since one of them may register it. */
function callbackDataOf(exchange: Exchange): JsonObject | null {
  const call = callOf(exchange);
  const value = call?.body ? call.body.callbackData : partNamed(exchange.request, 'callbackData');
  return isObject(value) ? value : null;
}

function partNamed({ body }: RecordedRequest, name: string): unknown {
  const quoted = Buffer.from(`name="${name}"`);
  const bytes = body === null ? null : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const start = bytes?.indexOf(quoted) ?? -1;
  if (!bytes || start < 0 || bytes[0] !== 0x2d) return null;
  const text = bytes.subarray(start).toString('utf8');
  const [, content = ''] = /\r\n\r\n(.*?)\r\n--/s.exec(text) ?? [];
  try {
    return JSON.parse(content) as unknown;
  } catch {
    return null;
  }
}

function isRefused(exchange: Exchange): boolean {
  const status = responseOf(exchange)?.status;
  return status !== undefined && status >= 400 && status < 500;
}
