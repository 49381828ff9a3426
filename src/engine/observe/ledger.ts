import type { Exchange } from '../../core/evidence.ts';
import { isRejectedMessage } from '../../judge/kernel/answer.ts';
import { memberOf, objectOf, responseOf, type Json } from '../../judge/kernel/body.ts';
import { objectIn } from '../../trace/call.ts';
import { cleanFlightNumber } from '../../spec/world/legs.ts';
import { onceForBytes } from '../../core/bytes.ts';
import type { Spending } from '../../send/client.ts';
import type { ApiRequest } from '../../send/request.ts';

interface Doubt<T> {
  readonly effect: T;
  readonly sent: number;
  readonly received: number;
}

interface Account<T> {
  consumed: number;
  /** Monotonic instant at which that snapshot arrived. */
  at: number;
  /** Units that were certainly spent since then. */
  certain: number;
  doubts: Doubt<T>[];
}

/**
 * Units of one enterprise that a repeated subscribe may have cost, because its answer showed no quota. A later snapshot limits
 * what was spent in between: any other use of the enterprise can only make it larger.
 */
class UnitsInDoubt<T> {
  readonly #accounts = new Map<string, Account<T>>();

  /** Adds a unit that was counted for a repeated subscribe, without proof. */
  doubt(effect: T, exchange: Exchange): void {
    const { sent, received } = exchange.timings;
    this.#accounts.get(exchange.enterprise ?? '')?.doubts.push({ effect, sent, received });
  }

  /** Adds a unit that was certainly spent, without a snapshot. */
  certain(exchange: Exchange): void {
    const account = this.#accounts.get(exchange.enterprise ?? '');
    if (account) account.certain += 1;
  }

  /** What a snapshot proves unspent; `own` units belong to the exchange that shows it. */
  settle(exchange: Exchange, consumed: number, own: number): readonly T[] {
    const enterprise = exchange.enterprise ?? '';
    const { sent, received } = exchange.timings;
    const account = this.#accounts.get(enterprise);
    this.#accounts.set(enterprise, { consumed, at: received, certain: 0, doubts: [] });
    if (!account) return [];
    // What overlaps one of the two snapshots may or may not be in them: it stays counted.
    const between = account.doubts.filter((doubt) => doubt.sent >= account.at && doubt.received <= sent);
    const most = Math.max(0, consumed - account.consumed - own - account.certain);
    return between.slice(Math.min(most, between.length)).map(({ effect }) => effect);
  }
}

/** One thing that the run left behind on the target; the API can undo none of them. */
export interface SideEffect {
  readonly kind: 'checkin' | 'subscription' | 'quota' | 'state';
  /** `possible` after a timeout or a 500: the target may have done it. */
  readonly certainty: 'certain' | 'possible';
  readonly id: string | null;
  readonly key: string | null;
  readonly createdAt: string;
  readonly exchange: string | null;
}

/** Knows what requests may cost before they are sent, and records what they did cost and leave behind. */
export class Ledger implements Spending {
  #effects: SideEffect[] = [];
  readonly #legs = new Set<string>();
  readonly #records = new Set<string>();
  readonly #consumed = new Map<string, number>();
  readonly #inDoubt = new UnitsInDoubt<SideEffect>();
  /** Units of repeated subscribes since the last snapshot, by enterprise. */
  readonly #unproven = new Map<string, number>();
  /** Units of repeated subscribes after which the count had gone up: others may use the enterprise as well. */
  #risen = 0;
  readonly #redact: (text: string) => string;
  #unspent = 0;

  /** Ids are shown, and a server may make them of a key. */
  constructor(redact: (text: string) => string = (text) => text) {
    this.#redact = redact;
  }

  get sideEffects(): readonly SideEffect[] {
    return this.#effects;
  }

  kindOf(request: ApiRequest): 'quota' | 'subscription' | null {
    if (request.operation === 'wci.subscribe') return 'quota';
    // Repeating one of our subscriptions leaves nothing new behind.
    if (request.operation === 'fla.subscribe') return this.#legs.has(legOf(request)) ? null : 'subscription';
    return null;
  }

  wasSpent(request: ApiRequest, exchange: Exchange): boolean {
    const { operation } = request;
    if (operation !== 'wci.subscribe' && operation !== 'fla.subscribe') return false;
    const certainty = certaintyOf(exchange);
    if (certainty === null) return false;
    if (operation === 'wci.subscribe') return this.#checkin(exchange, certainty);
    return this.#subscription(request, exchange, certainty);
  }

  takeUnspent(): number {
    const unspent = this.#unspent;
    this.#unspent = 0;
    return unspent;
  }

  unproven(): number {
    return [...this.#unproven.values()].reduce((sum, units) => sum + units, this.#risen);
  }

  /** A record that an earlier run made: subscribing it again makes no new one. */
  know(checkinId: string): void {
    this.#records.add(checkinId);
  }

  /** Records something that the state handler did for the run. */
  state(id: string, at: number): void {
    const createdAt = new Date(at).toISOString();
    this.#effects.push({ kind: 'state', certainty: 'certain', id, key: null, createdAt, exchange: null });
  }

  #checkin(exchange: Exchange, certainty: SideEffect['certainty']): boolean {
    const id = memberOf(exchange, 'checkin_id');
    const name = typeof id === 'string' ? id : null;
    const isNew = name === null || !this.#records.has(name);
    if (name !== null) this.#records.add(name);
    if (isNew) this.#add({ kind: 'checkin', certainty, id: name }, exchange);
    const spent = isNew || this.#consumedMore(exchange);
    const own = isNew ? certainty : 'possible';
    const effect = spent ? this.#add({ kind: 'quota', certainty: own, id: name }, exchange) : null;
    this.#noteConsumed(exchange, effect, isNew);
    return spent;
  }

  /** A repeated subscribe counts as free only if the snapshot proves it. */
  #consumedMore(exchange: Exchange): boolean {
    const consumed = memberOf(exchange, 'quota', 'consumed_units');
    const known = this.#consumed.get(exchange.enterprise ?? '');
    return typeof consumed !== 'number' || known === undefined || consumed > known;
  }

  #noteConsumed(exchange: Exchange, effect: SideEffect | null, isNew: boolean): void {
    const consumed = memberOf(exchange, 'quota', 'consumed_units');
    const enterprise = exchange.enterprise ?? '';
    if (typeof consumed !== 'number') {
      if (effect !== null && !isNew) {
        this.#unproven.set(enterprise, (this.#unproven.get(enterprise) ?? 0) + 1);
        if (certaintyOf(exchange) === 'certain') this.#inDoubt.doubt(effect, exchange);
      } else if (effect?.certainty === 'certain') this.#inDoubt.certain(exchange);
      return;
    }
    this.#unproven.delete(enterprise);
    if (effect !== null && !isNew && this.#consumed.has(enterprise)) this.#risen += 1;
    this.#consumed.set(enterprise, Math.max(consumed, this.#consumed.get(enterprise) ?? 0));
    const unspent = this.#inDoubt.settle(exchange, consumed, effect === null ? 0 : 1);
    if (unspent.length === 0) return;
    this.#effects = this.#effects.filter((one) => !unspent.includes(one));
    this.#unspent += unspent.length;
  }

  #subscription(request: ApiRequest, exchange: Exchange, certainty: SideEffect['certainty']): boolean {
    const leg = legOf(request);
    if (this.#legs.has(leg)) return false;
    this.#legs.add(leg);
    this.#add({ kind: 'subscription', certainty, id: leg }, exchange);
    return true;
  }

  #add(what: Pick<SideEffect, 'kind' | 'certainty' | 'id'>, exchange: Exchange): SideEffect {
    const createdAt = new Date(exchange.timings.receivedAt).toISOString();
    const id = what.id === null ? null : shortened(this.#redact(what.id));
    const effect = { ...what, id, key: exchange.key, createdAt, exchange: exchange.id };
    this.#effects.push(effect);
    return effect;
  }
}

/** A server may make its ids of megabytes. */
const longestId = 300;

function shortened(id: string): string {
  return id.length > longestId ? `${id.slice(0, longestId)}…` : id;
}

/** Whether a request took effect: certainly, possibly, or (null) not. */
function certaintyOf(exchange: Exchange): SideEffect['certainty'] | null {
  const response = responseOf(exchange);
  if (!response)
    return exchange.outcome.kind === 'failure' && exchange.outcome.failure.maybeDelivered ? 'possible' : null;
  if (response.status >= 500) return 'possible';
  if (response.status >= 300 || isRejectedMessage(exchange)) return null;
  return objectOf(exchange) ? 'certain' : 'possible';
}

function legOf(request: ApiRequest): string {
  return `${ownerOf(request)} ${request.body === null ? '' : legIn(request.body)}`;
}

const legIn = onceForBytes((body) => {
  const { flightNumber, departureAirportIata, arrivalAirportIata, departureDate } = objectIn(body) ?? {};
  const date = textOf(departureDate).replaceAll('"', '');
  const ends = `${compact(departureAirportIata)} ${compact(arrivalAirportIata)}`;
  return `${cleanFlightNumber(compact(flightNumber))} ${ends} ${date}`.trim();
});

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}

function compact(value: Json | undefined): string {
  return textOf(value)
    .replace(/[\s"-]/g, '')
    .toUpperCase();
}

function ownerOf({ key }: ApiRequest): string {
  if (key.kind === 'pool') return key.enterprise;
  return key.kind === 'key' ? key.key.enterprise : '';
}
