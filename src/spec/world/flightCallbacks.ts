import type { Delivery, Exchange } from '../../core/evidence.ts';
import { isObject, memberOf, responseOf } from '../../trace/body.ts';
import { apiKeyIn, authorization, valuesNamed } from '../grammar/headers.ts';
import { callOf } from '../../trace/call.ts';
import { deliveredObject } from '../../trace/delivered.ts';
import { RecentMap } from '../../core/recentMap.ts';
import { tokensOf } from './addresses.ts';

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
}

/** Whether it has a key, and that of none of these. */
function hasOtherKey({ headers }: Delivery, named: readonly FlightCallback[]): boolean {
  const [sent] = valuesNamed(headers, authorization);
  const keys = named.flatMap((one) => [...one.keys]);
  return sent !== undefined && keys.length > 0 && !keys.some((key) => sent.includes(key));
}

/** The callbacks of flights by their addresses. A fid or a key that nobody registered shows when nothing more comes. */
export class FlightCallbacks extends Registered<FlightCallback> {
  /** X-API-Keys of partners, which are none of a callback's business. */
  readonly apiKeys = new Set<string>();

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
    this.#register(exchange);
    return this.due();
  }

  /** A subscribe with a callback that was not refused. */
  #register(exchange: Exchange): void {
    const status = responseOf(exchange)?.status ?? null;
    const callback = callOf(exchange)?.body?.callbackData;
    if (!isObject(callback) || (status !== null && status >= 400 && status < 500)) return;
    const { callbackUrl: url, fid, auth_header: supplied } = callback;
    if (typeof url !== 'string' || typeof fid !== 'string') return;
    const key = memberOf(exchange, 'callbackApiKey');
    this.change(url, (registered) => {
      const known = registered.find((one) => one.url === url && one.fid === fid);
      const one = known ?? { url, fid, keys: new Set<string>(), supplied: new Set<string>() };
      if (typeof key === 'string' && key !== '') one.keys.add(key);
      if (typeof supplied === 'string') one.supplied.add(supplied);
      return known ? registered : [...registered, one];
    });
  }
}
