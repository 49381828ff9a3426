import type { Delivery, Exchange } from '../../core/evidence.ts';
import { tokensOf } from '../../spec/world/addresses.ts';
import type { Watch } from '../kernel/oracle.ts';
import type { Sample } from '../kernel/sample.ts';
import { eventOf } from './webhookEvent.ts';
import { registrationOf, subscribedRecord, type WebhookRegistration } from './webhookRegistration.ts';
import { RecentMap } from '../kernel/recentMap.ts';

/** What is known about the webhooks of a record. */
interface KnownRecord {
  readonly enterprise: string | null;
  /** Addresses that a subscribe of it named. */
  readonly urls: Set<string>;
}

/** Most registrations whose values are distinguished: there may be thousands. */
const mostRecent = 50;

/** Most deliveries that are kept until the answer to their registration, which may never come. */
const mostEarly = 1_000;

/** A delivery that waits for its registration or record; its body is read once, since each subscribe looks again. */
interface Early {
  readonly delivery: Delivery;
  readonly checkinId: string | null;
}

/** Who registered which address: the basis for judging the delivery of a status webhook. */
export class WebhookBook {
  readonly #byToken = new RecentMap<string, WebhookRegistration[]>();
  readonly #records = new RecentMap<string, KnownRecord>();
  #recent: readonly WebhookRegistration[] = [];
  /** Enterprises with a subscribe that may or may not have made a record. */
  readonly #uncertain = new Set<string | null>();

  /** Notes a subscribe; returns whether it registered an address. */
  add(exchange: Exchange): boolean {
    const record = subscribedRecord(exchange);
    const registration = registrationOf(exchange);
    if (record !== null) this.#note(record, exchange.enterprise, registration?.url);
    if (!registration) return false;
    if (registration.checkinId === null) this.#uncertain.add(registration.enterprise);
    this.#recent = [...this.#recent, registration].slice(-mostRecent);
    for (const token of tokensOf(registration.url)) {
      this.#byToken.set(token, [...(this.#byToken.get(token) ?? []), registration]);
    }
    return true;
  }

  registrations(token: string): readonly WebhookRegistration[] {
    return this.#byToken.get(token) ?? [];
  }

  /** The latest registrations of all addresses. */
  get recent(): readonly WebhookRegistration[] {
    return this.#recent;
  }

  record(checkinId: string): KnownRecord | null {
    return this.#records.get(checkinId) ?? null;
  }

  get forgotten(): number {
    return this.#byToken.forgotten + this.#records.forgotten;
  }

  /** Whether all records of an enterprise that this run made are known. */
  knowsAll(enterprise: string | null): boolean {
    return this.forgotten === 0 && !this.#uncertain.has(enterprise);
  }

  #note(checkinId: string, enterprise: string | null, url: string | undefined): void {
    const known = this.#records.get(checkinId) ?? { enterprise, urls: new Set<string>() };
    if (url !== undefined) known.urls.add(url);
    this.#records.set(checkinId, known);
  }
}

/**
 * Judges deliveries once their registration and their record are known: one may come before the subscribe is answered that
 * makes the record, also where the address was registered before. At the end nothing more can explain what is left.
 */
export function watchWebhooks(
  judge: (
    delivery: Delivery,
    registered: readonly WebhookRegistration[],
    book: WebhookBook,
  ) => readonly Sample[],
): Watch {
  const book = new WebhookBook();
  let early: Early[] = [];
  const judged = (delivery: Delivery): readonly Sample[] =>
    judge(delivery, book.registrations(delivery.registration), book).map((one) => ({
      ...one,
      evidence: [delivery],
    }));
  const isRegistered = ({ delivery }: Early) => book.registrations(delivery.registration).length > 0;
  const isKnown = (one: Early) =>
    isRegistered(one) && (one.checkinId === null || book.record(one.checkinId) !== null);
  return {
    exchange: (exchange) => {
      book.add(exchange);
      if (early.length === 0 || exchange.operation !== 'wci.subscribe') return [];
      const known = early.filter(isKnown);
      if (known.length > 0) early = early.filter((one) => !known.includes(one));
      return known.flatMap(({ delivery }) => judged(delivery));
    },
    delivery: (delivery) => {
      const one = { delivery, checkinId: eventOf(delivery)?.checkinId ?? null };
      if (isKnown(one)) return judged(delivery);
      early.push(one);
      if (early.length > mostEarly) early.shift();
      return [];
    },
    end: () => {
      const left = early.filter(isRegistered);
      early = [];
      return left.flatMap(({ delivery }) => judged(delivery));
    },
    forgotten: () => book.forgotten,
  };
}
