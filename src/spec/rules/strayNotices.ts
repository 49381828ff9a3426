import type { Delivery } from '../../core/evidence.ts';
import { isObject, type Json, type JsonObject } from '../../trace/body.ts';
import type { Step } from '../../trace/evidence.ts';
import type { Violation } from '../kernel/findings.ts';
import type { Flights } from '../world/flights.ts';
import { noticeOf } from '../world/upstream.ts';
import type { RegisteredLeg, Subscriptions } from '../world/subscriptions.ts';
import { legNameOf } from '../world/legs.ts';
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

interface Changed {
  readonly leg: string;
  readonly by: Step;
}

/** Notifications of a change of another leg than the one that is subscribed. One may come before the step that it follows has ended. */
export class StrayNotices {
  #waiting: readonly Strange[] = [];
  /** The latest changes of legs. */
  #changed: readonly Changed[] = [];
  readonly #subscriptions: Subscriptions;
  readonly #flights: Flights;

  constructor(subscriptions: Subscriptions, flights: Flights) {
    this.#subscriptions = subscriptions;
    this.#flights = flights;
  }

  /** After what upstream has since then is known; returns the sentences that notifications keep which came before. */
  step(step: Step): readonly string[] {
    if (!step.operation.startsWith('flights.')) return [];
    const leg = step.outcome === 'done' && step.params ? legNameOf(step.params) : '';
    if (step.operation === 'flights.change' && leg !== '')
      this.#changed = [...this.#changed, { leg, by: step }].slice(-mostWaiting);
    const early = this.#waiting.filter((one) => this.#strangeIn(one).length === 0);
    this.#waiting = this.#waiting.filter((one) => !early.includes(one));
    return early.flatMap((one) => this.#keptBy(one));
  }

  /** Returns the sentences that a notification keeps: it tells a change of its own leg, and changes of others before were not told. */
  deliver(delivery: Delivery): readonly string[] {
    const { fid, changes: told } = noticeOf(delivery) ?? {};
    const mine = typeof fid === 'string' ? this.#subscriptions.legOf(fid, delivery.registration) : null;
    if (typeof fid !== 'string' || !told || mine === null) return [];
    const one = { delivery, fid, told, mine };
    if (this.#strangeIn(one).length === 0) return this.#keptBy(one);
    this.#waiting = [...this.#waiting, one].slice(-mostWaiting);
    return [];
  }

  #keptBy({ mine, told, delivery }: Strange): readonly string[] {
    const isTold = ({ by: { params } }: Changed) =>
      telling.some((path) => {
        const value = valueAt(told, path);
        return isInformative(value) && isObject(params?.changes) && valueAt(params.changes, path) === value;
      });
    const own = this.#changed.findLastIndex((one) => one.leg === mine.name && isTold(one));
    const others = this.#changed
      .slice(0, Math.max(0, own))
      .filter(({ leg, by }) => leg !== mine.name && by.startedAt >= mine.since);
    const isOfFlight = others.some(({ leg }) => flightOf(leg) === flightOf(mine.name));
    const isPolled = others.some(({ leg }) => this.#subscriptions.isOnlyPolled(leg, mine.enterprise));
    const isShared = own >= 0 && this.#subscriptions.areAt(mine);
    const strays = this.#waiting.filter((one) => one.delivery.registration === delivery.registration);
    if (strays.length > 0) return [];
    return [
      ...(isOfFlight ? ['FLA-SUB-014'] : []),
      ...(isPolled ? ['FLA-CB-017'] : []),
      ...(isShared ? ['FLA-CB-023'] : []),
    ];
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
    // One of an address that several legs share names the wrong one of them.
    const isNamed = others.some(({ leg }) => this.#subscriptions.isAt(mine, leg));
    const pollers = others.flatMap(({ leg }) => this.#subscriptions.pollersOf(leg));
    if (!other || (!isNamed && pollers.length > 0 && !pollers.includes(mine.enterprise))) return null;
    return {
      rule: isNamed ? 'FLA-CB-023' : pollers.length > 0 ? 'FLA-CB-017' : 'FLA-SUB-014',
      ...{ code: 'known:other-leg', at: 'changes' },
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

function flightOf(leg: string): string {
  return leg.split(' ', 2).join(' ');
}

/** Blanks around a value and letter case are matters of their own. */
function isAlike(one: Json | undefined, other: string): boolean {
  return typeof one === 'string' && one.trim().toLowerCase() === other.trim().toLowerCase();
}

function isInformative(value: Json | undefined): value is string {
  return typeof value === 'string' && /[A-Za-z0-9]/.test(value);
}
