import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import type { Enterprise } from './accounts.ts';
import type { MovableClock } from './clock.ts';
import type { Conventions } from './conventions.ts';
import type { Deliveries } from './deliveries.ts';
import { isDate } from './payload.ts';
import { isObject } from './reading.ts';
import { type Problem, refuseAll, Refusal } from './refusal.ts';
import { changedIn, mergedLeg, shownLeg } from './legs.ts';

type Members = Record<string, unknown>;

interface Callback {
  fid: string;
  url: string;
  key: string;
}

interface Subscription {
  enterprise: Enterprise;
  place: string;
  callback: Callback | undefined;
  gathering: Members[];
}

interface Place {
  flightNumber: string;
  departureDate: string;
  departureAirportIata: string;
  arrivalAirportIata: string;
}

const airportsOfLeg = (leg: Members): string[] =>
  [leg.departure, leg.arrival].map((end) => String(isObject(end) ? end.airportIata : '').toUpperCase());

const placeOf = (place: Place): string =>
  [place.flightNumber, place.departureDate, place.departureAirportIata, place.arrivalAirportIata].join(' ');

/** `ek 0123` → EK123, or undefined. */
export function cleanNumber(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  const clean = text
    .replace(/[ -]/g, '')
    .toUpperCase()
    .replace(/^([A-Z]{2})0+(?=\d)/, '$1');
  return /^[A-Z0-9]{2,3}\d{1,4}$/.test(clean) ? clean : undefined;
}

export function isPublicUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '' || text.includes('#'))
    return false;
  const host = url.hostname.replace(/\.$/, '');
  if (isIP(host.replace(/^\[|\]$/g, '')) > 0 || !host.includes('.')) return false;
  return !/(?:^|\.)(?:localhost|local|internal|intranet|lan|corp|home|localdomain|private|test|invalid|arpa)$/.test(
    host,
  );
}

/** Upstream's legs, subscriptions to them, and the two operations of flight alerts. */
export class Flights {
  failure: string | null = null;
  readonly #legs = new Map<string, Members[]>();
  readonly #subscriptions: Subscription[] = [];
  readonly #partnerKeys = new Map<Enterprise, string>();
  readonly #clock: MovableClock;
  readonly #using: Conventions;
  readonly #deliveries: Deliveries;

  constructor(clock: MovableClock, using: Conventions, deliveries: Deliveries) {
    this.#clock = clock;
    this.#using = using;
    this.#deliveries = deliveries;
  }

  put(flightNumber: string, departureDate: string, legs: Members[]): void {
    this.#legs.set(`${flightNumber} ${departureDate}`, legs);
  }

  lookup(query: ReadonlyMap<string, string>): object[] {
    const asked = this.#read({
      flightNumber: query.get('flightNumber'),
      departureDate: query.get('departureDate'),
    });
    const legs = this.#upstream(asked.flightNumber, asked.departureDate);
    const codes = (leg: Members): string => airportsOfLeg(leg).join(' ');
    return legs
      .toSorted((one, other) => (codes(one) < codes(other) ? -1 : 1))
      .map((leg) => shownLeg(leg, asked.flightNumber, this.#using));
  }

  subscribe(enterprise: Enterprise, body: Members): object {
    const asked = this.#read(body, true);
    const place = placeOf(asked);
    const known = this.#subscriptions.find((each) => each.enterprise === enterprise && each.place === place);
    const callback = this.#readCallback(body.callbackData);
    if (this.#using.conflictBefore === 'before lookup') this.#refuseConflict(known, callback);
    const legs = this.#upstream(asked.flightNumber, asked.departureDate).filter((leg) => {
      const [from, to] = airportsOfLeg(leg);
      return from === asked.departureAirportIata && to === asked.arrivalAirportIata;
    });
    const [leg] = legs;
    if (!leg) throw new Refusal(404, 'FLIGHT_NOT_FOUND', 'The flight has no such leg.');
    if (legs.length > 1)
      throw new Refusal(409, 'AMBIGUOUS_FLIGHT', 'More than one flight has this route and date.');
    this.#refuseConflict(known, callback);
    if (this.failure === 'subscription' && (!known || this.#using.failedUpstream === 'always')) {
      throw new Refusal(502, 'SUBSCRIPTION_FAILED', 'The subscription could not be confirmed.');
    }
    const subscription = known ?? { enterprise, place, callback: undefined, gathering: [] };
    if (!known) this.#subscriptions.push(subscription);
    const snapshot = shownLeg(leg, asked.flightNumber, this.#using);
    const isFirst = callback !== undefined && subscription.callback === undefined;
    if (isFirst) {
      subscription.callback = { ...callback, key: this.#newKey(enterprise) };
      if (this.#using.firstNotice) this.#notify(subscription, { ...snapshot });
    }
    return {
      success: true,
      latest_status_snapshot: snapshot,
      ...(isFirst && { callbackApiKey: subscription.callback?.key }),
    };
  }

  change(place: Place, changes: Members): void {
    const key = `${place.flightNumber} ${place.departureDate}`;
    const legs = this.#legs.get(key) ?? [];
    const isMeant = (leg: Members): boolean =>
      airportsOfLeg(leg).join(' ') === `${place.departureAirportIata} ${place.arrivalAirportIata}`;
    const leg = legs.find(isMeant);
    if (!leg) throw new Error('upstream knows no such leg');
    const next = mergedLeg(leg, changes);
    const before = shownLeg(leg, place.flightNumber, this.#using);
    const after = shownLeg(next, place.flightNumber, this.#using);
    this.#legs.set(
      key,
      legs.map((each) => (each === leg ? next : each)),
    );
    const changed = changedIn(before, after, this.#using);
    if (Object.keys(changed).length === 0) return;
    for (const each of this.#subscriptions)
      if (each.place === placeOf(place) && each.callback) this.#gather(each, changed);
  }

  #gather(subscription: Subscription, changes: Members): void {
    const { gatherMs } = this.#using;
    if (gatherMs === 0) {
      this.#notify(subscription, changes);
      return;
    }
    subscription.gathering.push(changes);
    if (subscription.gathering.length > 1) return;
    this.#clock.after(gatherMs, () => {
      const all = subscription.gathering.splice(0).reduce<Members>((sum, each) => mergedLeg(sum, each), {});
      this.#notify(subscription, all);
    });
  }

  #notify({ callback, place, enterprise }: Subscription, changes: Members): void {
    if (!callback) return;
    this.#deliveries.push({
      url: callback.url,
      credential: ['Authorization', callback.key],
      body: { fid: callback.fid, changes },
      subject: `${enterprise.name} ${place}`,
      retries: this.#using.flightRetries,
      times: this.#using.noticeTwice ? 2 : 1,
    });
  }

  #newKey(enterprise: Enterprise): string {
    const fresh = `fla_cb_${randomBytes(24).toString('base64url')}`;
    if (this.#using.keyOf === 'subscription') return fresh;
    const key = this.#partnerKeys.get(enterprise) ?? fresh;
    this.#partnerKeys.set(enterprise, key);
    return key;
  }

  #upstream(flightNumber: string, departureDate: string): Members[] {
    if (this.failure === 'unavailable')
      throw new Refusal(502, 'PROVIDER_UNAVAILABLE', 'The provider does not answer.');
    if (this.failure === 'invalid-data')
      throw new Refusal(502, 'INVALID_PROVIDER_DATA', 'The provider sent invalid data.');
    const legs = this.#legs.get(`${flightNumber} ${departureDate}`) ?? [];
    if (legs.length === 0)
      throw new Refusal(404, 'FLIGHT_NOT_FOUND', 'There is no such flight on that date.');
    return legs;
  }

  #refuseConflict(known: Subscription | undefined, asked: Omit<Callback, 'key'> | undefined): void {
    if (!known?.callback || !asked) return;
    const url = known.callback.url !== asked.url && 'CALLBACK_ALREADY_REGISTERED';
    const fid = known.callback.fid !== asked.fid && 'EXTERNAL_FID_ALREADY_REGISTERED';
    const code = this.#using.conflictFirst === 'url' ? url || fid : fid || url;
    if (code) throw new Refusal(409, code, 'The subscription has another callback.');
  }

  #read(from: Members, withAirports = false): Place {
    const problems: Problem[] = [];
    const fail = (field: string, text: string): string => {
      problems.push({ field, text: `${field} ${text}.` });
      return '';
    };
    const number =
      cleanNumber(from.flightNumber) ?? fail('flightNumber', 'has to be an airline code and digits');
    const today = new Date(this.#clock.now()).toISOString().slice(0, 10);
    const date = isDate(from.departureDate)
      ? (from.departureDate as string)
      : fail('departureDate', 'has to be YYYY-MM-DD');
    if (date !== '' && date < today) fail('departureDate', 'is in the past');
    const airport = (name: string): string => {
      const code = from[name];
      const clean = typeof code === 'string' ? code.trim().toUpperCase() : '';
      return !withAirports || (/^[A-Z]{3}$/.test(clean) && /^[A-Za-z\s]*$/.test(String(code)))
        ? clean
        : fail(name, 'has to be three letters');
    };
    const place = {
      flightNumber: number,
      departureDate: date,
      departureAirportIata: airport('departureAirportIata'),
      arrivalAirportIata: airport('arrivalAirportIata'),
    };
    refuseAll(problems, this.#using);
    return place;
  }

  #readCallback(data: unknown): Omit<Callback, 'key'> | undefined {
    if (data === undefined || data === null) return undefined;
    const problems: Problem[] = [];
    const fail = (field: string, text: string): number =>
      problems.push({ field: `callbackData.${field}`, text: `${field} ${text}.` });
    const { fid, callbackUrl, ...others } = isObject(data) ? data : {};
    const { fidLength, blankFid, foreignMembers } = this.#using;
    const length =
      typeof fid === 'string' ? (fidLength === 'characters' ? Array.from(fid).length : fid.length) : 0;
    if (length < 1 || length > 255 || (blankFid === 400 && String(fid).trim() === ''))
      fail('fid', 'has to be a text of 1 to 255 characters');
    if (typeof callbackUrl !== 'string' || !isPublicUrl(callbackUrl))
      fail('callbackUrl', 'has to be a public HTTPS URL');
    for (const name of ['auth_header', 'clientId', 'clientName']) {
      if (foreignMembers === 400 && name in others) fail(name, 'must not be given');
    }
    refuseAll(problems, this.#using);
    return { fid: String(fid), url: String(callbackUrl) };
  }

  forget(enterprise: Enterprise): void {
    for (const each of this.#subscriptions.filter((one) => one.enterprise === enterprise)) {
      this.#subscriptions.splice(this.#subscriptions.indexOf(each), 1);
    }
  }
}
