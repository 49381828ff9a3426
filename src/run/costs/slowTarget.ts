import type { Clock } from '../../core/clock.ts';
import type { Transport } from '../../send/transport.ts';
import type { Target } from '../../target/target.ts';
import { receivedNow } from '../../wire/asked.ts';

/**
 * The target with a random delay for each exchange, half of it before the request and half before the answer; offers only the
 * given states.
 */
export function slowTarget(
  target: Target,
  clock: Clock,
  { answerMs, stateMs }: { readonly answerMs: () => number; readonly stateMs?: (() => number) | undefined },
): Target {
  const { transport, stateHandler } = target;
  const send: Transport['send'] = async (request) => {
    const [sentAt, sent, half] = [clock.now(), clock.monotonic(), Math.round(answerMs() / 2)];
    await clock.sleep(half);
    const result = await transport.send(request);
    await clock.sleep(half);
    const { outcome, timings } = receivedNow(result, clock);
    return { outcome, timings: { ...timings, sentAt, sent } };
  };
  return {
    ...target,
    // Bursts are sent one by one, at once.
    transport: { send, close: () => transport.close() },
    stateHandler: {
      ...stateHandler,
      set: async (state, params) => {
        if (stateMs) await clock.sleep(Math.round(stateMs()));
        return stateHandler.set(state, params);
      },
    },
  };
}
