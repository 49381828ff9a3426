import type { Delivery, Exchange } from '../../core/evidence.ts';
import { RecentMap } from '../../core/recentMap.ts';
import { isObject, memberOf, responseOf, valueNamed, type Json } from '../../trace/body.ts';
import { callOf } from '../../trace/call.ts';
import { deliveredObject } from '../../trace/delivered.ts';
import { tokensOf } from './addresses.ts';

/** A callback that flight subscribes registered, or may have registered: address and fid, with what belongs to them. */
export interface FlightCallback {
  readonly url: string;
  readonly fid: string;
  /** Keys that were returned for it; several where subscriptions belong to the key (FLA-OPN-008). */
  readonly keys: Set<string>;
  /** Values of an auth_header that was supplied against the rules. */
  readonly supplied: Set<string>;
}

/** Deliveries that came before the answer to their registration; one that never comes must not fill the memory. */
const mostEarly = 1_000;

interface Early {
  readonly delivery: Delivery;
  readonly fid: Json | undefined;
}

/**
 * The callbacks of flights by their addresses. A notification is due once its registration is known: it may come before the subscribe is
 * answered, also to an address that has other registrations. A fid that nobody registered shows when nothing more comes.
 */
export class FlightCallbacks {
  readonly #byToken = new RecentMap<string, FlightCallback[]>();
  /** X-API-Keys of partners, which are none of a callback's business. */
  readonly apiKeys = new Set<string>();
  #early: readonly Early[] = [];

  get forgotten(): number {
    return this.#byToken.forgotten;
  }

  of({ registration }: Delivery): readonly FlightCallback[] {
    return this.#byToken.get(registration) ?? [];
  }

  /** Takes note of a request; returns the notifications that are due now. */
  learn(exchange: Exchange): readonly Delivery[] {
    const apiKey = exchange.enterprise === null ? null : valueNamed(exchange.request.headers, 'x-api-key');
    if (apiKey !== null) this.apiKeys.add(apiKey);
    if (exchange.operation !== 'fla.subscribe') return none;
    this.#register(exchange);
    return this.#early.length === 0 ? none : this.#take((one) => this.#isDue(one));
  }

  deliver(delivery: Delivery): readonly Delivery[] {
    this.#early = [...this.#early, { delivery, fid: deliveredObject(delivery)?.fid }].slice(-mostEarly);
    return this.#take((one) => one.delivery === delivery && this.#isDue(one));
  }

  end(): readonly Delivery[] {
    return this.#take(({ delivery }) => this.of(delivery).length > 0);
  }

  #isDue({ delivery, fid }: Early): boolean {
    const registered = this.of(delivery);
    return registered.length > 0 && (typeof fid !== 'string' || registered.some((one) => one.fid === fid));
  }

  #take(isTaken: (one: Early) => boolean): readonly Delivery[] {
    const taken = this.#early.filter(isTaken);
    if (taken.length > 0) this.#early = this.#early.filter((one) => !taken.includes(one));
    return taken.map(({ delivery }) => delivery);
  }

  /** A subscribe with a callback that was not refused. */
  #register(exchange: Exchange): void {
    const status = responseOf(exchange)?.status ?? null;
    const callback = callOf(exchange)?.body?.callbackData;
    if (!isObject(callback) || (status !== null && status >= 400 && status < 500)) return;
    const { callbackUrl: url, fid, auth_header: supplied } = callback;
    if (typeof url !== 'string' || typeof fid !== 'string') return;
    const key = memberOf(exchange, 'callbackApiKey');
    for (const token of tokensOf(url)) {
      const all = this.#byToken.get(token) ?? [];
      const known = all.find((one) => one.url === url && one.fid === fid);
      const one = known ?? { url, fid, keys: new Set<string>(), supplied: new Set<string>() };
      if (!known) this.#byToken.set(token, [...all, one]);
      if (typeof key === 'string' && key !== '') one.keys.add(key);
      if (typeof supplied === 'string') one.supplied.add(supplied);
    }
  }
}

const none: readonly Delivery[] = Object.freeze([]);
