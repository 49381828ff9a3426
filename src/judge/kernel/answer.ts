import type { Exchange, RecordedResponse } from '../../core/evidence.ts';
import { bodyOf, isObject, objectOf, responseOf } from './body.ts';
import { kindWords } from '../../spec/wording/words.ts';
import * as is from '../../spec/kernel/value.ts';
import { holds, unclear, type Judgement, type Violated, differs } from './judgement.ts';

/** An answer that a rule requires: a status and, if the documents name one, the error code of its body. */
export interface Answer {
  readonly status: number;
  readonly code?: string;
}

export const ok: Answer = { status: 200 };
export const invalid: Answer = { status: 400, code: 'VALIDATION_ERROR' };
export const unauthorized: Answer = { status: 401 };
export const quotaExhausted: Answer = { status: 402, code: 'QUOTA_EXHAUSTED' };
export const notFound: Answer = { status: 404, code: 'NOT_FOUND' };
export const conflict: Answer = { status: 409 };
export const limited: Answer = { status: 429 };
export const rejected: Answer = { status: 422, code: 'REJECTED' };
export const flightNotFound: Answer = { status: 404, code: 'FLIGHT_NOT_FOUND' };

/**
 * Whether an exchange ended in one of the wanted answers. What says nothing about the deployment's rules is unclear:
 * no response, a refusal by the rate limit, an answer of the infrastructure in front of it, an upstream failure.
 */
export function answered(exchange: Exchange, ...wanted: readonly Answer[]): Judgement {
  const response = responseOf(exchange);
  if (!response) return noResponse(exchange);
  const sameStatus = wanted.filter((answer) => answer.status === response.status);
  if (sameStatus.some((answer) => answer.code === undefined || answer.code === errorCode(exchange)))
    return holds;
  if (sameStatus.length === 0) {
    const cause = notTheApi(exchange, response);
    if (cause !== null) return unclear(cause);
  }
  return answeredOtherwise(exchange, dueAnswer(...wanted));
}

/** One of some answers. */
export function dueAnswer(...wanted: readonly Answer[]): is.Value {
  const answers = wanted.map((answer) => ({ kind: 'answer', ...answer }) as const);
  const [only, ...others] = answers;
  return only && others.length === 0 ? only : { kind: 'one-of', values: answers };
}

/** Another answer than the one that is due. */
export function answeredOtherwise(exchange: Exchange, want: is.Value, code = 'answer'): Violated {
  return differs(code, 'answer', want, responseValue(exchange));
}

/**
 * A journey or payload that must not be accepted, where the documents leave open with which status: 400
 * VALIDATION_ERROR, 422 REJECTED, or a 200 whose message is REJECTED.
 */
export function refused(exchange: Exchange): Judgement {
  return isRejectedMessage(exchange) ? holds : answered(exchange, invalid, rejected);
}

/** A journey rejection: 422 REJECTED, or a 200 whose message is REJECTED. */
export function rejectedJourney(exchange: Exchange): Judgement {
  return isRejectedMessage(exchange) ? holds : answered(exchange, rejected);
}

/** Any answer but the unwanted ones; used if only one kind of refusal would break the rule. */
export function answeredOtherThan(exchange: Exchange, ...unwanted: readonly number[]): Judgement {
  const response = responseOf(exchange);
  if (!response) return noResponse(exchange);
  if (unwanted.includes(response.status)) {
    return answeredOtherwise(exchange, { kind: 'other-than', statuses: unwanted });
  }
  const cause = notTheApi(exchange, response);
  return cause === null ? holds : unclear(cause);
}

/** The `error` member of a JSON error body. */
export function errorCode(exchange: Exchange): string | null {
  const code = objectOf(exchange)?.error;
  return typeof code === 'string' ? code : null;
}

export function isRejectedMessage(exchange: Exchange): boolean {
  return responseOf(exchange)?.status === 200 && objectOf(exchange)?.message === 'REJECTED';
}

/** An accepted subscribe, update or read: 200, and not a rejection sent with 200. */
export function isAccepted(exchange: Exchange): boolean {
  return responseOf(exchange)?.status === 200 && !isRejectedMessage(exchange);
}

/** `HTTP 422 REJECTED (The first departure is too close.)`, for people. */
export function describeResponse(exchange: Exchange): string {
  return kindWords(responseValue(exchange));
}

/** The answer to a request as a whole. */
export function responseValue(exchange: Exchange): is.Value {
  const response = responseOf(exchange);
  if (!response)
    return is.text(exchange.outcome.kind === 'failure' ? exchange.outcome.failure.message : 'no response');
  const answer = { kind: 'answer', status: response.status } as const;
  const code = errorCode(exchange);
  const { message, reason } = objectOf(exchange) ?? {};
  const said = code ?? (typeof message === 'string' ? message : null);
  const why = [reason, code === null ? null : message].find(
    (text) => typeof text === 'string' && text !== code,
  );
  if (said !== null)
    return {
      ...answer,
      [code === null ? 'message' : 'code']: shortened(said),
      ...(typeof why === 'string' && { reason: shortened(why) }),
    };
  const body = bodyOf(response);
  return body.kind === 'none' ? { ...answer, body: body.why } : answer;
}

/** The text of a deployment, short enough to be read at a glance. */
function shortened(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

export function noResponse(exchange: Exchange): Judgement {
  const failure = exchange.outcome.kind === 'failure' ? exchange.outcome.failure : null;
  return unclear(
    `no response to ${exchange.id}: ${failure ? `${failure.reason}, ${failure.message}` : 'unknown'}`,
  );
}

/** Statuses that belong to HTTP itself or to a gateway, not to the documents. */
const infrastructure: ReadonlySet<number> = new Set([
  405, 408, 411, 413, 414, 415, 417, 421, 425, 426, 431, 503, 504,
]);

/**
 * Why an answer may come from something in front of the service; null if only the service can have sent it.
 * A gateway error that carries a body of the API is the service's own.
 */
export function inFrontOf(exchange: Exchange, response: RecordedResponse): string | null {
  const { status } = response;
  const isUnread = status === 400 && isOversized(exchange) && !hasApiBody(exchange);
  if (isUnread || (infrastructure.has(status) && status < 500)) {
    return `${exchange.id}: ${describeResponse(exchange)}, an answer of the HTTP infrastructure`;
  }
  if (status <= 500 || hasApiBody(exchange)) return null;
  return `${exchange.id}: ${describeResponse(exchange)}, a gateway failed`;
}

/** Longer than web servers read by default: 8 KiB of a header, 1 MiB of a body. */
function isOversized({ request }: Exchange): boolean {
  const ofHeader = request.headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  return ofHeader > 8 << 10 || (request.body?.length ?? 0) > 1 << 20;
}

/** Whether a body looks like an error body of the APIs: a `success` member, or an `error` written as a code. */
export function hasApiBody(exchange: Exchange): boolean {
  const body = objectOf(exchange);
  if (!body) return false;
  const error = body.error;
  return (
    typeof body.success === 'boolean' || (typeof error === 'string' && /^[A-Z][A-Z0-9_]{2,}$/.test(error))
  );
}

/** Why an answer says nothing about the deployment's rules; null if it does. */
function notTheApi(exchange: Exchange, response: RecordedResponse): string | null {
  const at = `${exchange.id}: ${describeResponse(exchange)}`;
  if (response.status === 429) return `${at}, refused by the rate limit`;
  if (response.status === 502) return `${at}, upstream or a gateway failed`;
  if (infrastructure.has(response.status)) return `${at}, an answer of the HTTP infrastructure`;
  const body = bodyOf(response);
  const isApiBody = body.kind === 'json' && isObject(body.value);
  return response.status >= 500 && response.status !== 500 && !isApiBody ? `${at}, a gateway failed` : null;
}
