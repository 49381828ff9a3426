import type { FlightAlerts } from './context.ts';
import type { FlightAlertsPolicy } from './policy.ts';
import type { LegName, Snapshot, UpstreamLeg, FlightCallback, Subscription } from './subscriptions.ts';
import { departureFields, snapshotOf } from './snapshot.ts';

type Members = Record<string, unknown>;

/** Pushes what changed between two states of a leg to its subscribers (Events). */
export function notifyChange(
  changed: LegName,
  { before, after }: { readonly before: UpstreamLeg; readonly after: UpstreamLeg },
  service: FlightAlerts,
): void {
  const { policy, subscriptions } = service;
  const [earlier, snapshot] = [snapshotOf(before, policy), snapshotOf(after, policy)];
  const changes = diff(earlier, snapshot, service);
  if (Object.keys(changes).length === 0 && !policy.notifiesUnchanged) return;
  if (policy.endsNotifying(changed, service.clock.now())) return;
  const subscribers = subscriptions.all.filter((one) => policy.notifies(one, one.leg, changed));
  const ofFlight = subscriptions.ofFlight(changed.flightNumber, changed.date);
  for (const subscription of policy.receivers(subscribers, ofFlight)) {
    const told = policy.shapeChanges(changes, snapshot, earlier);
    for (const part of policy.notificationsOf(told, earlier, subscription)) push(subscription, part, service);
  }
}

/** A notification with the current values, for deployments that send one when a callback is registered. */
export function notifyCurrent(subscription: Subscription, snapshot: Snapshot, service: FlightAlerts): void {
  const { status, departure } = snapshot as { status: unknown; departure: Members };
  const some = {
    status,
    departure: Object.fromEntries(departureFields.map((name) => [name, departure[name]])),
  };
  push(subscription, service.policy.initialCallback === 'whole' ? snapshot : some, service);
}

function push(subscription: Subscription, changes: Members, service: FlightAlerts): void {
  const { policy, queue, subscriptions } = service;
  const callback = policy.callbackOf(subscription, subscriptions.ofOwner(subscription.owner));
  if (!callback) return;
  queue.push({
    enterprise: subscription.enterprise,
    method: policy.notificationMethod,
    lane: policy.notificationOrder === 'any' ? null : callback.url,
    url: policy.notifiedUrl(callback.url),
    message: (delivery) => message(callback, { changes, delivery }, policy),
    delayMs: policy.notificationDelayMs(subscriptions.notified++),
    copies: policy.notificationCopies,
    retryMs: policy.flightRetryMs,
    succeeded: policy.flightDelivered,
    followRedirects: policy.flightRedirects,
    givesUp: policy.givesUpFlight,
    behindRetry: policy.behindFlightRetry,
  });
}

function message(
  callback: FlightCallback,
  { changes, delivery }: { readonly changes: Members; readonly delivery: number },
  policy: FlightAlertsPolicy,
): { headers: Record<string, string>; body: string } {
  const key = callback.suppliedKey ?? callback.apiKey;
  const headers = {
    ...policy.notificationHeaders(delivery),
    ...policy.authorization(key, delivery, callback),
  };
  const fid = policy.echoedFid(callback.fid, delivery);
  return { headers, body: JSON.stringify(policy.notificationBody({ fid, changes }, delivery)) };
}

function diff(before: Snapshot, after: Snapshot, service: FlightAlerts): Members {
  const changes: Members = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (equal(before[name], after[name])) continue;
    changes[name] = changeOf(name, [before[name], after[name]], service.policy);
  }
  return changes;
}

function changeOf(
  name: string,
  [before, after]: readonly [unknown, unknown],
  policy: FlightAlertsPolicy,
): unknown {
  if (name === 'alternateInfo') return after ?? (policy.clearedAlternateInfo === 'null' ? null : []);
  if (name === 'stopover') return stopoverChange(before as Members, after as Members, policy);
  if (typeof after !== 'object' || after === null) return after ?? null;
  return changedMembers(before as Members, after as Members);
}

function stopoverChange(before: Members, after: Members, policy: FlightAlertsPolicy): unknown {
  const isCleared = after.airportIata === null && after.city === null;
  if (isCleared && policy.clearedStopover === 'null') return null;
  return policy.stopoverChanges === 'changed' ? changedMembers(before, after) : after;
}

function changedMembers(before: Members, after: Members): Members {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => !equal(before[name], value)));
}

function equal(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}
