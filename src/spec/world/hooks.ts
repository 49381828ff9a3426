import type { Delivery, Exchange, RecordedRequest } from '../../core/evidence.ts';
import { RecentMap } from '../../core/recentMap.ts';
import { isObject, memberOf, responseOf, type JsonObject } from '../../trace/body.ts';
import { callOf } from '../../trace/call.ts';
import { Registered } from './flightCallbacks.ts';
import { eventOf } from './webhookEvent.ts';

/** What a subscribe registered, or may have registered, as the webhook of a record. */
export interface Registration {
  readonly url: string;
  /** The configured header; null if it does not have the form `<Header-Name>: <Header-Value>`. */
  readonly header: AuthHeader | null;
  readonly enterprise: string | null;
  /** Null if the subscribe was not answered with a record: the webhook may be registered all the same. */
  readonly checkinId: string | null;
  readonly by: Exchange;
}

export interface AuthHeader {
  readonly name: string;
  /** Without surrounding white space, which is not part of it. */
  readonly value: string;
}

/** What is known about the webhooks of a record. */
interface HookOwner {
  readonly enterprise: string | null;
  /** Addresses that a subscribe of it named. */
  readonly urls: Set<string>;
}

/** A delivery with what it is judged by. */
export interface Hooked {
  readonly delivery: Delivery;
  readonly checkinId: string | null;
  /** What may be registered at its address. */
  readonly registered: readonly Registration[];
}

/** Most registrations whose values are distinguished: there may be thousands. */
const mostRecent = 50;

/** Who registered which address for which record. */
export class Hooks {
  readonly #records = new RecentMap<string, HookOwner>();
  readonly #registered = new Registered<Registration>((delivery) => {
    const id = eventOf(delivery)?.checkinId ?? null;
    return id === null || this.#records.has(id);
  });
  /** Enterprises with a subscribe that may or may not have made a record. */
  readonly #uncertain = new Set<string | null>();
  /** The latest registrations of all addresses. */
  recent: readonly Registration[] = [];

  /** Learns from a subscribe; returns the deliveries that waited for it. */
  learn(exchange: Exchange): readonly Hooked[] {
    const id = subscribedRecord(exchange);
    const one = registrationOf(exchange, id);
    if (id !== null) {
      const known = this.#records.get(id) ?? { enterprise: exchange.enterprise, urls: new Set<string>() };
      if (one) known.urls.add(one.url);
      this.#records.set(id, known);
    }
    if (one) this.#register(one);
    return this.#registered.due().map((one) => this.#hooked(one));
  }

  deliver(delivery: Delivery): readonly Hooked[] {
    return this.#registered.deliver(delivery).map((one) => this.#hooked(one));
  }

  end(): readonly Hooked[] {
    return this.#registered.end().map((one) => this.#hooked(one));
  }

  record(checkinId: string): HookOwner | null {
    return this.#records.get(checkinId) ?? null;
  }

  get forgotten(): number {
    return this.#registered.forgotten + this.#records.forgotten;
  }

  /** Whether all records of an enterprise are known. */
  knowsAll(enterprise: string | null): boolean {
    return this.forgotten === 0 && !this.#uncertain.has(enterprise);
  }

  /** Whether another enterprise registered an address that is none of these. */
  hasForeign(enterprise: string | null, urls: ReadonlySet<string>): boolean {
    return this.recent.some((one) => one.enterprise !== enterprise && !urls.has(one.url));
  }

  #register(one: Registration): void {
    if (one.checkinId === null) this.#uncertain.add(one.enterprise);
    this.recent = [...this.recent, one].slice(-mostRecent);
    this.#registered.change(one.url, (registered) => [...registered, one]);
  }

  #hooked(delivery: Delivery): Hooked {
    const checkinId = eventOf(delivery)?.checkinId ?? null;
    return { delivery, checkinId, registered: this.#registered.of(delivery) };
  }
}

/** The record that a subscribe made or found; null where it did neither. */
export function subscribedRecord(exchange: Exchange): string | null {
  if (exchange.operation !== 'wci.subscribe' || responseOf(exchange)?.status !== 200) return null;
  const id = memberOf(exchange, 'checkin_id');
  return typeof id === 'string' && memberOf(exchange, 'message') !== 'REJECTED' ? id : null;
}

/** The webhook that a subscribe asks for; null for one without callbackData, and for one that was refused. */
function registrationOf(exchange: Exchange, checkinId: string | null): Registration | null {
  const status = responseOf(exchange)?.status ?? 0;
  if (exchange.operation !== 'wci.subscribe' || (status >= 400 && status < 500)) return null;
  const { callbackUrl: url, auth_header: line } = callbackDataOf(exchange) ?? {};
  if (typeof url !== 'string') return null;
  const header = typeof line === 'string' ? parseAuthHeader(line) : null;
  return { url, header, enterprise: exchange.enterprise, checkinId, by: exchange };
}

/** Reads `<Header-Name>: <Header-Value>`. */
function parseAuthHeader(line: string): AuthHeader | null {
  const colon = line.indexOf(':');
  return colon < 0 ? null : { name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() };
}

/** `callbackData` of a subscribe; also of parts that can be read in several ways, since one of them may register it. */
function callbackDataOf(exchange: Exchange): JsonObject | null {
  const call = callOf(exchange);
  const value = call?.body ? call.body.callbackData : partNamed(exchange.request, 'callbackData');
  return isObject(value) ? value : null;
}

function partNamed({ body }: RecordedRequest, name: string): unknown {
  const bytes = body === null ? null : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const start = bytes?.indexOf(`name="${name}"`) ?? -1;
  if (!bytes || start < 0 || bytes[0] !== 0x2d) return null;
  const [, content = ''] = /\r\n\r\n(.*?)\r\n--/s.exec(bytes.subarray(start).toString('utf8')) ?? [];
  try {
    return JSON.parse(content) as unknown;
  } catch {
    return null;
  }
}
