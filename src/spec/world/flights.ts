import { RecentMap } from '../../core/recentMap.ts';
import { isObject, type Json, type JsonObject } from '../../trace/body.ts';
import type { Call } from '../../trace/call.ts';
import type { Step } from '../../trace/evidence.ts';
import { flightName, requestedLeg, routeOf, shownLegs } from './legs.ts';

/** How long what upstream had before may still be shown: how long it may be kept is not stated. In milliseconds. */
export const keptMs = 60_000;
/** So many states of a flight are kept; of one with as many, earlier ones may be missing. */
const mostStates = 40;

/** What upstream has of a flight on a date since a step of the state handler. */
export interface State {
  readonly legs: readonly JsonObject[];
  readonly by: Step;
}

/** A flight that the state handler has made. */
export interface Flight {
  readonly name: string;
  /** The latest one last; none where it is not known. */
  states: readonly State[];
  /** Whether a request had been about it before it was made. */
  readonly wasAsked: boolean;
  /** Whether an answer has shown a leg of its latest state. */
  isFound: boolean;
}

/** How upstream fails, and since when. */
interface Failure {
  readonly mode: string;
  readonly by: Step;
}

/** What upstream has, as far as the state handler says so. */
export class Flights {
  readonly #byName = new RecentMap<string, Flight>(2_000);
  /** When a flight was first asked about, in epoch milliseconds. */
  readonly #asked = new RecentMap<string, number>(8_000);
  /** The routes of the legs that the latest lookup of a flight has shown. */
  readonly #listed = new RecentMap<string, ReadonlySet<string>>(2_000);
  /** Legs whose subscription could not be confirmed. */
  readonly #untracked = new RecentMap<string, true>(2_000);
  /** Null while upstream works, undefined where nobody knows. */
  failure: Failure | null | undefined = null;
  /** When it worked again, in epoch milliseconds. */
  workingSince = 0;
  /**
   * Whether answers have shown what the handler has put, and what it has changed, since it may not do what it says; and the code of
   * what is not found.
   */
  readonly shows = { put: false, change: false, code: false };

  get forgotten(): number {
    return this.#byName.forgotten;
  }

  of(name: string | null): Flight | null {
    return name === null ? null : (this.#byName.get(name) ?? null);
  }

  get isEmpty(): boolean {
    return this.#byName.size === 0;
  }

  /** Everything that upstream has had of a leg, the latest last; none where that is not known. */
  legsOf(name: string): readonly JsonObject[] {
    const states = this.#statesOf(name);
    return states.length >= mostStates ? [] : states.flatMap((state) => legsIn(state, name));
  }

  /** What upstream has of a leg; null where that is not known, or two have its name. */
  legOf(name: string): JsonObject | null {
    const latest = this.#statesOf(name).at(-1);
    const [leg = null, ...others] = latest ? legsIn(latest, name) : [];
    return others.length === 0 ? leg : null;
  }

  /** When the latest change of the flight of a leg ended, in epoch milliseconds. */
  changedAt(name: string): number {
    return this.#statesOf(name).at(-1)?.by.endedAt ?? 0;
  }

  #statesOf(name: string): readonly State[] {
    return this.of(name.split(' ', 2).join(' '))?.states ?? [];
  }

  /** Flights that have been made, for an answer that may show the legs of another one. */
  all(): Iterable<Flight> {
    return this.#byName.values();
  }

  /** Whether no request was about a flight yet. */
  isNew(name: string): boolean {
    return !this.#asked.has(name) && this.#asked.forgotten === 0;
  }

  /** Takes note that somebody asked about a flight: from then on what upstream has may be kept. */
  ask(name: string | null, call: Call): void {
    const { sentAt, op, status, exchange } = call;
    if (name === null) return;
    if (!this.#asked.has(name)) this.#asked.set(name, sentAt);
    const shown = shownLegs(exchange).map(({ leg }) => routeOf(leg));
    if (op === 'fla.lookup' && shown.length > 0) this.#listed.set(name, new Set(shown));
    if (op !== 'fla.subscribe' || status !== 502) return;
    const leg = requestedLeg(exchange);
    if (leg && this.failure?.mode === 'subscription') this.#untracked.set(leg.name, true);
  }

  /** Whether the latest lookup of a flight has shown legs, and not this one. */
  isUnlisted(leg: string): boolean {
    const [number, date, from, to] = leg.split(' ');
    const listed = this.#listed.get(`${number} ${date}`);
    return listed !== undefined && !listed.has(`${from}-${to}`);
  }

  /** Whether a subscribe to a leg could not be confirmed while upstream failed. */
  hasFailed(leg: string): boolean {
    return this.#untracked.has(leg);
  }

  /** The states that an answer may show: the latest one first. */
  statesFor({ name, states }: Flight, { sentAt }: Call): readonly State[] {
    const asked = this.#asked.get(name) ?? 0;
    return states.toReversed().filter((_, back, all) => {
      const next = all[back - 1];
      return next === undefined || (asked < next.by.endedAt && sentAt < next.by.endedAt + keptMs);
    });
  }

  /** Whether an answer may be as it was before the flight was made. */
  mayBeBefore({ states: [first], wasAsked }: Flight, { sentAt }: Call): boolean {
    return first !== undefined && wasAsked && sentAt < first.by.endedAt + keptMs;
  }

  step(step: Step): void {
    const { operation, params, outcome } = step;
    if (outcome === 'refused') return;
    if (operation === 'provider.fail') this.#fail(step);
    if (operation !== 'flights.put' && operation !== 'flights.change') return;
    if (params === null) for (const flight of this.#byName.values()) flight.states = [];
    const name = params && flightName(params);
    if (name === null || params === null) return;
    const known = this.#byName.get(name);
    const legs = outcome === 'done' ? legsAfter(step, known?.states.at(-1)) : null;
    if (legs !== null) this.#make(name, { legs, by: step });
    else if (known) known.states = [];
  }

  #make(name: string, state: State): void {
    const known = this.#byName.get(name);
    if (known) {
      known.states = [...known.states, state].slice(-mostStates);
      known.isFound = false;
      return;
    }
    const wasAsked = this.#asked.forgotten > 0 || this.#asked.has(name);
    this.#byName.set(name, { name, states: [state], wasAsked, isFound: false });
  }

  #fail(step: Step): void {
    const mode = step.params?.mode;
    if (step.outcome !== 'done') this.failure = undefined;
    else this.failure = typeof mode === 'string' ? { mode, by: step } : null;
    this.workingSince = step.endedAt;
  }
}

/** The legs of a name, such as `EK3 2026-03-09 DXB SIN`. */
function legsIn({ legs }: State, name: string): readonly JsonObject[] {
  const route = name.split(' ').slice(2).join('-');
  return legs.filter((leg) => routeOf(leg) === route);
}

/** The legs after a step; null where they are not known. */
function legsAfter({ operation, params }: Step, before: State | undefined): readonly JsonObject[] | null {
  const { legs, changes } = params ?? {};
  if (operation === 'flights.put')
    return Array.isArray(legs) && (legs as readonly Json[]).every(isObject) ? (legs as JsonObject[]) : null;
  if (!before || !isObject(changes)) return null;
  const isChanged = (leg: JsonObject) =>
    airportOf(leg.departure) === params?.departureAirportIata &&
    airportOf(leg.arrival) === params?.arrivalAirportIata;
  return before.legs.map((leg) => (isChanged(leg) ? merged(leg, changes) : leg));
}

function airportOf(end: Json | undefined): Json | undefined {
  return isObject(end) ? end.airportIata : undefined;
}

/** Changes are merged field by field; alternateInfo is replaced whole. */
export function merged(leg: JsonObject, changes: JsonObject): JsonObject {
  const members = Object.entries(changes).map(([name, value]) => {
    const before = leg[name];
    return [name, isObject(before) && isObject(value) ? { ...before, ...value } : value] as const;
  });
  return { ...leg, ...Object.fromEntries<Json | undefined>(members) };
}
