import { isObject } from '../../judge/kernel/body.ts';
import { tokensOf } from '../../spec/world/addresses.ts';
import type { DeliveryLine, ExchangeLine, RecordedBody } from '../../send/journalLine.ts';

/** The addresses that recorded subscribes registered for callbacks. */
interface CallbackAddresses {
  readonly paths: ReadonlySet<string>;
  /** What a callback is attributed by. */
  readonly tokens: ReadonlySet<string>;
}

/** Every callbackUrl that some recorded subscribe names. */
export function callbackAddresses(lines: readonly ExchangeLine[]): CallbackAddresses {
  const urls = lines.flatMap(({ request }) => {
    const text = request.body === null || 'base64' in request.body ? '' : request.body.text;
    return [...text.matchAll(/"callbackUrl"\s*:\s*("(?:[^"\\]|\\.){1,2000}")/g)].map(([, quoted = '']) =>
      unquote(quoted),
    );
  });
  const valid = urls.filter((url) => URL.canParse(url));
  return { paths: new Set(valid.map(pathOf)), tokens: new Set(valid.flatMap(tokensOf)) };
}

/** Whether a recorded request is a callback: sent to a registered address, or of the form of one. */
export function looksLikeCallback({ request }: ExchangeLine, { paths }: CallbackAddresses): boolean {
  if (!/^(post|put|patch)$/i.test(request.method)) return false;
  return isEvent(request.body) || paths.has(pathOf(request.url));
}

/** A callback that a recorder saw, at the address that it belongs to. */
export function asDelivery(line: ExchangeLine, { tokens }: CallbackAddresses): DeliveryLine {
  const { pathname, search } = new URL(line.request.url);
  const own = tokensOf(line.request.url);
  return {
    type: 'delivery',
    id: line.id,
    registration: own.find((token) => tokens.has(token)) ?? own[0] ?? pathname,
    connection: '',
    startedAt: line.startedAt,
    durationMs: 0,
    request: {
      method: line.request.method,
      target: pathname + search,
      headers: line.request.headers,
      body: line.request.body,
      // A body that was not kept is one that was not read to its end.
      truncated: line.request.body === null,
    },
    answer: line.response === null ? 'no answer' : String(line.response.status),
  };
}

function pathOf(url: string): string {
  return URL.parse(url)?.pathname ?? '';
}

/** A longer body is no event, and reading every upload twice would take long. */
const longestEvent = 1_000_000;

function isEvent(body: RecordedBody): boolean {
  if (body === null || 'base64' in body || body.text.length > longestEvent) return false;
  try {
    const value: unknown = JSON.parse(body.text);
    return isObject(value) && isObject(value.changes) && ('checkin_id' in value || 'fid' in value);
  } catch {
    return false;
  }
}

function unquote(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return '';
  }
}
