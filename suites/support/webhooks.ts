import {
  type ApiRequest,
  type CallbackAddress,
  type Change,
  type CheckContext,
  type Exchange,
  type JsonObject,
  type KeyChoice,
  type OwnRecord,
  type Script,
  type Shown,
  type Waited,
  type WebhookEvent,
  describeResponse,
  distinctEvents,
  isAccepted,
  nameOf,
  primaryKey,
  recordOf,
  shownBy,
  subscribe,
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
  return { record, address, callbackData, key: keyUsed(t, exchange, key), shown: shown ?? nothingShown };
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
  authHeader: (token) => `Authorization: Bearer  Gate "${token}", Q="1"; /+-_.~!#$%&'*=$$1$&`,
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

/** A record of which nothing is shown. */
export const nothingShown: Shown = {
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

/** What a record changed from and to, after how many deliveries, and how the wait for its events ended. */
interface Waiting {
  readonly before: Shown;
  readonly after: Shown;
  readonly from: number;
  readonly waited: Waited;
}

export function changeOf(hook: Hooked, { before, after, from, waited }: Waiting): Change {
  return { before, after, events: eventsOf(hook, from), isOver: waited !== 'patience' };
}

/** A record that was moved to IN_PROGRESS, which is the first change of it. */
export function firstChange(hook: Hooked, waited: Waited): Change {
  const { shown } = hook;
  return changeOf(hook, { before: shown, after: { ...shown, status: 'IN_PROGRESS' }, from: 0, waited });
}

/** Sends a request that a check depends on. */
export async function taken(t: CheckContext, request: ApiRequest): Promise<Exchange> {
  const exchange = await t.send(request);
  t.assume(isAccepted(exchange), `${request.operation ?? ''} was answered ${describeResponse(exchange)}`);
  return exchange;
}
