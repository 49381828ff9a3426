import { CallbackProbe } from '../engine/callbackProbe.ts';
import type { Settings } from '../core/settings.ts';
import { operationCounts } from '../load/arrivals.ts';
import type { Durations } from '../load/histogram.ts';
import type { LoadPlan } from '../load/plan.ts';
import { budgetsOf } from '../plan/budgets.ts';
import type { StateHandler } from '../target/stateHandler.ts';
import type { Load } from './load.ts';

/** Measures the delay of callbacks during a load. */
export interface Probe {
  readonly delays: Durations;
  readonly stop: () => Promise<void>;
}

/** Whether the delay of callbacks can be measured: changes can be caused and two units may be spent. */
export function mayProbe(
  settings: Settings,
  plan: LoadPlan,
  { state, journeyUnits }: { readonly state: StateHandler; readonly journeyUnits: number },
): boolean {
  const subscribes = plan.mix.some(({ operation }) => operation === 'wci.subscribe');
  // In addition to what the load itself may spend, and the record that it builds on.
  const spent = (subscribes ? (operationCounts(plan).get('wci.subscribe') ?? 0) : 0) + 1 + journeyUnits;
  const mayWrite = !settings.readOnly && budgetsOf(settings).maxQuota - spent >= 2;
  return mayWrite && settings.apis.includes('webcheckin') && state.offers('checkin.progress');
}

/** Starts measuring; null if callbacks do not reach the sink. */
export async function startProbe({ run, session, hub, notice }: Load): Promise<Probe | null> {
  const { sink, target, clock } = run;
  if (sink?.urls.webcheckin == null) return null;
  const probe = new CallbackProbe({
    ...{ sink, hub, clock, notice, state: target.stateHandler },
    subscribe: (url) => session.prepareProbe(url),
  });
  await probe.start();
  return { delays: probe.delays, stop: () => probe.stop() };
}
