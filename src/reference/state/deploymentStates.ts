import * as z from 'zod';
import { defineState, keyOf, keyText, type State } from './state.ts';

const nothing = z.strictObject({});

/** States of the deployment as a whole: its time, its callbacks, what it offers. */
export function deploymentStates(names: () => readonly string[]): Readonly<Record<string, State>> {
  return {
    capabilities: defineState(nothing, (_params, { clock }) => ({
      states: names(),
      now: new Date(clock.now()).toISOString(),
      clock: ['rate-limits', 'lead-time', 'dates', 'check-in-window', 'callbacks'],
    })),
    'clock.advance': defineState(
      z.strictObject({
        seconds: z
          .number()
          .positive()
          .max(10 * 366 * 86_400),
      }),
      async ({ seconds }, { clock, queue }) => {
        await clock.advance(seconds * 1000, () => queue.settle());
        return { now: new Date(clock.now()).toISOString() };
      },
    ),
    'callbacks.route': defineState(
      z.strictObject({
        host: z.string().min(1),
        address: z.url({ protocol: /^https?$/ }),
        ca: z.string().optional(),
      }),
      ({ host, address, ca }, { queue }) => {
        queue.route(host, { address, ca: ca ?? null });
        return {};
      },
    ),
    'callbacks.pending': defineState(nothing, (_params, { queue }) => ({ pending: queue.size })),
    reset: defineState(z.strictObject({ key: keyText }), ({ key }, parts) => {
      const { enterprise } = keyOf(key, parts);
      parts.webCheckin.attempts.dropOf(enterprise);
      parts.flightAlerts.subscriptions.dropOf(enterprise.id);
      parts.queue.drop(enterprise.id);
      parts.limiter.reset(enterprise.id);
      return {};
    }),
  };
}
