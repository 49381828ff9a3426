import { RecentMap } from '../../core/recentMap.ts';
import type { Call } from '../../trace/call.ts';
import type { Violation } from '../kernel/findings.ts';
import * as is from '../kernel/value.ts';
import type { Flights } from '../world/flights.ts';
import { flightName, routeOf, shownLegs } from '../world/legs.ts';
import { spellingRule } from './spellings.ts';
import { codeOf, type Show } from './suspect.ts';

/** What plain lookups of a flight have shown so far, always the same. */
interface Shown {
  readonly call: Call;
  readonly legs: string;
  /** Answers to other enterprises and to other spellings that differ, and the sentence that says that they do not. */
  other: readonly { readonly rule: string; readonly call: Call; readonly got: string }[];
}

const mostFlights = 2_000;

/** A flight has the same legs whoever asks and however its number is spelled; what a plain lookup shows before and after tells that none changed. */
export class SameLegs {
  readonly #byName = new RecentMap<string, Shown | 'changing'>(mostFlights);
  #violations: readonly Violation[] = [];

  learn(call: Call, world: Flights, show: Show): void {
    const name = call.op === 'fla.lookup' ? flightName(call.query) : null;
    const legs = legsIn(call);
    if (name === null || legs === null || call.keyState !== 'active' || Object.keys(call.query).length > 2)
      return;
    // What the state handler has changed may be shown late.
    if (world.failure !== null || (world.of(name)?.states.length ?? 1) > 1) return;
    const rule = spellingRule(call, name);
    const known = this.#byName.get(name);
    if (known === 'changing' || call.exchange.request.target.includes('+')) return;
    const isOther = known !== undefined && known.call.enterprise !== call.enterprise;
    if (rule === null && !isOther) this.#plain(name, known, { call, legs, other: [] });
    // Of both at once nobody can tell which it is.
    else if (known && (rule === null || !isOther))
      this.#compare(known, rule ?? 'FLA-GET-034', { call, legs }, show);
  }

  end(): readonly Violation[] {
    return this.#violations;
  }

  get forgotten(): number {
    return this.#byName.forgotten;
  }

  #plain(name: string, known: Shown | undefined, now: Shown): void {
    if (known && known.legs !== now.legs) return void this.#byName.set(name, 'changing');
    this.#byName.set(name, now);
    for (const { rule, call, got } of known?.other ?? []) {
      const want = is.text(`${told(now.legs)}, as before and after it`);
      const because = [now.call.exchange, call.exchange];
      this.#violations = [
        ...this.#violations,
        { rule, code: 'other-legs', at: 'body', want, got: is.text(got), because },
      ];
    }
  }

  #compare(known: Shown, rule: string, { call, legs }: Omit<Shown, 'other'>, show: Show): void {
    if (known.legs !== legs) known.other = [...known.other, { rule, call, got: told(legs) }];
    else if (legs !== '') show(rule);
  }
}

/** The legs of an answer in one text, blank where the flight is not found; null where it does not tell. */
function legsIn(call: Call): string | null {
  if (call.status === 404) return codeOf(call) === 'FLIGHT_NOT_FOUND' ? '' : null;
  if (call.status !== 200 || !Array.isArray(call.answer)) return null;
  const routes = shownLegs(call.exchange).map(({ leg }) => routeOf(leg));
  return routes.some((route) => /^-|-$/.test(route)) ? null : routes.toSorted().join(', ');
}

function told(legs: string): string {
  return legs === '' ? 'no legs' : `the legs ${legs}`;
}
