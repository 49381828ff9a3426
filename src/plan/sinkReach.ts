import type { Api } from '../core/operations.ts';
import type { Settings } from '../core/settings.ts';
import { ownershipOf } from './budgets.ts';

/** Whether callbacks of an API can reach the sink. Flight alerts deliver to a public HTTPS name only. */
export type SinkReach = Readonly<Record<Api, boolean>>;

/** What a plan may assume before the sink is open: a public address, or a target that is near. */
export function assumedReach(settings: Settings, states: readonly string[]): SinkReach {
  const { publicUrl, listen } = settings.sink;
  if (settings.readOnly) return { webcheckin: false, 'flight-alerts': false };
  if (publicUrl !== null) return { webcheckin: true, 'flight-alerts': isPublicHttps(publicUrl) };
  const near = ownershipOf(settings) !== 'foreign' || !isLoopbackHost(listen.host);
  return { webcheckin: near, 'flight-alerts': near && states.includes('callbacks.route') };
}

/** Whether Flight Alerts may deliver there: HTTPS, and a name that is neither an IP address nor internal (Callback data). */
export function isPublicHttps(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  const isName = !/^\[|^[\d.]+$/.test(hostname) && hostname.includes('.');
  return protocol === 'https:' && isName && !/\.(local|localhost|internal|invalid|test)$/.test(hostname);
}

/** Whether a server that listens there is reachable from this machine only. */
export function isLoopbackHost(host: string): boolean {
  return /^(localhost|127\..*|\[?::1\]?)$/.test(host);
}
