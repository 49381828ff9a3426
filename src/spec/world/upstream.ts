import { RecentMap } from '../../core/recentMap.ts';
import { isObject, type JsonObject, type Json } from '../../trace/body.ts';
import type { Call } from '../../trace/call.ts';
import type { Step } from '../../trace/evidence.ts';
import { Flights, merged } from './flights.ts';
import { flightAskedIn, flightOf, legNameOf, routeOf, shownLegs } from './legs.ts';
import type { Delivery, Exchange } from '../../core/evidence.ts';
import type { Trait } from '../kernel/blame.ts';
import type { Mark } from './hookedRecord.ts';
import { deliveredObject } from '../../trace/delivered.ts';
import { legPaths } from '../grammar/legSnapshot.ts';
import { valueAt } from '../rules/legMembers.ts';

/** A leg as it was shown. */
interface Leg {
  /** As the latest answer showed it, with what changed since; null before the first. */
  shown: JsonObject | null;
  /** Whether an answer showed it since the latest change. */
  isSeen: boolean;
  /** When the latest change ended, in epoch milliseconds. */
  changedAt: number;
}

/** Something that upstream reported of a leg. */
export interface LegChange {
  readonly name: string;
  readonly leg: Leg;
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly changes: JsonObject;
  /** The leg as it was shown before; null where that is not known. */
  readonly shown: JsonObject | null;
}

const mostLegs = 2_000;

/** What upstream reports of the legs that a state handler has put there. */
export class Upstream {
  readonly #flights = new Flights();
  #legs = new RecentMap<string, Leg>(mostLegs);

  has(name: string): boolean {
    return this.#flights.legOf(name) !== null;
  }

  /** Takes note of what the state handler did; returns the change of a leg. */
  note(step: Step): LegChange | null {
    const { operation, params, endedAt } = step;
    const name = legNameOf(params ?? {});
    const before = this.#flights.legOf(name);
    this.#flights.step(step);
    if (operation === 'flights.put') this.#forget(params && flightOf(params));
    const changes = params?.changes;
    const after = operation === 'flights.change' ? this.#flights.legOf(name) : null;
    if (!before || !after || before === after || !isObject(changes)) return null;
    const leg = this.#legOf(name, endedAt);
    const { shown } = leg;
    Object.assign(leg, { shown: shown && merged(shown, changes), isSeen: false, changedAt: endedAt });
    return { name, leg, before, after, changes, shown };
  }

  /** Takes note of the legs that an answer shows. */
  see(call: Call): void {
    if (this.#flights.isEmpty) return;
    const { exchange, sentAt } = call;
    const flight = flightOf(flightAskedIn(call) ?? {});
    if (this.#flights.of(flight) === null) return;
    for (const { leg: shown } of shownLegs(exchange)) {
      const name = `${flight} ${routeOf(shown).replace('-', ' ')}`;
      const leg = this.has(name) ? this.#legOf(name, this.#flights.changedAt(name)) : null;
      if (leg && sentAt >= leg.changedAt) Object.assign(leg, { shown, isSeen: true });
    }
  }

  #legOf(name: string, changedAt: number): Leg {
    const known = this.#legs.get(name) ?? { shown: null, isSeen: false, changedAt };
    this.#legs.set(name, known);
    return known;
  }

  #forget(flight: string | null): void {
    if (flight === null) this.#legs = new RecentMap<string, Leg>(mostLegs);
    else
      for (const name of [...this.#legs.keys()]) if (name.startsWith(`${flight} `)) this.#legs.delete(name);
  }
}

/** When a leg departs at the earliest, in epoch milliseconds. */
export function departureOf({ name, before }: LegChange): number {
  const { departure } = before;
  const { scheduledTime: clock, utcOffsetSeconds: offset } = isObject(departure) ? departure : {};
  const local = typeof clock === 'string' ? Date.parse(`${clock.replace(' ', 'T')}Z`) : Number.NaN;
  const at = local - Number(offset ?? Number.NaN) * 1000;
  // Somewhere it is that day fourteen hours earlier.
  return Number.isNaN(at) ? Date.parse(name.split(' ')[1] ?? '') - 14 * 3_600_000 : at;
}

/** A callback of a leg, with what was delivered to it. */
export interface Subscriber {
  /** Of its leg. */
  readonly name: string;
  readonly url: string;
  readonly fid: string;
  /** The enterprise. */
  readonly owner: string;
  readonly by: Exchange;
  /** The leg as it was shown when it was registered. */
  readonly registered: JsonObject;
  /** What sets it apart from other callbacks. */
  readonly traits: Set<Trait>;
  /** Requests since it was last notified, by the sentences that they must not have broken. */
  readonly since: Set<Trait>;
  /** Changes whose notices are not judged yet, with what came since the first of them. */
  owed: readonly Owed[];
  /** When the last of them was made. */
  owedAt: Mark;
  /** The changes right before, if nothing came of them and nothing had to. */
  unsaid: readonly LegChange[];
  notices: readonly FlightNotice[];
  /** What came before, which may come again. */
  earlier: readonly FlightNotice[];
  /** Another leg has the same address and fid, or its notices name another one. */
  isUnsure: boolean;
  /** Since when no delivery was answered 2xx, by the deployment's clock; null where the latest one was. */
  failingSince: number | null;
  wasRedirected: boolean;
  /** When a delivery was first answered 410, after which an address might be given up; epoch milliseconds. */
  goneAt: number;
  /** The latest notice, if it was not answered 2xx. */
  failed: FlightNotice | null;
  /** Upstream has reported a change that changed nothing, or a notice without fields came before any had failed. */
  mayTellNothing: boolean;
  /** For how many milliseconds in a row deliveries had failed at most. */
  longestMs: number;
}

/** What is known about the notices of some changes. */
export interface Due {
  readonly subscriber: Subscriber;
  readonly changes: readonly Owed[];
  /** No more can come. */
  readonly isOver: boolean;
  /** What came at the moment of the next change may be about either. */
  readonly doubtful: readonly FlightNotice[];
}

/** What has to be so, as the world comes to know of it. */
export interface NoticeRules {
  /** Whether all that changed is told. */
  readonly isTold: (due: Due) => boolean;
  readonly judge: (due: Due) => void;
  /** A notice came to an address that nobody registered, after a redirect answer. */
  readonly followed: (notice: Delivery, subscriber: Subscriber) => void;
  /** A notice without fields came in place of one that failed. */
  readonly emptied: (notice: FlightNotice, failed: FlightNotice) => void;
  /** The next one after a redirect answer came to the registered address. */
  readonly stayed: (subscriber: Subscriber) => void;
}

/** A change that a subscriber has to be notified of. */
export interface Owed extends LegChange {
  /** For how many milliseconds all deliveries had not been answered 2xx by then. */
  readonly failingMs: number;
  /** Whether they had failed for so long, or in such a way, that the address might be given up. */
  readonly failed: 'gone' | 'long' | null;
  /** What set the callback apart by then. */
  readonly traits: readonly Trait[];
  readonly since: readonly Trait[];
  /** The date of the leg is past in UTC. */
  readonly isPast: boolean;
}

/** A flight change notification as it was delivered (Flight Alerts, Events); nothing in it is trusted. */
export interface FlightNotice {
  readonly delivery: Delivery;
  readonly fid: Json | undefined;
  readonly changes: JsonObject;
}

/** The notification of a delivery, read as leniently as possible; null where it has no `changes` to read. */
export function noticeOf(delivery: Delivery): FlightNotice | null {
  const body = deliveredObject(delivery);
  return body && isObject(body.changes) ? { delivery, fid: body.fid, changes: body.changes } : null;
}

/** Those of the deliveries that can be read. */
export function noticesOf(deliveries: readonly Delivery[]): readonly FlightNotice[] {
  return deliveries.flatMap((delivery) => noticeOf(delivery) ?? []);
}

/** What notifications may report: the members of a snapshot one by one, and alternateInfo as a whole. */
export const toldPaths: readonly string[] = [...legPaths, 'alternateInfo'];

/**
 * The value that `changes` reports at a path; undefined if there is none. A flat member counts as the nested one, since
 * nesting is a rule of its own, and a stopover of null for one without values (FLA-OPN-029).
 */
export function toldAt(changes: JsonObject, path: string): Json | undefined {
  if (changes[path] !== undefined) return changes[path];
  if (path.startsWith('stopover.') && changes.stopover === null) return null;
  return valueAt(changes, path);
}

/** The paths at which `changes` has a value. */
export function toldIn(changes: JsonObject): readonly string[] {
  return toldPaths.filter((path) => toldAt(changes, path) !== undefined);
}
