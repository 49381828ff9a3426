import * as is from '../../src/spec/kernel/value.ts';
import type { Exchange } from '../../src/core/evidence.ts';
import { describeResponse } from '../../src/judge/kernel/answer.ts';
import { memberOf, responseOf } from '../../src/judge/kernel/body.ts';
import { holds, unclear, type Judgement, differs } from '../../src/judge/kernel/judgement.ts';

/** Whether a subscribe found its booking new; any other outcome says nothing about that. */
export function isFirstSubscribe(exchange: Exchange): Judgement {
  const message = responseOf(exchange)?.status === 200 ? memberOf(exchange, 'message') : undefined;
  if (message === 'SCHEDULED') return holds;
  if (message === 'ALREADY_SUBSCRIBED')
    return differs('known-booking', 'message', is.value('SCHEDULED', 'as for a new booking'), message);
  return unclear(`the booking was not accepted: ${describeResponse(exchange)}`);
}
