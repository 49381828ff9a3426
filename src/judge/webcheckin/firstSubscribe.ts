import type { Exchange } from '../../core/evidence.ts';
import { describeResponse } from '../kernel/answer.ts';
import { memberOf, responseOf } from '../kernel/body.ts';
import { holds, unclear, violated, type Judgement } from '../kernel/judgement.ts';

/** Whether a subscribe found its booking new; any other outcome says nothing about that. */
export function isFirstSubscribe(exchange: Exchange): Judgement {
  const message = responseOf(exchange)?.status === 200 ? memberOf(exchange, 'message') : undefined;
  if (message === 'SCHEDULED') return holds;
  if (message === 'ALREADY_SUBSCRIBED') {
    return violated('known-booking', 'message SCHEDULED, as for a new booking', 'message ALREADY_SUBSCRIBED');
  }
  return unclear(`the booking was not accepted: ${describeResponse(exchange)}`);
}
