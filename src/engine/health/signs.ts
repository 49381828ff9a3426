import type { Exchange } from '../../core/evidence.ts';
import { errorCode, hasApiBody } from '../../judge/kernel/answer.ts';
import { bodyOf, isObject, objectOf, responseOf } from '../../judge/kernel/body.ts';

/** Whether no complete response came, or one that says nothing about the API: another try may show more. */
export function isDisturbance(exchange: Exchange, wantsRefusal = false): boolean {
  const status = statusOf(exchange);
  return (status === 429 && !wantsRefusal) || isUnreached(status);
}

/** Whether no answer came, or the status of a gateway that does not reach the application. `null` is the status of no answer. */
export function isUnreached(status: number | null): boolean {
  return status === null || (status >= 502 && status <= 504);
}

/** Whether the application was not reached: one that was names its own errors, also with 502. */
export function isAway(exchange: Exchange): boolean {
  return isUnreached(statusOf(exchange)) && !codeForm.test(errorCode(exchange) ?? '');
}

/** The form of the documented error codes. */
const codeForm = /^[A-Z][A-Z_]+$/;

/** The status of an answer; null for none. */
export function statusOf(exchange: Exchange): number | null {
  return responseOf(exchange)?.status ?? null;
}

/** Top-level members of a successful answer of either API. */
const members = ['data', 'pagination', 'checkin_id', 'latest_status_snapshot', 'quota'];

/** Whether an answer looks like one of the two APIs, with whatever mistakes. */
export function isOfTheApi(exchange: Exchange): boolean {
  const response = responseOf(exchange);
  if (!response) return false;
  if (hasApiBody(exchange)) return true;
  const body = bodyOf(response);
  if (body.kind === 'none') return false;
  if (response.status === 200)
    return Array.isArray(body.value) || members.some((name) => objectOf(exchange)?.[name] !== undefined);
  // Another server does not know such a path, and so does not find fault with a request to it.
  return [400, 401, 422].includes(response.status) && isObject(body.value);
}

/** What a lookup is answered, by the documents, where a flight or a partner is not known. */
const ofFlights = ['FLIGHT_NOT_FOUND', 'NOT_FOUND'];

/** Whether a 404 may come from a server that knows the form of errors, and not the path: no list and no faulty request is "not found". */
export function mayBeUnknownPath(exchange: Exchange): boolean {
  const response = responseOf(exchange);
  if (response?.status !== 404) return false;
  const body = bodyOf(response);
  if (body.kind !== 'json' || !isObject(body.value)) return true;
  return (
    exchange.operation?.startsWith('fla.') !== true || !ofFlights.some((code) => code === errorCode(exchange))
  );
}

/**
 * Whether answers to quite different requests are the same 404, but for the path: then nothing is behind these paths. A deployment that
 * mistakes one thing for another says something different of each, and is judged for it.
 */
export function isSameNotFound(exchanges: readonly Exchange[]): boolean {
  const areNotFound = exchanges.every((one) => statusOf(one) === 404);
  return areNotFound && new Set(exchanges.map(saidBut)).size === 1;
}

/** An error without what names the request or the moment. */
function saidBut(exchange: Exchange): string {
  const { method, target } = exchange.request;
  const { error, message } = objectOf(exchange) ?? {};
  const [path = ''] = target.split('?', 1);
  const operation = path.slice(path.lastIndexOf('/') + 1);
  const names = [target, path, path.replace(/^\//, ''), operation, method].filter((name) => name !== '');
  return names.reduce((text, name) => text.replaceAll(name, '…'), JSON.stringify([error, message]));
}
