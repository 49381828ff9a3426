import type { Exchange } from '../../core/evidence.ts';
import { RecentMap } from '../../core/recentMap.ts';
import type { JsonObject } from '../../trace/body.ts';
import type { Call } from '../../trace/call.ts';
import { digestOf } from '../../trace/digest.ts';
import { isMissing, textOf } from '../grammar/form.ts';
import { only, type Blame } from '../kernel/blame.ts';
import * as is from '../kernel/value.ts';
import { areObjects } from '../world/changes.ts';
import { instantsAt, utcOf, zoneOf } from '../world/departure.ts';
import { departureIn, isPlain, leadMs, outcomeOf, type Moment } from './journeys.ts';
import { answerOf } from './suspect.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** So far ahead a departure is one of many days ahead, and within any horizon of bookings. */
const [leastAhead, mostAhead] = [10 * dayMs, 60 * dayMs];
/** Nearer than this a departure may be past by the deployment's clock, and malformed for that. */
const nearestMs = 600_000;
const slackMs = 60_000;
const mostTrips = 1000;
const mostDoubts = 200;

/** When a trip departs, and how far ahead that is. */
interface Day {
  readonly departure: number;
  readonly lead: number;
}

/** The days on which a trip was accepted. */
interface Days {
  readonly first: number;
  readonly last: number;
  readonly mostAhead: number;
  /** The acceptance of its last day. */
  readonly by: Exchange;
}

interface Refused extends Day {
  readonly call: Call;
  readonly trip: string;
  readonly isLeapDay: boolean;
}

/** Whether a trip is accepted depends on its day and hour by the lead time and a horizon alone. */
export class OtherDays {
  readonly #blame: Blame;
  /** By all that a booking has besides its locator and its day. */
  readonly #accepted = new RecentMap<string, Days>(mostTrips);
  /** The greatest lead that any trip was accepted with. */
  #mostAhead = -Infinity;
  /** The first internal error for an hour or a zone of a kind, with the number of subscribes that were answered by then. */
  readonly #failed = new Map<string, { readonly by: Exchange; readonly answers: number }>();
  #answers = 0;
  #refused: readonly Refused[] = [];

  constructor(blame: Blame) {
    this.#blame = blame;
  }

  judge(call: Call, moment: Moment): void {
    const flights = call.body?.flights;
    if (call.carrier !== 'json' || call.keyState !== 'active' || !areObjects(flights)) return;
    this.#judgeError(call, flights);
    const departure = departureIn(flights);
    if (departure === null) return;
    const day = { departure, lead: departure - moment.to };
    const isLeapDay = /^\s*\d{4}-02-29/.test(textOf(flights[0]?.departure_datetime));
    const outcome = outcomeOf(call);
    if (outcome === 'accepted' || outcome === 'repeated') this.#show(flights, day, isLeapDay);
    if (outcome === 'accepted') this.#accept(call, flights, day);
    const isRefused = outcome === 'rejected' || call.status === 400;
    const isNear = call.status === 400 && day.lead > nearestMs && day.lead < leadMs - slackMs;
    if (isRefused && (isNear || day.lead > dayMs) && flights.every(isPreferred) && isPlain(call))
      this.#refused = [...this.#refused, { call, ...day, isLeapDay, trip: tripOf(call, flights) }].slice(
        -mostDoubts,
      );
  }

  /** Somebody else has moved the clock: how far ahead a day was since then is not known. */
  doubtSince(at: number): void {
    this.#refused = this.#refused.filter(({ call }) => call.receivedAt < at);
  }

  /** Whether the deployment judges how far ahead a day is by our clock may not be known. */
  end(isOff: boolean): void {
    for (const refused of this.#refused) {
      const days = this.#accepted.get(refused.trip);
      const rule = days ? this.#brokenBy(refused, days) : null;
      const isClose = refused.lead < leadMs;
      const want = isClose ? is.answer(422, 'for the journey alone') : is.accepted;
      if (days && rule !== null && !(isClose && isOff)) this.#accuse(rule, refused.call, want, days.by);
    }
    this.#refused = [];
  }

  #show(flights: readonly JsonObject[], { lead }: Day, isLeapDay: boolean): void {
    if (flights.some(isPreferred)) this.#blame.show('WCI-DT-001');
    if (isLeapDay) this.#blame.show('WCI-DT-019');
    if (lead >= leastAhead && lead <= mostAhead) this.#blame.show('WCI-JRN-020');
  }

  #accept(call: Call, flights: readonly JsonObject[], { departure, lead }: Day): void {
    this.#mostAhead = Math.max(this.#mostAhead, lead);
    if (!flights.every(isPreferred)) return;
    const trip = tripOf(call, flights);
    const known = this.#accepted.get(trip);
    const isLast = known === undefined || departure > known.last;
    this.#accepted.set(trip, {
      first: Math.min(known?.first ?? departure, departure),
      last: isLast ? departure : known.last,
      mostAhead: Math.max(known?.mostAhead ?? lead, lead),
      by: isLast ? call.exchange : known.by,
    });
  }

  /** What else a refusal may be for, is told by other days of the same trip. */
  #brokenBy({ call, departure, lead, isLeapDay }: Refused, days: Days): string | null {
    if (lead < leadMs) return 'WCI-JRN-001';
    const isFurther = days.last > departure && days.mostAhead >= lead;
    // 422 may be about what flies on that day.
    if (isFurther && isLeapDay) return call.status === 400 || days.first < departure ? 'WCI-DT-019' : null;
    if (isFurther) return call.status === 400 ? 'WCI-DT-001' : null;
    const isBeyond = days.last < departure && this.#mostAhead < lead;
    return isBeyond && lead >= leastAhead && lead <= mostAhead ? 'WCI-JRN-020' : null;
  }

  /** One internal error may be an accident: the same kind of hour or zone again, with other subscribes answered in between, is none. */
  #judgeError(call: Call, flights: readonly JsonObject[]): void {
    if (call.status === null) return;
    const kind = oddityOf(flights[0]);
    if (call.status !== 500) {
      if (call.status < 500) this.#answers += 1;
      if (kind !== null) this.#failed.delete(kind);
      return;
    }
    if (kind === null || !flights.every(isPreferred) || !isPlain(call)) return;
    const before = this.#failed.get(kind);
    if (!before) this.#failed.set(kind, { by: call.exchange, answers: this.#answers });
    else if (before.answers < this.#answers)
      this.#accuse('WCI-DT-001', call, { kind: 'other-than', statuses: [500] }, before.by);
  }

  #accuse(rule: string, call: Call, want: is.Value, before: Exchange): void {
    const because = [before, call.exchange];
    this.#blame.accuse(only(rule), 'day', {
      ...{ code: 'journey', at: 'answer', want, got: answerOf(call), because },
    });
  }
}

function isPreferred({ departure_datetime: start, arrival_datetime: end }: JsonObject): boolean {
  return preferred.test(textOf(start)) && (isMissing(end) || preferred.test(textOf(end)));
}

const preferred = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;

/** All that a booking has but its locator and its day. */
function tripOf({ enterprise, body }: Call, flights: readonly JsonObject[]): string {
  const { pnr: _pnr, flights: _flights, ...rest } = body ?? {};
  const start = utcOf(flights[0]?.departure_datetime) ?? 0;
  const since = (clock: unknown) => (isMissing(clock) ? null : (utcOf(clock) ?? 0) - start);
  const legs = flights.map(({ departure_datetime: from, arrival_datetime: to, ...leg }) => ({
    ...leg,
    clocks: [since(from), since(to)],
  }));
  return digestOf(enterprise, rest, legs);
}

/** What is unusual about the hour or the zone of a departure; null for most. */
function oddityOf({ departure_datetime: clock, origin }: JsonObject = {}): string | null {
  const [utc, zone] = [utcOf(clock), zoneOf(origin)];
  if (utc === null || zone === null) return null;
  const [instant, ...more] = instantsAt(clock, zone);
  if (instant === undefined || more.length > 0) return instant === undefined ? 'skipped' : 'repeated';
  const offset = utc - instant;
  return offset % hourMs !== 0 || Math.abs(offset) > 12 * hourMs ? `ahead by ${offset}` : null;
}
