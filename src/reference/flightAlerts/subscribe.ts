import type { Answer, Caller, Operation } from '../shared/call.ts';
import { Refusal } from '../shared/refusal.ts';
import { turn } from '../shared/turn.ts';
import type { FlightAlerts } from './context.ts';
import { chargeFlights } from './entitlement.ts';
import { fetchLegs, flightNotFound, legName, upstreamRefusal } from './lookup.ts';
import { notifyCurrent } from './notify.ts';
import type { LegName, Snapshot, UpstreamLeg, Subscription } from './subscriptions.ts';
import { snapshotOf } from './snapshot.ts';
import { readSubscribe, type FlightSubscribeRequest, type SentCallback } from './subscribeRequest.ts';

/** POST /extPartner/api/flight-alerts/subscribe */
export function flightSubscribeOperation(service: FlightAlerts): Operation<FlightSubscribeRequest> {
  const { policy, locks } = service;
  return {
    prepare: (incoming) => readSubscribe(incoming, service),
    run: (caller, request) => {
      const act = () => subscribe(caller, request, service);
      return policy.serializesFlightSubscribes ? locks.run(`flights ${caller.enterprise.id}`, act) : act();
    },
  };
}

async function subscribe(
  caller: Caller,
  request: FlightSubscribeRequest,
  service: FlightAlerts,
): Promise<Answer> {
  const { policy, subscriptions } = service;
  chargeFlights(caller, 'subscribe', service);
  const owner = policy.subscriptionOwner({ enterprise: caller.enterprise, key: caller.key.value });
  const name = `${owner} ${policy.subscriptionName(request.leg)}`;
  const existing = subscriptions.find(name);
  const subscription = existing ?? {
    enterprise: caller.enterprise.id,
    owner,
    leg: request.leg,
    spelled: request.spelled,
    callback: null,
  };
  const unmatched = (code: string) => {
    if (existing || !policy.storesRefused(code)) return;
    store(subscription, { name, caller, sent: request.callback }, service);
  };
  const snapshot = snapshotOf(selectLeg(request.leg, service, unmatched), policy);
  if (!existing) refuseSharedFid(owner, request.callback, service);
  await turn();
  if (!existing) track(subscription, { name, caller, sent: request.callback }, service);
  const isAttached = existing !== undefined;
  const key = register(subscription, { sent: request.callback, isAttached, caller, snapshot }, service);
  const body = {
    success: true,
    latest_status_snapshot: policy.subscribedSnapshot(snapshot),
    callbackApiKey: key,
  };
  return { status: 200, body, headers: policy.subscribeHeaders };
}

function selectLeg(wanted: LegName, service: FlightAlerts, unmatched: (code: string) => void): UpstreamLeg {
  const { policy } = service;
  const legs = fetchLegs(wanted, 'subscribe', service);
  const matching = legs.filter((leg) =>
    policy.selects(legName(leg, wanted.flightNumber, wanted.date), wanted),
  );
  const [leg] = matching;
  if (!leg || isUnsubscribable(leg, policy)) {
    unmatched('FLIGHT_NOT_FOUND');
    throw flightNotFound('subscribe', legs.length > 0, service);
  }
  if (matching.length > 1 && policy.ambiguity === 'refused') {
    unmatched('AMBIGUOUS_FLIGHT');
    throw new Refusal(409, 'AMBIGUOUS_FLIGHT', 'More than one flight matches this route and date.');
  }
  return leg;
}

function isUnsubscribable(leg: UpstreamLeg, { departedLegs }: FlightAlerts['policy']): boolean {
  if (departedLegs === 'subscribable') return false;
  if (departedLegs === 'cancelled-too' && String(leg.status).startsWith('cancel')) return true;
  return hasDeparted(leg);
}

function hasDeparted(leg: UpstreamLeg): boolean {
  return ['departure', 'arrival', 'climbing', 'cruising', 'descending', 'landing'].includes(
    String(leg.status),
  );
}

function refuseSharedFid(
  owner: string,
  sent: SentCallback | null,
  { policy, subscriptions }: FlightAlerts,
): void {
  if (!sent || policy.sharedFid === 'allowed') return;
  if (!subscriptions.ofOwner(owner).some(({ callback }) => callback?.fid === sent.fid)) return;
  const code = policy.sharedFid === 409 ? 'EXTERNAL_FID_ALREADY_REGISTERED' : 'VALIDATION_ERROR';
  throw new Refusal(policy.sharedFid, code, 'This fid identifies another subscription.');
}

const unconfirmed = { failure: 'subscription', operation: 'subscribe' } as const;

/** A subscription that is not stored yet. */
interface NewSubscription {
  readonly name: string;
  readonly caller: Caller;
  readonly sent: SentCallback | null;
}

/** Stores a subscription with its callback; returns the key of it. */
function store(
  subscription: Subscription,
  { name, caller, sent }: NewSubscription,
  service: FlightAlerts,
): string {
  const apiKey = newKey(subscription, caller, service);
  subscription.callback = sent && { ...sent, apiKey, partnerKey: caller.key.value, isAttached: false };
  service.subscriptions.add(name, subscription);
  return apiKey;
}

/** Asks upstream to track the leg and stores the subscription. */
function track(
  subscription: Subscription,
  { name, caller, sent }: NewSubscription,
  service: FlightAlerts,
): void {
  const { policy, upstream, subscriptions } = service;
  const wasRefused = policy.failedSubscription === 'stuck' && subscriptions.unconfirmed.has(name);
  if (upstream.failure === 'subscription' || wasRefused) {
    subscriptions.unconfirmed.add(name);
    const { failedSubscription } = policy;
    if (failedSubscription === 'stored' || failedSubscription === 'kept') {
      const apiKey = store(subscription, { name, caller, sent }, service);
      const tells = sent && failedSubscription === 'stored';
      throw upstreamRefusal(unconfirmed, service, tells ? { callbackApiKey: apiKey } : {});
    }
    throw upstreamRefusal(unconfirmed, service);
  }
  subscriptions.add(name, subscription);
}

/** What a subscribe brings to its subscription. */
interface Registration {
  readonly sent: SentCallback | null;
  /** Whether the subscription was there before. */
  readonly isAttached: boolean;
  readonly caller: Caller;
  readonly snapshot: Snapshot;
}

/** Registers a callback where there is none; returns what the answer says of its key (POST subscribe, rules 1-4). */
function register(
  subscription: Subscription,
  { sent, isAttached, caller, snapshot }: Registration,
  service: FlightAlerts,
): string | null | undefined {
  const { policy } = service;
  const { callback } = subscription;
  if (!sent) policy.onPolling(subscription, caller.key.value);
  if (callback) {
    const { apiKey } = callback;
    if (sent) {
      refuseConflict(subscription, { registered: callback, sent }, service);
      policy.onRetry(subscription);
      if (policy.repeatedCallback === 'current') notifyCurrent(subscription, snapshot, service);
    }
    return policy.keyOnRetry(apiKey, !sent);
  }
  if (!sent || !policy.attaches) return policy.keyOnRetry('', true);
  const apiKey = newKey(subscription, caller, service);
  subscription.callback = { ...sent, apiKey, partnerKey: caller.key.value, isAttached };
  if (policy.initialCallback !== 'none') notifyCurrent(subscription, snapshot, service);
  return policy.keyOnFirst(apiKey);
}

function newKey(
  subscription: Subscription,
  caller: Caller,
  { policy, random, subscriptions }: FlightAlerts,
): string {
  const others = policy.keyScope === 'enterprise' ? subscriptions.ofOwner(subscription.owner) : [];
  const shared = others.find(({ callback }) => callback)?.callback?.apiKey;
  return shared ?? policy.newKey(random, caller.key.value);
}

function refuseConflict(
  subscription: Subscription,
  { registered, sent }: { registered: SentCallback; sent: SentCallback },
  { policy }: FlightAlerts,
): void {
  const conflicts = policy.conflicts(
    !policy.sameFid(sent.fid, registered.fid),
    !policy.sameUrl(sent.url, registered.url),
  );
  const code = conflicts.find((one) => one === policy.firstConflict) ?? conflicts[0];
  if (code === undefined) return;
  policy.onConflict(subscription, sent);
  throw new Refusal(policy.conflictStatus, code, 'The subscription has another callback.');
}
