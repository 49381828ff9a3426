import type { Accusation } from '../kernel/blame.ts';
import { isObject } from '../../trace/body.ts';
import type { Call } from '../../trace/call.ts';
import type { Step } from '../../trace/evidence.ts';
import type { Exchange } from '../../core/evidence.ts';
import type { LegRequest } from './legs.ts';

const mostLegs = 5_000;
const mostFids = 20_000;

/** A callback as it was asked for. */
export interface Callback {
  readonly fid: string;
  readonly url: string;
}

/** A request that must not change a subscription, with the sentence that says so. */
export interface Bystander {
  readonly rule: string;
  readonly by: Exchange;
  /** Whether another callback was refused since: one is registered still, though perhaps another one. */
  isThere: boolean;
}

/** What one key has asked of one leg: whether a subscription belongs to it or to its enterprise is open (FLA-OPN-008). */
export interface Subscription {
  /** Registered for certain: a subscribe with it was accepted. */
  callback: Callback | null;
  by: Exchange | null;
  /** Requests since an answer last agreed, the latest last. */
  bystanders: readonly Bystander[];
  /** Another one took its place by mistake: what is registered is not known any more. */
  isLost: boolean;
}

/** What an enterprise has asked of one leg by any key. */
export interface Asked {
  readonly enterprise: string;
  readonly name: string;
  /** By its keys. */
  readonly subscriptions: Map<string, Subscription>;
  /** Whether something of it may be registered: a subscribe with a callback was not refused. */
  mayHaveCallback: boolean;
  /** When a polling-only subscribe was accepted first. */
  polling: Exchange | null;
  /** Refused subscribes, which must not have stored anything. */
  refused: readonly Pick<Bystander, 'rule' | 'by'>[];
  /** When the latest of all was answered, on the clock of its sender. */
  lastAt: number;
  /** What the first answers seem to lack: one that is still under way may have been given before. */
  doubts: readonly Doubt[];
}

interface Doubt {
  readonly accusation: Accusation;
  /** When the answer came, on the clock of its sender. */
  readonly at: number;
}

/** The leg that a fid is registered for. */
export interface RegisteredLeg {
  readonly name: string;
  readonly url: string;
  readonly enterprise: string;
  /** When the first subscribe with it was answered. */
  readonly since: number;
}

const noLeg: RegisteredLeg = { name: '', url: '', enterprise: '', since: 0 };

/** The flight subscriptions of all enterprises, as far as their subscribes settle them. */
export class Subscriptions {
  readonly #asked = new Map<string, Asked>();
  readonly #byFlight = new Map<string, readonly Asked[]>();
  /** Fids that may be registered, with the only leg of each, or an empty name for several. */
  readonly #fids = new Map<string, string>();
  /** The same for whatever enterprise. */
  readonly #legs = new Map<string, RegisteredLeg>();
  /** By enterprise and address: the legs that may be registered with it. */
  readonly #at = new Map<string, ReadonlySet<string>>();
  /** How many had been answered when one was first answered with 500, by the sentence that says what is due. */
  readonly failed = new Map<string, number>();
  answered = 0;
  forgotten = 0;

  asked(enterprise: string | null, name: string): Asked {
    const id = `${enterprise ?? ''} ${name}`;
    const known = this.#asked.get(id);
    if (known) return known;
    const made: Asked = {
      ...{ enterprise: enterprise ?? '', name, subscriptions: new Map(), mayHaveCallback: false },
      ...{ polling: null, refused: [], lastAt: 0, doubts: [] },
    };
    this.#asked.set(id, made);
    const flight = flightOf(name);
    this.#byFlight.set(flight, [...(this.#byFlight.get(flight) ?? []), made].slice(-50));
    this.#forgetOldest();
    return made;
  }

  #forgetOldest(): void {
    const [id, oldest] = this.#asked.entries().next().value ?? [];
    if (this.#asked.size <= mostLegs || id === undefined || oldest === undefined) return;
    this.#asked.delete(id);
    this.#byFlight.delete(flightOf(oldest.name));
    this.forgotten += 1;
  }

  /** What the enterprise has asked of other legs of the flight, and others of this one, that may be registered. */
  others(asked: Asked): readonly Asked[] {
    return (this.#byFlight.get(flightOf(asked.name)) ?? []).filter((one) => {
      const isOther = (one.enterprise === asked.enterprise) !== (one.name === asked.name);
      return isOther && (one.mayHaveCallback || one.polling !== null);
    });
  }

  /** Whether a fid may be that of another leg of the enterprise: whether it may serve two is open (FLA-OPN-017). */
  isShared(enterprise: string | null, { fid }: Callback, name: string): boolean {
    const known = this.#fids.get(`${enterprise ?? ''} ${fid}`);
    return (known !== undefined && known !== name) || this.#fids.size >= mostFids;
  }

  /** The only leg that a fid may be registered for at an address, by whatever enterprise; null where there are several. */
  legOf(fid: string, token: string): RegisteredLeg | null {
    const known = this.#fids.size < mostFids ? this.#legs.get(fid) : undefined;
    return known?.url.includes(token) === true ? known : null;
  }

  /** The enterprises that have subscribed to a leg without a callback. */
  pollersOf(name: string): readonly string[] {
    const asked = this.#byFlight.get(flightOf(name)) ?? [];
    return asked.flatMap((one) => (one.name === name && one.polling !== null ? [one.enterprise] : []));
  }

  /** Whether an enterprise has subscribed to a leg without a callback, and never with one. */
  isOnlyPolled(name: string, enterprise: string): boolean {
    const asked = this.#asked.get(`${enterprise} ${name}`);
    return asked?.polling != null && !asked.mayHaveCallback;
  }

  /** Whether another leg of the enterprise is registered with the same address. */
  isAt({ url, enterprise, name }: RegisteredLeg, other: string): boolean {
    const there = this.#at.get(`${enterprise} ${url}`);
    return name !== other && there !== undefined && there.has(other) && there.has(name);
  }

  /** Whether several legs are. */
  areAt({ url, enterprise }: RegisteredLeg): boolean {
    return (this.#at.get(`${enterprise} ${url}`)?.size ?? 0) > 1;
  }

  noteFid(enterprise: string | null, { fid, url }: Callback, name: string, at: number): void {
    const id = `${enterprise ?? ''} ${fid}`;
    const known = this.#fids.get(id);
    if (this.#fids.size >= mostFids) return;
    this.#fids.set(id, known === undefined || known === name ? name : '');
    const leg = this.#legs.get(fid);
    const isOnly = leg === undefined || (leg.name === name && leg.url === url);
    const since = leg?.since ?? at;
    this.#legs.set(fid, isOnly ? { name, url, enterprise: enterprise ?? '', since } : noLeg);
    const address = `${enterprise ?? ''} ${url}`;
    this.#at.set(address, new Set([...(this.#at.get(address) ?? []), name]));
  }

  step({ operation, outcome }: Step): void {
    if (operation !== 'reset' || outcome === 'refused') return;
    // What was registered before may be gone, or not.
    for (const asked of this.#asked.values()) {
      asked.mayHaveCallback = true;
      asked.subscriptions.clear();
    }
  }
}

function flightOf(name: string): string {
  return name.split(' ').slice(0, 2).join(' ');
}

/** What a key has asked of a leg. */
export function subscriptionOf({ exchange: { key } }: Call, { subscriptions }: Asked): Subscription {
  const known = subscriptions.get(key ?? '');
  if (known) return known;
  const made = { callback: null, by: null, bystanders: [], isLost: false };
  subscriptions.set(key ?? '', made);
  return made;
}

/** What a subscribe asks for: null for none, undefined for one that is not of the documented form. */
export function callbackOf({ callback }: LegRequest): Callback | null | undefined {
  if (callback === null) return null;
  const { fid, callbackUrl: url } = callback;
  return typeof fid === 'string' && typeof url === 'string' ? { fid, url } : undefined;
}

/** The key that an answer returns; null for none, however it is left out. */
export function keyIn({ answer }: Call): string | null {
  const key = isObject(answer) ? answer.callbackApiKey : null;
  return typeof key === 'string' && key !== '' ? key : null;
}
