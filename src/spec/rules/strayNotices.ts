import type { Delivery } from '../../core/evidence.ts';
import { isObject, type Json, type JsonObject } from '../../trace/body.ts';
import type { Step } from '../../trace/evidence.ts';
import type { Violation } from '../kernel/findings.ts';
import type { Flights } from '../world/flights.ts';
import { noticeOf } from '../world/upstream.ts';
import type { RegisteredLeg, Subscriptions } from '../world/subscriptions.ts';
import { valueAt } from './legMembers.ts';

/** Members whose value tells one leg from another: words and times are those of many legs, and may be rewritten. */
const telling = ['departure.gate', 'departure.terminal', 'arrival.terminal', 'arrival.baggageBelt'];
const mostWaiting = 200;

/** What a notification reports that is none of what its leg has had. */
interface Strange {
  readonly delivery: Delivery;
  readonly fid: string;
  readonly told: JsonObject;
  readonly mine: RegisteredLeg;
}

/** Notifications of a change of another leg than the one that is subscribed. One may come before the step that it follows has ended. */
export class StrayNotices {
  #waiting: readonly Strange[] = [];
  readonly #subscriptions: Subscriptions;
  readonly #flights: Flights;

  constructor(subscriptions: Subscriptions, flights: Flights) {
    this.#subscriptions = subscriptions;
    this.#flights = flights;
  }

  /** After what upstream has since then is known. */
  step({ operation }: Step): void {
    if (operation.startsWith('flights.'))
      this.#waiting = this.#waiting.filter((one) => this.#strangeIn(one).length > 0);
  }

  deliver(delivery: Delivery): void {
    const { fid, changes: told } = noticeOf(delivery) ?? {};
    const mine = typeof fid === 'string' ? this.#subscriptions.legOf(fid, delivery.registration) : null;
    if (typeof fid !== 'string' || !told || mine === null) return;
    const one = { delivery, fid, told, mine };
    if (this.#strangeIn(one).length > 0) this.#waiting = [...this.#waiting, one].slice(-mostWaiting);
  }

  end(): readonly Violation[] {
    const all = this.#waiting.flatMap((one) => this.#violationOf(one) ?? []);
    const ofOthers = all.filter(({ rule }) => rule === 'FLA-SUB-014');
    // Where changes of any leg are told, it is not that this one is polled only.
    return ofOthers.length > 0 ? ofOthers : all;
  }

  #violationOf(one: Strange): Violation | null {
    const { mine, told, delivery, fid } = one;
    const strange =
      this.#subscriptions.legOf(fid, delivery.registration)?.name === mine.name ? this.#strangeIn(one) : [];
    const others = changesOf(this.#flights).filter(
      ({ leg, changes }) =>
        leg !== mine.name && strange.some((path) => valueAt(changes, path) === valueAt(told, path)),
    );
    const other = others.at(-1);
    const pollers = others.flatMap(({ leg }) => this.#subscriptions.pollersOf(leg));
    if (!other || (pollers.length > 0 && !pollers.includes(mine.enterprise))) return null;
    return {
      ...{ rule: pollers.length > 0 ? 'FLA-CB-017' : 'FLA-SUB-014', code: 'known:other-leg', at: 'changes' },
      ...{ want: `changes of ${mine.name} alone`, got: `a change of ${other.leg}` },
      because: [other.by, delivery],
    };
  }

  /** The members at which something is reported that upstream never had of the leg; none where what it had is not known. */
  #strangeIn({ told, mine }: Strange): readonly string[] {
    const own = this.#flights.legsOf(mine.name);
    if (own.length === 0) return [];
    return telling.filter((path) => {
      const value = valueAt(told, path);
      return isInformative(value) && !own.some((leg) => isAlike(valueAt(leg, path), value));
    });
  }
}

/** All changes of legs, as upstream was told to report them. */
function changesOf(flights: Flights) {
  return [...flights.all()].flatMap(({ name, states }) =>
    states.flatMap(({ by }) => {
      const { departureAirportIata: from, arrivalAirportIata: to, changes } = by.params ?? {};
      const isTold = typeof from === 'string' && typeof to === 'string' && isObject(changes);
      return isTold ? [{ leg: `${name} ${from} ${to}`, changes, by }] : [];
    }),
  );
}

/** Blanks around a value and letter case are matters of their own. */
function isAlike(one: Json | undefined, other: string): boolean {
  return typeof one === 'string' && one.trim().toLowerCase() === other.trim().toLowerCase();
}

function isInformative(value: Json | undefined): value is string {
  return typeof value === 'string' && /[A-Za-z0-9]/.test(value);
}
