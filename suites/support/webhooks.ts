import {
  type ApiRequest,
  type CallbackAddress,
  type Change,
  type CheckContext,
  type Exchange,
  type JsonObject,
  type Judgement,
  type Judgements,
  type KeyChoice,
  type OwnRecord,
  type Script,
  type Shown,
  type Waited,
  type WebhookEvent,
  agreesWith,
  describeResponse,
  distinctEvents,
  isAccepted,
  isPushed,
  nameOf,
  primaryKey,
  recordOf,
  shownBy,
  subscribe,
  unclear,
  withoutText,
  memberOf,
} from '../checks.ts';
import { readStatus, readUntil } from './checkin.ts';
import { sameKey, withKey } from './keys.ts';

/** A record with its own webhook at the sink. */
export interface Hooked {
  readonly record: OwnRecord;
  readonly address: CallbackAddress;
  readonly callbackData: JsonObject;
  readonly key: KeyChoice;
  /** What its subscribe showed. */
  readonly shown: Shown;
}

export interface HookOptions {
  readonly script?: Script;
  readonly body?: JsonObject;
  readonly key?: KeyChoice;
  /** Follows the address of the sink. */
  readonly below?: string;
  readonly authHeader?: string;
  readonly send?: (body: JsonObject, key: KeyChoice) => ApiRequest;
}

/** Subscribes a booking with a webhook at a fresh address. */
export async function hooked(t: CheckContext, options: HookOptions = {}): Promise<Hooked> {
  const { key = primaryKey, below = '' } = options;
  const send = options.send ?? ((one: JsonObject, by: KeyChoice) => subscribe(one, { key: by }));
  const address = t.callbacks.open('webcheckin', options.script);
  const callbackData = callbackDataFor(t, `${address.url}${below}`, options.authHeader);
  const body = { ...(options.body ?? (await t.fixtures.booking())), callbackData };
  const exchange = await t.send(send(body, key));
  const record = recordOf(body, exchange);
  const shown = shownBy(exchange);
  t.assume(shown !== null, `the subscribe was answered ${describeResponse(exchange)}`);
  const isKnown = memberOf(exchange, 'message') === 'ALREADY_SUBSCRIBED';
  t.assume(!isKnown, 'it counts as an earlier booking, which has another webhook');
  return { record, address, callbackData, key: keyUsed(t, exchange, key), shown: shown ?? never };
}

/** How a webhook is written. */
export interface WebhookForm {
  /** Follows the address of the sink. */
  readonly below: string;
  readonly authHeader: (token: string) => string;
}

const plainForm: WebhookForm = { below: '', authHeader: (token) => `Authorization: ${token}` };

/** Many unusual but allowed things at once. */
export const unusualForm: WebhookForm = {
  below: '/a%2Fb/hook?u=https%3A%2F%2Fexample.com%2F&y=a%20b',
  authHeader: (token) => `Authorization: Bearer  Gate "${token}", Q="1"; /+-_.~!#$%&'*=`,
};

/**
 * Sends a subscribe with a webhook if there is a sink, so that deliveries are judged in passing; nobody waits for them. If it is
 * refused like that, sends it without one.
 */
export async function subscribeWithWebhook(
  t: CheckContext,
  body: JsonObject,
  { below, authHeader }: WebhookForm = plainForm,
): Promise<{ readonly body: JsonObject; readonly exchange: Exchange }> {
  if (t.callbacks.isReachable('webcheckin')) {
    const { url } = t.callbacks.open('webcheckin');
    const header = authHeader(t.identities.authValue());
    const given = { ...body, callbackData: callbackDataFor(t, `${url}${below}`, header) };
    const exchange = await t.send(subscribe(given));
    if (isAccepted(exchange)) return { body: given, exchange };
  }
  return { body, exchange: await t.send(subscribe(body)) };
}

/** callbackData with everything that a deployment may ask for. */
export function callbackDataFor(
  t: CheckContext,
  callbackUrl: string,
  authHeader = t.identities.authHeader(),
): JsonObject {
  return { callbackUrl, auth_header: authHeader, clientId: 'gatecheck', clientName: 'Gatecheck' };
}

/** What two keys of an enterprise may do with a record is a separate question. */
function keyUsed(t: CheckContext, subscribed: Exchange, key: KeyChoice): KeyChoice {
  if (key.kind !== 'pool') return key;
  if (key.enterprise === 'primary') return sameKey(t, subscribed);
  const known = t.keys.named(subscribed.key);
  return known ? withKey(known) : key;
}

const never: Shown = {
  status: null,
  sub_status: null,
  checkin_message: null,
  missing_info: [],
  boarding_passes: [],
};

/** The events of its record that came to a webhook, each once, from the n-th delivery on; copies of earlier ones are left out. */
export function eventsOf(hook: Hooked, from = 0): readonly WebhookEvent[] {
  const earlier = new Set(eventsBetween(hook, 0, from).map(nameOf));
  return eventsBetween(hook, from).filter((event) => !earlier.has(nameOf(event)));
}

/** The same of some deliveries, whatever came before them. */
export function eventsBetween(
  { record, address }: Hooked,
  from: number,
  to?: number,
): readonly WebhookEvent[] {
  const events = distinctEvents(address.mailbox.deliveries.slice(from, to));
  return events.filter(({ checkinId }) => checkinId === null || checkinId === record.checkinId);
}

/** Whether it was pushed that a record got a status: the deployment's own automation may be ahead of a check. */
export function isTold(hook: Hooked, status: string, from = 0): boolean {
  return eventsOf(hook, from).some(({ changes }) => changes.status === status);
}

/** Whether a change is pushed; if its status was reported before, it may be no change, and nothing need come. */
export function goesOn({ change }: Moved, isAhead: boolean): Judgement {
  const pushed = isPushed(change);
  return isAhead && pushed.status === 'violated'
    ? unclear('the deployment had already made the change by itself')
    : pushed;
}

/** How automation is to change a record. */
export interface Movement {
  readonly status: string;
  readonly sub_status?: string;
  readonly checkin_message?: string;
  readonly boarding_passes?: readonly string[];
}

/** Makes automation change a record, without looking at the result. */
export async function progress(t: CheckContext, { record }: Hooked, to: Movement): Promise<void> {
  const passes = to.boarding_passes === undefined ? {} : { boarding_passes: [...to.boarding_passes] };
  await t.state.set('checkin.progress', { checkin_id: record.checkinId, ...to, ...passes });
}

/** A change with the answer that shows it. */
export interface Moved {
  readonly change: Change;
  readonly read: Exchange;
}

/** Makes automation change a record, waits for its event, then polls. */
export async function moved(
  t: CheckContext,
  hook: Hooked,
  before: Shown,
  to: Movement,
  patienceMs?: number,
): Promise<Moved> {
  const from = hook.address.mailbox.deliveries.length;
  await progress(t, hook, to);
  return seen(t, hook, before, {
    from,
    status: to.status,
    ...(patienceMs === undefined ? {} : { patienceMs }),
  });
}

/** Waits for the event of a change, then polls. */
async function seen(
  t: CheckContext,
  hook: Hooked,
  before: Shown,
  wanted: { readonly from: number; readonly status: string; readonly patienceMs?: number },
): Promise<Moved> {
  const { from, status, patienceMs } = wanted;
  const tells = ({ changes }: WebhookEvent) => before.status === status || changes.status === status;
  const waited = await t.callbacks.wait(
    hook.address,
    () => eventsOf(hook, from).some(tells),
    patienceMs === undefined ? {} : { patienceMs },
  );
  const read = await polled(t, hook, (shown) => shown.status === status);
  const after = shownBy(read);
  t.assume(after?.status === status, `the state handler did not make the record ${status}`);
  const isOver = waited !== 'patience' || (await laterOneCame(t, hook));
  const change = changeOf(hook, before, after ?? never, from, waited);
  // An event that came after the read was sent may be about a later change.
  const events = change.events.filter(({ delivery }) => delivery.receivedAt <= read.timings.sentAt);
  return { change: { ...change, events, isOver }, read };
}

/**
 * The positive control for a silence if the deployment does not report what is pending: a change made after the wait for the
 * other had ended is pushed, so the other one would have been, too.
 */
async function laterOneCame(t: CheckContext, { key }: Hooked): Promise<boolean> {
  if (t.callbacks.tellsPending) return false;
  const control = await hooked(t, { key });
  await progress(t, control, { status: 'IN_PROGRESS' });
  const waited = await t.callbacks.wait(control.address, () =>
    eventsOf(control).some(({ changes }) => changes.status === 'IN_PROGRESS'),
  );
  return waited === 'come';
}

/** Reads a record until it shows what is wanted, at most a few times. */
export function polled(
  t: CheckContext,
  { record, key }: Hooked,
  isThere: (shown: Shown) => boolean,
): Promise<Exchange> {
  return readUntil(
    t,
    () => readStatus(t, record.checkinId, key),
    (exchange) => {
      const shown = shownBy(exchange);
      return shown === null || isThere(shown);
    },
  );
}

/** Whether pushed and read values of a changed record agree, as arguments of a judgement. */
export async function agreement(
  t: CheckContext,
  hook: Hooked,
  status: string,
): Promise<readonly [evidence: ReturnType<typeof evidenceOfChange>, said: Judgements]> {
  // An event of the creation may come before the intended one.
  await t.callbacks.wait(hook.address, () => isTold(hook, status));
  const first = await polled(t, hook, (shown) => shown.status === status);
  const now = shownBy(first)?.status;
  // An automation of its own may have moved it on: then what it has come to is compared, once that was pushed.
  const wanted = typeof now === 'string' && now !== hook.shown.status ? now : status;
  if (wanted !== status) await t.callbacks.wait(hook.address, () => isTold(hook, wanted));
  const read = wanted === status ? first : await polled(t, hook, (shown) => shown.status === wanted);
  const after = shownBy(read);
  // An event that came after the read was sent may be about a later change.
  const events = eventsOf(hook).filter(({ delivery }) => delivery.receivedAt <= read.timings.sentAt);
  const evidence = [read, ...events.map(({ delivery }) => delivery)];
  const isThere = after?.status === wanted && events.some(({ changes }) => changes.status === wanted);
  if (!isThere)
    return [evidence, { 'WCI-CB-020': unclear(`no callback of ${wanted} came, or the record had moved on`) }];
  const change = withoutText({ before: hook.shown, after, events, isOver: false });
  return [evidence, { 'WCI-CB-020': agreesWith(change) }];
}

export function changeOf(hook: Hooked, before: Shown, after: Shown, from: number, waited: Waited): Change {
  return { before, after, events: eventsOf(hook, from), isOver: waited !== 'patience' };
}

/** The change as judged: an event may describe it in other words than a status. */
export function judged({ change }: Moved): Change {
  return withoutText(change);
}

/** The deliveries that show a change, for the evidence of a judgement. */
export function evidenceOfChange({ change, read }: Moved) {
  return [read, ...change.events.map(({ delivery }) => delivery)];
}

/** Sends a request that a check depends on. */
export async function taken(t: CheckContext, request: ApiRequest): Promise<Exchange> {
  const exchange = await t.send(request);
  t.assume(isAccepted(exchange), `${request.operation ?? ''} was answered ${describeResponse(exchange)}`);
  return exchange;
}
