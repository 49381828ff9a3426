import type { Delivery, Exchange } from '../../core/evidence.ts';
import { cleanFlightNumber } from '../../spec/world/legs.ts';
import { dateOf, responseOf, type Json, type JsonObject } from '../../judge/kernel/body.ts';
import { parseTimestamp } from '../../spec/kit/timestamp.ts';
import { sightsIn } from '../../spec/world/sights.ts';
import { callOf } from '../../trace/call.ts';
import type { Finding } from '../findings/finding.ts';

/** A clock that was moved by less is not looked at. */
const clockSlackMs = 60_000;
/** So many answers have to show that a state was not set, and none that it was. */
const leastSigns = 2;

interface Signs {
  /** Whether some evidence shows that the state was set, at least once. */
  isShown: boolean;
  /** Answers that show the opposite. */
  readonly against: Set<string>;
}

/** States that a handler only said it had set. */
export interface Ineffective {
  /** Their names, and what shows it, in words. */
  readonly states: readonly string[];
  /** Whether a finding of this check rests on one of them. */
  readonly spoils: (check: string, finding: Pick<Finding, 'decisive' | 'exchanges'>) => boolean;
}

/**
 * Whether states that the handler confirmed took effect, as far as the traffic of the run shows it by the way. A deployment is
 * not to blame for what the handler only said: if nothing shows a state and several answers show the opposite, findings that
 * rest on it do not count.
 */
export class StateTrust {
  #foreign: string | null = null;
  readonly #uses = new Map<string, Set<string>>();
  readonly #flights: Signs = { isShown: false, against: new Set() };
  readonly #records: Signs = { isShown: false, against: new Set() };
  readonly #keys = new Map<string, Signs>();
  readonly #put = new Set<string>();
  readonly #moved = new Set<string>();
  readonly #changes: Signs = { isShown: false, against: new Set() };
  readonly #clock: Signs = { isShown: false, against: new Set() };
  /** How far the clock of the deployment was ahead of ours at first, and how far it was moved since. */
  #aheadMs: number | null = null;
  #movedMs = 0;
  /** Texts that flights were changed to, by the name of the flight. */
  readonly #changed = new Map<string, readonly string[]>();

  /** Why nothing rests on the handler, in words: it is that of another deployment. */
  get foreign(): string | null {
    return this.#foreign;
  }

  /** The handler is that of the deployment, which need not show that its clock was moved. */
  own(): void {
    this.#clock.isShown = true;
  }

  /** No state of this handler is set any more. */
  disown(why: string): void {
    this.#foreign = why;
  }

  /** A check has set a state by itself. */
  used(check: string, state: string): void {
    const states = this.#uses.get(check) ?? new Set();
    this.#uses.set(check, states.add(state));
  }

  /** The handler confirms that it has set a state. */
  confirmed(state: string, params: JsonObject): void {
    const { flightNumber, departureDate, legs, checkin_id: id, status } = params;
    const name = nameOf(flightNumber, departureDate);
    if (state === 'flights.put' && name !== null) {
      if (Array.isArray(legs) && legs.length > 0) this.#put.add(name);
      else this.#put.delete(name);
    }
    if (state === 'flights.change') this.#changed.set(name ?? '', textsIn(params.changes));
    if (state === 'checkin.progress' && typeof id === 'string' && status !== 'SCHEDULED') this.#moved.add(id);
    if (state === 'clock.advance') this.#movedMs += Number(params.seconds) * 1000;
    if (state === 'reset') this.#forget();
  }

  see(exchange: Exchange): void {
    this.#seeKey(exchange);
    if (this.#put.size > 0 && !this.#flights.isShown) this.#seeFlight(exchange);
    if (this.#moved.size > 0 && !this.#records.isShown) this.#seeRecords(exchange);
    if (this.#changed.size > 0 && !this.#changes.isShown) this.#seeChange(exchange);
    if (!this.#clock.isShown) this.#seeClock(exchange);
  }

  seeDelivery({ body }: Pick<Delivery, 'body'>): void {
    if (this.#records.isShown && this.#changes.isShown) return;
    const text = Buffer.from(body).toString('utf8');
    if ([...this.#moved].some((id) => text.includes(id))) note(this.#records, '', true);
    if ([...this.#changed.values()].flat().some((value) => text.includes(value)))
      note(this.#changes, '', true);
  }

  /** The states that never took effect; null if there is none. */
  ineffective(): Ineffective | null {
    const keys = this.#refusedKeys();
    const isFlight = isIneffective(this.#flights);
    const isRecord = isIneffective(this.#records);
    const isChange = isIneffective(this.#changes);
    const isClock = isIneffective(this.#clock);
    const states = [
      ...(keys.length > 0 ? ['keys.issue or enterprise.create (keys that it gave out are refused)'] : []),
      ...(isFlight ? ['flights.put (no flight that it put is found)'] : []),
      ...(isChange ? ['flights.change (no flight that it changed shows that)'] : []),
      ...(isClock ? ['clock.advance (no answer shows that the clock was moved)'] : []),
      ...(isRecord ? ['checkin.progress (no record that it moved shows another status)'] : []),
    ];
    if (states.length === 0) return null;
    const shown = new Set([...keys, ...(isFlight ? this.#flights.against : [])]);
    const spoils: Ineffective['spoils'] = (check, { decisive, exchanges }) => {
      const uses = this.#uses.get(check);
      return (
        shown.has(decisive ?? exchanges.at(-1) ?? '') ||
        (isFlight && uses?.has('flights.put') === true) ||
        (isChange && uses?.has('flights.change') === true) ||
        (isClock && uses?.has('clock.advance') === true) ||
        (isRecord && uses?.has('checkin.progress') === true)
      );
    };
    return { states, spoils };
  }

  /** Answers to keys that were given out and never accepted. */
  #refusedKeys(): readonly string[] {
    const refused = [...this.#keys.values()].filter(({ isShown }) => !isShown);
    const answers = refused.flatMap(({ against }) => [...against]);
    return answers.length < leastSigns ? [] : answers;
  }

  #forget(): void {
    this.#put.clear();
    this.#moved.clear();
    this.#changed.clear();
  }

  #seeKey(exchange: Exchange): void {
    const status = responseOf(exchange)?.status;
    if (status === undefined || !exchange.key?.startsWith('issued#')) return;
    const signs = this.#keys.get(exchange.key) ?? { isShown: false, against: new Set() };
    this.#keys.set(exchange.key, signs);
    note(signs, exchange.id, status !== 401);
  }

  #seeFlight(exchange: Exchange): void {
    const status = responseOf(exchange)?.status;
    const name = flightOf(exchange);
    if (name === null || !this.#put.has(name)) return;
    if (status === 200 || status === 404) note(this.#flights, exchange.id, status === 200);
  }

  #seeChange(exchange: Exchange): void {
    const response = responseOf(exchange);
    const values = response?.status === 200 ? this.#changed.get(flightOf(exchange) ?? '') : undefined;
    if (response === null || values === undefined || values.length === 0) return;
    const text = Buffer.from(response.body).toString('utf8');
    note(
      this.#changes,
      exchange.id,
      values.some((value) => text.includes(value)),
    );
  }

  /** By the header of an answer, or else a record that was written since. */
  #seeClock(exchange: Exchange): void {
    const isMoved = this.#movedMs > 2 * clockSlackMs;
    if (this.#aheadMs !== null && !isMoved) return;
    const response = responseOf(exchange);
    const date = response && dateOf(response);
    if (response === null || date === null) return;
    const { sentAt } = exchange.timings;
    this.#aheadMs ??= date - sentAt;
    if (!isMoved) return;
    const least = sentAt + this.#aheadMs + this.#movedMs - clockSlackMs;
    const times = sightsIn(exchange).map(({ record }) => parseTimestamp(record.created_at) ?? 0);
    note(this.#clock, exchange.id, Math.max(date, ...times) >= least);
  }

  #seeRecords(exchange: Exchange): void {
    for (const { record } of sightsIn(exchange)) {
      if (typeof record.checkin_id !== 'string' || !this.#moved.has(record.checkin_id)) continue;
      note(this.#records, exchange.id, record.status !== 'SCHEDULED');
    }
  }
}

function note(signs: Signs, id: string, isShown: boolean): void {
  if (isShown) {
    signs.isShown = true;
    signs.against.clear();
  } else if (!signs.isShown) signs.against.add(id);
}

function isIneffective({ isShown, against }: Signs): boolean {
  return !isShown && against.size >= leastSigns;
}

/** The texts in a value that are long enough to be found again. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.length > 2 ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** The flight and date that a lookup or subscribe asks for. */
function flightOf(exchange: Exchange): string | null {
  const call = callOf(exchange);
  if (call?.op !== 'fla.lookup' && call?.op !== 'fla.subscribe') return null;
  const { flightNumber, departureDate } = call.op === 'fla.lookup' ? call.query : (call.body ?? {});
  return nameOf(firstOf(flightNumber), firstOf(departureDate));
}

/** What is sent repeatedly is a list; the first one counts. */
function firstOf(value: Json | undefined): Json | undefined {
  return Array.isArray(value) ? (value as readonly Json[])[0] : value;
}

function nameOf(flightNumber: unknown, departureDate: unknown): string | null {
  if (typeof flightNumber !== 'string' || typeof departureDate !== 'string') return null;
  return `${cleanFlightNumber(flightNumber)} ${departureDate}`;
}
