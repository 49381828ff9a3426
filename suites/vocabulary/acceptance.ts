import type { Exchange } from '../../src/core/evidence.ts';
import {
  answered,
  answeredOtherwise,
  answeredOtherThan,
  describeResponse,
  isAccepted,
  isRejectedMessage,
  ok,
  refused,
  responseValue,
} from '../../src/judge/kernel/answer.ts';
import { responseOf } from '../../src/judge/kernel/body.ts';
import * as is from '../../src/spec/kernel/value.ts';
import { unclear, type Judgement, differs } from '../../src/judge/kernel/judgement.ts';

/**
 * A request that has to be accepted: 200, and not a rejection sent with 200. A conflict is about the record that the
 * request finds, not about the request: where that matters, the check asks for 200 itself.
 */
export function accepted(exchange: Exchange): Judgement {
  const cause = quotaCause(exchange) ?? conflictCause(exchange);
  if (cause !== null) return unclear(cause);
  if (!isRejectedMessage(exchange)) return answered(exchange, ok);
  return answeredOtherwise(exchange, is.accepted);
}

/** A request that must not be accepted; how it is refused belongs to another rule. */
export function notAccepted(exchange: Exchange): Judgement {
  const cause = quotaCause(exchange);
  if (cause !== null) return unclear(cause);
  if (!isAccepted(exchange)) return answeredOtherThan(exchange);
  const got = is.noted(responseValue(exchange), 'accepted');
  return differs('answer', 'answer', is.refused, got);
}

/** A request that may be refused by 400 or 422; a used-up quota may be checked between the two. */
export function refusedEitherWay(exchange: Exchange): Judgement {
  const cause = quotaCause(exchange);
  return cause === null ? refused(exchange) : unclear(cause);
}

function quotaCause(exchange: Exchange): string | null {
  const isExhausted = responseOf(exchange)?.status === 402;
  return isExhausted ? `${exchange.id}: ${describeResponse(exchange)}, the entitlement came first` : null;
}

function conflictCause(exchange: Exchange): string | null {
  const isConflict = responseOf(exchange)?.status === 409;
  return isConflict ? `${exchange.id}: ${describeResponse(exchange)}, for the state of the record` : null;
}
