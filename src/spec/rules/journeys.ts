import { onceForEach } from '../../core/latest.ts';
import { isObject, type JsonObject } from '../../trace/body.ts';
import type { Call } from '../../trace/call.ts';
import { readForms } from '../grammar/readForms.ts';
import { isMissing, textOf } from '../grammar/form.ts';
import { offsetAt } from '../kit/localTime.ts';
import { only, type Blame } from '../kernel/blame.ts';
import * as is from '../kernel/value.ts';
import type { Booking } from '../world/booking.ts';
import { areObjects } from '../world/changes.ts';
import { areConnections } from '../world/connections.ts';
import { instantsAt, suffixOf, utcOf, zoneOf } from '../world/departure.ts';
import type { Sight } from '../world/sights.ts';
import { answerOf } from './suspect.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** The lead time that a first departure needs. */
export const leadMs = 6 * hourMs;
/** Clocks may differ by so much. */
const slackMs = minuteMs / 2;
/** A departure this far ahead is not refused for its lead time, however long that is. */
const farMs = 24 * hourMs;

/** From when to when the deployment's clock may have stood as it judged a request, in epoch milliseconds. */
export interface Moment {
  readonly from: number;
  readonly to: number;
}

/** A reading of a clock that breaks a sentence. */
interface Misreading {
  readonly rule: string;
  /** The instant that it takes the clock for; null where it takes it for the right one. */
  readonly instant: number | null;
}

/** What is judged once it is known which leads and which routes are accepted. */
interface Doubt {
  readonly call: Call;
  readonly want: is.Value | string;
  /** The sentences of which one is broken. */
  readonly suspects: () => readonly string[];
}

interface Journey {
  readonly call: Call;
  readonly flights: readonly JsonObject[];
  readonly departure: number;
  readonly moment: Moment;
  readonly leads: Leads;
}

/** The least lead that was accepted, and the greatest that was refused as too small, in milliseconds. */
interface Leads {
  accepted: number;
  refused: number;
}

/** Journeys are accepted and refused by the instants of their departures, as their airports' zones tell them. */
export class JourneyRules {
  readonly #blame: Blame;
  readonly #routes = new Set<string>();
  readonly #leads = new Map<string, Leads>();
  /** The greatest lead that was accepted: no service accepts days without end. */
  #furthest = -Infinity;
  #doubts: readonly Doubt[] = [];
  #isOff = false;

  constructor(blame: Blame) {
    this.#blame = blame;
  }

  get isOff(): boolean {
    return this.#isOff;
  }

  judge(call: Call, moment: Moment): void {
    if (call.carrier === 'unread' || call.keyState !== 'active') return;
    const flights = call.body?.flights;
    const departure = areObjects(flights) ? departureIn(flights) : null;
    if (!areObjects(flights) || departure === null) return;
    const outcome = outcomeOf(call);
    const journey = { call, flights, departure, moment, leads: this.#leadsOf(call) };
    if (outcome === 'accepted') this.#accepted(journey);
    // A repeat shows what is no reason to refuse it, and nothing of how it was looked at.
    if (outcome === 'repeated') this.#blame.show(...sentencesOfOrder(flights));
    if (outcome === 'rejected' && isPlain(call) && orderOf(flights) !== 'reversed') this.#rejected(journey);
  }

  /** A new record of another time than ours: whether its deployment judges leads by its own clock or ours is not known. */
  see({ record }: Sight, { madeOn }: Booking): void {
    if (Math.abs(Date.parse(textOf(record.created_at)) - madeOn) > 4 * slackMs) this.#isOff = true;
  }

  /** Somebody else has moved the clock: by which one journeys were judged since then is not known. */
  doubtSince(at: number): void {
    this.#doubts = this.#doubts.filter(({ call }) => call.receivedAt < at);
  }

  /** Which sentence is broken is told by what else was accepted and refused. */
  end(): void {
    if (this.#isOff) this.#doubts = [];
    for (const { call, suspects, want } of this.#doubts) this.#accuse(call, suspects(), want);
    this.#doubts = [];
  }

  #accepted({ call, flights, departure, moment: { from, to }, leads }: Journey): void {
    if (this.#routes.size < mostRoutes) this.#routes.add(routeOf(flights));
    const furthest = lastOf(flights) - to;
    if (furthest < Infinity) this.#furthest = Math.max(this.#furthest, furthest);
    const order = orderOf(flights);
    if (order === 'reversed') this.#accuse(call, ['WCI-JRN-010'], 'legs out of order to be refused');
    if (order === 'sorted') this.#keep(sentencesOfOrder(flights));
    const readings = misreadingsOf(flights, departure);
    const lead = departure - from;
    if (departure - to >= leadMs + slackMs) {
      leads.accepted = Math.min(leads.accepted, departure - to);
      this.#blame.show('WCI-JRN-002');
      if (isAhead(departure - to)) this.#blame.show('WCI-JRN-020');
      this.#keep(rulesOf(readings, (at) => at - to < leadMs - slackMs));
    } else if (lead < leadMs - slackMs) {
      const explaining = rulesOf(readings, (at) => at - from >= leadMs - slackMs);
      this.#doubt(call, 'a departure too close to be refused', () => {
        if (lead < -slackMs) return ['WCI-JRN-005'];
        return leads.refused >= lead ? explaining : ['WCI-JRN-001', ...explaining];
      });
    }
  }

  #rejected({ call, flights, departure, moment: { from, to }, leads }: Journey): void {
    const readings = misreadingsOf(flights, departure);
    const lead = departure - to;
    if (departure - from < leadMs - slackMs) {
      leads.refused = Math.max(leads.refused, departure - from);
      // What is refused on every route shows nothing of its lead.
      if (this.#routes.has(routeOf(flights)))
        this.#blame.show(departure - from < -slackMs ? 'WCI-JRN-005' : 'WCI-JRN-001');
      this.#keep(rulesOf(readings, (at) => at - to >= leadMs + slackMs));
    } else if (lead >= leadMs + slackMs) {
      const explaining = [
        ...rulesOf(readings, (at) => at - from < leadMs - slackMs),
        ...sentencesOfOrder(flights),
      ];
      this.#doubt(call, is.accepted, () => {
        if (!this.#isFlown(flights)) return [];
        if (lastOf(flights) - from > this.#furthest) return isAhead(lead) ? ['WCI-JRN-020'] : [];
        return leads.accepted <= lead || lead > farMs ? explaining : ['WCI-JRN-002', ...explaining];
      });
    }
  }

  /** Whether its route was accepted: as a whole, or leg by leg where these follow each other as connections do. */
  #isFlown(flights: readonly JsonObject[]): boolean {
    if (this.#routes.has(routeOf(flights))) return true;
    return areConnections(flights) && flights.every((leg) => this.#routes.has(routeOf([leg])));
  }

  #leadsOf({ body, carrier }: Call): Leads {
    const passengers = areObjects(body?.passengers) ? body.passengers : [];
    const isWhole = passengers.every(
      ({ passport, email }) => isObject(passport) && typeof email === 'string',
    );
    const name = `${carrier} ${isWhole && typeof body?.pnr === 'string' ? 'whole' : 'lacking'}`;
    const known = this.#leads.get(name) ?? { accepted: Infinity, refused: -Infinity };
    this.#leads.set(name, known);
    return known;
  }

  #doubt(call: Call, want: is.Value | string, suspects: Doubt['suspects']): void {
    if (this.#doubts.length < mostDoubts) this.#doubts = [...this.#doubts, { call, want, suspects }];
  }

  #keep(rules: readonly string[]): void {
    this.#blame.keep(only(...rules));
  }

  #accuse(call: Call, rules: readonly string[], want: is.Value | string): void {
    const { exchange } = call;
    const violation = { code: 'journey', at: 'answer', want, got: answerOf(call), because: [exchange] };
    this.#blame.accuse(only(...rules), 'journey', violation);
  }
}

const mostRoutes = 1000;
const mostDoubts = 200;

export function outcomeOf(call: Call): 'accepted' | 'repeated' | 'rejected' | null {
  if (isRejection(call)) return 'rejected';
  const { status, answer } = call;
  const message = status === 200 && isObject(answer) ? answer.message : null;
  if (message === 'ALREADY_SUBSCRIBED') return 'repeated';
  return message === 'SCHEDULED' ? 'accepted' : null;
}

/** A journey may be rejected with 200 as well (WCI-OPN-016). */
export function isRejection({ status, answer }: Call): boolean {
  return status === 422 || (status === 200 && isObject(answer) && answer.message === 'REJECTED');
}

/** So many days ahead that a booking has to be queued, and not so many that no service takes it. */
function isAhead(leadMs: number): boolean {
  return leadMs > 20 * 24 * hourMs && leadMs < 60 * 24 * hourMs;
}

export const departureIn = onceForEach(([first]: readonly JsonObject[]): number | null => {
  const instants = instantsAt(first?.departure_datetime, zoneOf(first?.origin));
  return instants.length === 1 ? (instants[0] ?? null) : null;
});

/** The last departure of a journey, in epoch milliseconds; whatever cannot be read is far. */
function lastOf(flights: readonly JsonObject[]): number {
  const last = flights.at(-1);
  return instantsAt(last?.departure_datetime, zoneOf(last?.origin))[0] ?? Infinity;
}

/** What a departure may be taken for by mistake. */
function misreadingsOf(flights: readonly JsonObject[], departure: number): readonly Misreading[] {
  const { departure_datetime: clock, origin } = flights[0] ?? {};
  const [utc, zone, suffix] = [utcOf(clock), zoneOf(origin), suffixOf(clock)];
  if (utc === null || zone === null) return [];
  const offset = utc - departure;
  const year = new Date(utc).getUTCFullYear();
  const standard = Math.min(...[0, 6].map((month) => offsetAt(Date.UTC(year, month, 15), zone)));
  const ofSuffix = suffix === 0 ? 'WCI-DT-013' : (suffix ?? 0) > 0 ? 'WCI-DT-011' : 'WCI-DT-012';
  return [
    { rule: 'WCI-JRN-003 as UTC', instant: utc },
    { rule: 'WCI-JRN-003 by whole hours', instant: utc - Math.trunc(offset / hourMs) * hourMs },
    { rule: 'WCI-DT-030', instant: utc - standard },
    { rule: 'WCI-JRN-004', instant: flights.length > 1 ? lastOf(flights) : null },
    { rule: ofSuffix, instant: suffix === null ? null : utc - suffix },
  ];
}

function rulesOf(readings: readonly Misreading[], explains: (instant: number) => boolean): readonly string[] {
  return readings.flatMap(({ rule, instant }) => (instant !== null && explains(instant) ? [rule] : []));
}

/** How the departures and arrivals of several legs follow each other; null where that is not known. */
function orderOf(flights: readonly JsonObject[]): 'sorted' | 'reversed' | null {
  const departures = flights.map(({ departure_datetime: clock, origin }) =>
    instantsAt(clock, zoneOf(origin)),
  );
  if (departures.some(({ length }) => length !== 1)) return null;
  const starts = departures.map(([one]) => one ?? 0);
  if (starts.some((start, at) => at > 0 && start < (starts[at - 1] ?? start) - hourMs)) return 'reversed';
  const ends = flights.map(({ arrival_datetime: clock, destination }) =>
    clock === undefined || clock === null ? [null] : instantsAt(clock, zoneOf(destination)),
  );
  if (ends.some(({ length }) => length !== 1)) return null;
  const all = starts.flatMap((start, at) => [start, ends[at]?.[0] ?? start]);
  return all.every((one, at) => at === 0 || one >= (all[at - 1] ?? one)) ? 'sorted' : null;
}

/** The sentences by which legs in order are accepted although a misreading has them out of order. */
function sentencesOfOrder(flights: readonly JsonObject[]): readonly string[] {
  if (orderOf(flights) !== 'sorted') return [];
  const rules: string[] = [];
  for (const [at, leg] of flights.entries()) {
    const [start, end] = [utcOf(leg.departure_datetime), utcOf(leg.arrival_datetime)];
    if (start !== null && end !== null && end < start) rules.push('WCI-DT-025');
    const [begin] = instantsAt(leg.departure_datetime, zoneOf(leg.origin));
    if (begin !== undefined && (convertedEnd(leg) ?? Infinity) < begin) rules.push('WCI-DT-024');
    const next = flights[at + 1];
    if (next) rules.push('WCI-JRN-012', ...sentencesOfChange(leg, next));
  }
  return [...new Set(rules)];
}

function sentencesOfChange(leg: JsonObject, next: JsonObject): readonly string[] {
  const [departure] = instantsAt(next.departure_datetime, zoneOf(next.origin));
  const [clock, end] = [utcOf(next.departure_datetime), utcOf(leg.arrival_datetime)];
  if (departure === undefined || clock === null) return [];
  const start = utcOf(leg.departure_datetime);
  const before = Math.max(start ?? -Infinity, end ?? -Infinity);
  const [inOrigin] = instantsAt(leg.arrival_datetime, zoneOf(leg.origin));
  const applying = [
    ['WCI-JRN-011', before > clock],
    ['WCI-JRN-012 by the zone of the origin', inOrigin !== undefined && inOrigin > departure],
    ['WCI-DT-024', (convertedEnd(leg) ?? -Infinity) > departure],
  ] as const;
  return applying.flatMap(([rule, applies]) => (applies ? [rule] : []));
}

/** When a leg arrives for whoever converts the suffix of its arrival; null without one. */
function convertedEnd({ arrival_datetime: clock }: JsonObject): number | null {
  const [end, suffix] = [utcOf(clock), suffixOf(clock)];
  return end === null || suffix === null ? null : end - suffix;
}

function routeOf(flights: readonly JsonObject[]): string {
  return flights
    .map(({ airline, origin, destination }) => [airline, origin, destination].map(textOf).join(' '))
    .join(', ');
}

/** Whether nothing else in a request is a reason to refuse it. */
export function isPlain({ body, carrier }: Call): boolean {
  const asked = { operation: 'wci.subscribe', carrier: carrier === 'multipart' ? carrier : 'json' } as const;
  return (
    body !== null &&
    isMissing(body.callbackData) &&
    readForms(body, asked).every(({ kind }) => kind === 'free')
  );
}
