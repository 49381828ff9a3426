import type { Delivery } from '../../../core/evidence.ts';
import { holds, type Judgement, unclear, violated } from '../../kernel/judgement.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { type Sample, sampleOf } from '../../kernel/sample.ts';
import { ignoresSupplied, noticeOf, type FlightNotice } from '../flightNotice.ts';
import { watchFlightCallbacks, type FlightCallbacks } from '../flightRegistrations.ts';
import { deliveredObject } from '../../../trace/delivered.ts';
import { RecentMap } from '../../kernel/recentMap.ts';

/** The key that authorizes a flight notification. A judgement never contains key values. */
export const flightNoticeKey: Oracle = {
  id: 'flight-notice-key',
  title: 'every flight notification carries the callbackApiKey of its registration, repeated ones as well',
  verifies: ['FLA-CB-003', 'FLA-CB-015', 'FLA-CB-020', 'FLA-CBR-016'],
  createWatch: () => {
    const events = new Events();
    return watchFlightCallbacks((delivery, callbacks) => [
      sampleOf('FLA-CB-003', isAuthorized(delivery, callbacks)),
      ...judgeSupplied(delivery, callbacks),
      ...events.judge(delivery, callbacks),
    ]);
  },
};

function isAuthorized(delivery: Delivery, callbacks: FlightCallbacks): Judgement {
  const keys = keysOf(delivery, callbacks);
  const leaked = delivery.headers.find(([, value]) => callbacks.apiKeys.has(value) && !keys.includes(value));
  if (leaked)
    return violated(
      'leak',
      'no X-API-Key of the partner',
      `an X-API-Key of the partner in header ${leaked[0]}`,
    );
  if (keys.length === 0) return unclear(`${delivery.id}: its key was not returned to this run`);
  const sent = authorizationsOf(delivery);
  if (sent.length === 0) return violated('absent', expected, absence(delivery, keys));
  return sent.every((value) => keys.includes(value))
    ? holds
    : violated('value', expected, alterationOf(sent.find((value) => !keys.includes(value)) ?? '', keys));
}

const expected = 'Authorization with the callbackApiKey of the registration alone';

/** The keys of the registration that the fid names; those of all registrations at this address if it names none. */
function keysOf(delivery: Delivery, { registered }: FlightCallbacks): readonly string[] {
  const fid = deliveredObject(delivery)?.fid;
  const named = registered.filter((one) => one.fid === fid);
  const those = named.length > 0 ? named : registered;
  // A key whose answer was lost may be any value.
  if (those.some(({ keys }) => keys.size === 0)) return [];
  return those.flatMap(({ keys }) => [...keys]);
}

function authorizationsOf({ headers }: Delivery): readonly string[] {
  return headers.filter(([name]) => name.toLowerCase() === 'authorization').map(([, value]) => value);
}

function absence({ headers }: Delivery, keys: readonly string[]): string {
  const elsewhere = headers.find(([, value]) => keys.includes(value));
  return elsewhere ? `the key in header ${elsewhere[0]} instead` : 'no Authorization';
}

function alterationOf(sent: string, keys: readonly string[]): string {
  const within = keys.find((key) => sent.includes(key));
  if (within !== undefined) {
    const [before = '', after = ''] = sent.split(within);
    return `the key with ${JSON.stringify(before)} before and ${JSON.stringify(after)} after it`;
  }
  if (keys.some((key) => key.toLowerCase() === sent.toLowerCase())) return 'the key in other letter case';
  return `another value, of ${sent.length} characters`;
}

/** A credential that was supplied with a subscribe that was accepted nevertheless. */
function judgeSupplied(delivery: Delivery, { registered }: FlightCallbacks): readonly Sample[] {
  const supplied = registered.flatMap((one) => [...one.supplied]);
  return supplied.length === 0 ? [] : [sampleOf('FLA-CBR-016', ignoresSupplied(delivery, supplied))];
}

interface Event {
  readonly authorization: string;
  readonly fid: string;
  readonly wasAccepted: boolean;
}

/** Most events of one address that are remembered to recognise repetitions; the latest ones. */
const mostEvents = 20;

/** What the first delivery of each event carried. */
class Events {
  readonly #first = new RecentMap<string, Map<string, Event>>();

  judge(delivery: Delivery, { registered }: FlightCallbacks): readonly Sample[] {
    const notice = noticeOf(delivery);
    // At one address for several subscriptions, equal changes may be those of another leg.
    if (!notice || registered.length !== 1) return [];
    const events = this.#of(delivery.registration);
    const changes = JSON.stringify(notice.changes);
    const now = eventOf(notice);
    const first = events.get(changes);
    if (first) {
      const repeated = sampleOf('FLA-CB-020', isSame(first, now));
      // The permission to repeat is used if a notification comes again that had been accepted.
      return first.wasAccepted ? [repeated, sampleOf('FLA-CB-015', holds)] : [repeated];
    }
    events.set(changes, now);
    const [oldest] = events.keys();
    if (events.size > mostEvents && oldest !== undefined) events.delete(oldest);
    return [];
  }

  #of(token: string): Map<string, Event> {
    const known = this.#first.get(token) ?? new Map<string, Event>();
    this.#first.set(token, known);
    return known;
  }
}

function eventOf({ delivery, fid }: FlightNotice): Event {
  return {
    authorization: authorizationsOf(delivery).join(),
    fid: JSON.stringify(fid),
    wasAccepted: /^2\d\d$/.test(delivery.answer),
  };
}

function isSame(first: Event, now: Event): Judgement {
  if (first.authorization !== now.authorization)
    return violated('authorization', 'the Authorization of the first delivery', 'another one');
  return first.fid === now.fid ? holds : violated('fid', `fid ${first.fid}`, `fid ${now.fid}`);
}
