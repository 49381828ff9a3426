import type { Delivery, Exchange } from '../../core/evidence.ts';
import { isObject, memberOf, responseOf, type Json } from '../../trace/body.ts';
import { apiKeyIn, authorization, valuesNamed } from '../grammar/headers.ts';
import { callOf } from '../../trace/call.ts';
import { deliveredObject } from '../../trace/delivered.ts';
import { RecentMap } from '../../core/recentMap.ts';
import { tokensOf } from './addresses.ts';
import { legNameOf } from './legs.ts';

/** Most deliveries that wait for the answer to their registration, which may never come. */
const mostEarly = 1_000;

/**
 * What is registered at each address. Deliveries are handed out once it is known whose they are: one may come before the
 * subscribe is answered, also where the address was registered before.
 */
export class Registered<R> {
  readonly #byToken = new RecentMap<string, readonly R[]>();
  readonly #isDue: (delivery: Delivery, registered: readonly R[]) => boolean;
  #early: readonly Delivery[] = [];

  constructor(isDue: (delivery: Delivery, registered: readonly R[]) => boolean) {
    this.#isDue = isDue;
  }

  get forgotten(): number {
    return this.#byToken.forgotten;
  }

  of({ registration }: Pick<Delivery, 'registration'>): readonly R[] {
    return this.#byToken.get(registration) ?? none;
  }

  /** Adds to what is registered at an address, or changes it. */
  change(url: string, changed: (registered: readonly R[]) => readonly R[]): void {
    for (const token of tokensOf(url)) this.#byToken.set(token, changed(this.of({ registration: token })));
  }

  deliver(delivery: Delivery): readonly Delivery[] {
    if (this.#areDue(delivery)) return [delivery];
    this.#early = [...this.#early, delivery].slice(-mostEarly);
    return none;
  }

  /** Those that waited for what was learned since. */
  due(): readonly Delivery[] {
    return this.#take((delivery) => this.#areDue(delivery));
  }

  /** At the end nothing more can explain what is left. */
  end(): readonly Delivery[] {
    return this.#take((delivery) => this.of(delivery).length > 0);
  }

  #areDue(delivery: Delivery): boolean {
    const registered = this.of(delivery);
    return registered.length > 0 && this.#isDue(delivery, registered);
  }

  #take(isTaken: (delivery: Delivery) => boolean): readonly Delivery[] {
    if (this.#early.length === 0) return none;
    const taken = this.#early.filter(isTaken);
    if (taken.length > 0) this.#early = this.#early.filter((one) => !taken.includes(one));
    return taken;
  }
}

const none: readonly never[] = Object.freeze([]);

/** A callback that flight subscribes registered, or may have registered: address and fid, with what belongs to them. */
export interface FlightCallback {
  readonly url: string;
  readonly fid: string;
  /** Keys that were returned for it; several where subscriptions belong to the key (FLA-OPN-008). */
  readonly keys: Set<string>;
  /** Values of an auth_header that was supplied against the rules. */
  readonly supplied: Set<string>;
  /** The enterprises that registered it; blank where it is not known. */
  readonly owners: Set<string>;
  readonly legs: Set<string>;
  /** The sentences by which requests since the latest notice must not have changed it. */
  readonly since: Set<string>;
  /** Whether a notice had its key and its fid. */
  wasRight: boolean;
}

/** Whether it has a key, and that of none of these. */
function hasOtherKey({ headers }: Delivery, named: readonly FlightCallback[]): boolean {
  const [sent] = valuesNamed(headers, authorization);
  const keys = named.flatMap((one) => [...one.keys]);
  return sent !== undefined && keys.length > 0 && !keys.some((key) => sent.includes(key));
}

const mostAstray = 50;

/** The callbacks of flights by their addresses. A fid or a key that nobody registered shows when nothing more comes. */
export class FlightCallbacks extends Registered<FlightCallback> {
  /** X-API-Keys of partners, which are none of a callback's business. */
  readonly apiKeys = new Set<string>();
  /** By enterprise and leg. */
  readonly #byLeg = new RecentMap<string, readonly FlightCallback[]>();
  /** The enterprises with a key, a fid, or a callback of a leg. */
  readonly #owners = new RecentMap<string, ReadonlySet<string>>();
  /** Addresses that a refused change named, with the callback that it left in place. */
  readonly #refused = new RecentMap<string, FlightCallback>();
  /** Addresses that nobody had named. */
  readonly #used = new RecentMap<string, true>();
  readonly #since = new WeakMap<Delivery, readonly string[]>();
  #astray: readonly Delivery[] = [];

  constructor() {
    super((delivery, registered) => {
      const fid = deliveredObject(delivery)?.fid;
      if (typeof fid !== 'string') return true;
      const named = registered.filter((one) => one.fid === fid);
      // The key may be that of a subscribe that is not answered yet: another one may have registered the same.
      return named.length > 0 && !hasOtherKey(delivery, named);
    });
  }

  /** Takes note of a request; returns the notifications that are due now. */
  learn(exchange: Exchange): readonly Delivery[] {
    const apiKey = exchange.enterprise === null ? null : apiKeyIn(exchange.request);
    if (apiKey !== null) this.apiKeys.add(apiKey);
    if (exchange.operation !== 'fla.subscribe') return [];
    this.#subscribe(exchange);
    return this.due();
  }

  override deliver(delivery: Delivery): readonly Delivery[] {
    const registered = this.of(delivery);
    this.#since.set(delivery, [...new Set(registered.flatMap((one) => [...one.since]))]);
    if (registered.length === 0) this.#stray(delivery);
    return super.deliver(delivery);
  }

  /** The sentences that requests before a notice, and after the one before it, must have kept. */
  sinceOf(delivery: Delivery): readonly string[] {
    return this.#since.get(delivery) ?? [];
  }

  /** Notices at an address that only a refused change named. */
  astray(): readonly Delivery[] {
    return this.#astray.filter((delivery) => {
      const left = this.#refused.get(delivery.registration);
      const isLate = left !== undefined && this.of(delivery).length === 0;
      return isLate && deliveredObject(delivery)?.fid === left.fid && !hasOtherKey(delivery, [left]);
    });
  }

  /** Whether a key or a fid is one of other enterprises alone than those that registered these. */
  isForeign(value: string, registered: readonly FlightCallback[]): boolean {
    const owners = this.#owners.get(value);
    const own = registered.flatMap((one) => [...one.owners]);
    return owners !== undefined && ![...own, ''].some((one) => owners.has(one));
  }

  /** Whether several enterprises have a callback of its leg. */
  isShared({ legs }: FlightCallback): boolean {
    return [...legs].some((leg) => (this.#owners.get(leg)?.size ?? 0) > 1);
  }

  #subscribe(exchange: Exchange): void {
    const status = responseOf(exchange)?.status ?? null;
    const [body, owner] = [callOf(exchange)?.body ?? {}, exchange.enterprise ?? ''];
    const name = legNameOf(body);
    const own = this.#byLeg.get(`${owner} ${name}`) ?? none;
    const callback = body.callbackData ?? null;
    if (!isObject(callback)) {
      if (status === 200) for (const one of own) one.since.add('FLA-CB-019');
      return;
    }
    const { callbackUrl: url, fid, auth_header: supplied } = callback;
    if (status !== null && status >= 400 && status < 500) {
      for (const one of own) if (one.url !== url || one.fid !== fid) this.#refuse(one, url);
      return;
    }
    if (typeof url !== 'string' || typeof fid !== 'string') return;
    const key = memberOf(exchange, 'callbackApiKey');
    const isKey = typeof key === 'string' && key !== '';
    this.change(url, (registered) => {
      const known = registered.find((one) => one.url === url && one.fid === fid);
      const one = known ?? { ...{ url, fid }, ...noneKnown() };
      if (isKey) one.keys.add(key);
      else if (known && status === 200 && known.legs.has(name) && known.owners.has(owner))
        one.since.add('FLA-SUB-007');
      if (typeof supplied === 'string') one.supplied.add(supplied);
      one.owners.add(owner);
      one.legs.add(name);
      if (!own.includes(one)) this.#byLeg.set(`${owner} ${name}`, [...own, one]);
      return known ? registered : [...registered, one];
    });
    for (const value of [fid, name, ...(isKey ? [key] : [])])
      this.#owners.set(value, new Set([...(this.#owners.get(value) ?? []), owner]));
  }

  /** An address that was in use before it was refused may be registered by somebody else. */
  #stray(delivery: Delivery): void {
    const { registration } = delivery;
    if (!this.#refused.has(registration)) this.#used.set(registration, true);
    else if (!this.#used.has(registration)) this.#astray = [...this.#astray, delivery].slice(-mostAstray);
  }

  #refuse(left: FlightCallback, url: Json | undefined): void {
    left.since.add('FLA-SUB-011');
    if (typeof url !== 'string' || url === left.url) return;
    for (const token of tokensOf(url)) this.#refused.set(token, left);
  }
}

function noneKnown() {
  const empty = () => new Set<string>();
  return {
    keys: empty(),
    supplied: empty(),
    owners: empty(),
    legs: empty(),
    since: empty(),
    wasRight: false,
  };
}
