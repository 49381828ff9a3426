import type { FlightAlerts } from './context.ts';
import type { LegName } from './policy.ts';
import { departureFields, snapshotOf, type Snapshot, type UpstreamLeg } from './snapshot.ts';
import type { Subscription } from './subscriptions.ts';

type Members = Record<string, unknown>;

/** Pushes what changed between two states of a leg to its subscribers (Events). */
export function notifyChange(
  changed: LegName,
  before: UpstreamLeg,
  after: UpstreamLeg,
  service: FlightAlerts,
): void {
  const { policy, subscriptions } = service;
  const snapshot = snapshotOf(after, policy);
  const changes = diff(snapshotOf(before, policy), snapshot, service);
  if (Object.keys(changes).length === 0) return;
  for (const subscription of subscriptions.ofFlight(changed.flightNumber, changed.date)) {
    if (policy.notifies(subscription, subscription.leg, changed))
      push(subscription, policy.shapeChanges(changes, snapshot), service);
  }
}

/** An initial notification with the current values, for deployments that send one. */
export function notifyCurrent(subscription: Subscription, snapshot: Snapshot, service: FlightAlerts): void {
  const { status, departure } = snapshot as { status: unknown; departure: Members };
  push(
    subscription,
    { status, departure: Object.fromEntries(departureFields.map((name) => [name, departure[name]])) },
    service,
  );
}

function push(subscription: Subscription, changes: Members, service: FlightAlerts): void {
  const { policy, queue, subscriptions } = service;
  const callback = policy.callbackOf(subscription, subscriptions.ofOwner(subscription.owner));
  if (!callback) return;
  const body = JSON.stringify({ fid: policy.echoedFid(callback.fid), changes });
  queue.push({
    enterprise: subscription.enterprise,
    method: 'POST',
    lane: null,
    url: callback.url,
    message: (delivery) => ({
      headers: {
        'content-type': 'application/json',
        ...policy.authorization(callback.suppliedKey ?? callback.apiKey, delivery),
      },
      body,
    }),
    retryMs: policy.flightRetryMs,
    succeeded: policy.flightDelivered,
    followRedirects: policy.flightRedirects,
  });
}

function diff(before: Snapshot, after: Snapshot, service: FlightAlerts): Members {
  const changes: Members = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (equal(before[name], after[name])) continue;
    changes[name] = changeOf(name, before[name], after[name], service);
  }
  return changes;
}

function changeOf(name: string, before: unknown, after: unknown, { policy }: FlightAlerts): unknown {
  if (name === 'alternateInfo') return after ?? (policy.clearedAlternateInfo === 'null' ? null : []);
  if (name === 'stopover') return stopoverChange(before as Members, after as Members, policy.stopoverChanges);
  if (typeof after !== 'object' || after === null) return after ?? null;
  return changedMembers(before as Members, after as Members);
}

function stopoverChange(before: Members, after: Members, form: 'whole' | 'changed' | 'null'): unknown {
  if (form === 'changed') return changedMembers(before, after);
  const cleared = after.airportIata === null && after.city === null;
  return form === 'null' && cleared ? null : after;
}

function changedMembers(before: Members, after: Members): Members {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => !equal(before[name], value)));
}

function equal(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}
