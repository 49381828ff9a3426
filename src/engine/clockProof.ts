import type { Clock } from '../core/clock.ts';
import type { JsonObject } from '../judge/kernel/body.ts';
import { StateHandlerError, type StateHandler } from '../target/stateHandler.ts';

/** How much two times that a handler tells may differ from what our clock shows between them. */
const slackMs = 5_000;

/**
 * Asks the handler once, after it has moved the clock for the first time, whether its clock shows the time that it told. If not,
 * it does not move the clock as it says: what depends on that says nothing about the deployment.
 */
export function clockProof(
  handler: Pick<StateHandler, 'set'>,
  clock: Clock,
): (answer: JsonObject) => Promise<JsonObject> {
  let fault: Promise<string | null> | null = null;
  return async (answer) => {
    const why = await (fault ??= faultOf(answer, handler, clock));
    if (why !== null) throw new StateHandlerError('clock.advance', why);
    return answer;
  };
}

async function faultOf(
  { now: told }: JsonObject,
  handler: Pick<StateHandler, 'set'>,
  clock: Clock,
): Promise<string | null> {
  if (typeof told !== 'string') return null;
  const asked = clock.monotonic();
  const { now } = await handler.set('capabilities', {}).catch((): JsonObject => ({}));
  if (typeof now !== 'string') return null;
  const passed = clock.monotonic() - asked;
  const difference = Date.parse(now) - Date.parse(told);
  if (difference >= -slackMs && difference <= passed + slackMs) return null;
  return `it says that it is ${told} then, but capabilities tells ${now} right after`;
}
