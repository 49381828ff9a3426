import type { Exchange } from '../core/evidence.ts';
import { errorCode } from '../judge/kernel/answer.ts';
import { bodyOf, isObject, objectOf, responseOf } from '../judge/kernel/body.ts';

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
  const areNotFound = exchanges.every((one) => responseOf(one)?.status === 404);
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
