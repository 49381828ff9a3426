import type { Api } from '../core/operations.ts';
import type { Settings } from '../core/settings.ts';
import { ownershipOf } from './budgets.ts';

/** Whether callbacks of an API can reach the sink. Flight alerts deliver to a public HTTPS name only. */
export type SinkReach = Readonly<Record<Api, boolean>>;

/** What a plan may count on before the sink is there: a public address, deliveries routed by the target, or one machine. */
export function assumedReach(settings: Settings, states: readonly string[]): SinkReach {
  const { publicUrl, listen } = settings.sink;
  if (settings.readOnly) return { webcheckin: false, 'flight-alerts': false };
  if (publicUrl !== null) return { webcheckin: true, 'flight-alerts': publicUrl.startsWith('https:') };
  if (states.includes('callbacks.route')) return { webcheckin: true, 'flight-alerts': true };
  const near = ownershipOf(settings) !== 'foreign' || !/^(localhost|127\..*|\[?::1\]?)$/.test(listen.host);
  return { webcheckin: near, 'flight-alerts': false };
}
