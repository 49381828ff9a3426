import type { Exchange } from '../../src/core/evidence.ts';
import { describeResponse, responseValue, hasApiBody, noResponse } from '../../src/judge/kernel/answer.ts';
import { objectOf, responseOf } from '../../src/judge/kernel/body.ts';
import * as is from '../../src/spec/kernel/value.ts';
import { holds, unclear, type Judgement, differs } from '../../src/judge/kernel/judgement.ts';

/** Whether a 401 has a code (capitals and underscores) or a text; null if `error` is no string. */
export function errorForm(exchange: Exchange): 'code' | 'text' | null {
  const error = objectOf(exchange)?.error;
  if (typeof error !== 'string' || error.trim() === '') return null;
  return /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(error) && error.length > 1 ? 'code' : 'text';
}

/** Which of `success` and `message` accompany the error of a 401, as the variants of the open point name it. */
export function errorMembers(exchange: Exchange): string | null {
  const body = objectOf(exchange);
  if (!body) return null;
  const [success, message] = [body.success !== undefined, body.message !== undefined];
  if (success && message) return 'full-body';
  if (success) return 'success-only';
  return message ? 'message-only' : 'error-only';
}

/** An operation that does not exist at its path is answered by 404 without the error body of the API, by 405 or by 501. */
export function answersOnPath(exchange: Exchange): Judgement {
  const response = responseOf(exchange);
  if (!response) return noResponse(exchange);
  const isAbsent = response.status === 404 ? !hasApiBody(exchange) : [405, 501].includes(response.status);
  if (isAbsent)
    return differs('path', 'answer', is.text('an answer of the operation'), responseValue(exchange));
  return response.status >= 502 && !hasApiBody(exchange)
    ? unclear(`${exchange.id}: ${describeResponse(exchange)}, a gateway failed`)
    : holds;
}
