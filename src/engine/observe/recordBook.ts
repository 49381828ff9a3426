import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../core/makeFolder.ts';
import { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import type { Exchange } from '../../core/evidence.ts';
import type { Itinerary } from '../../core/settings.ts';
import { objectsAt, type JsonObject } from '../../spec/kit/json.ts';
import { isObject, memberOf, responseOf } from '../../judge/kernel/body.ts';
import { parseTimestamp } from '../../spec/kit/timestamp.ts';
import { bookRoles } from '../../plan/check.ts';
import type { ApiKey, KeyRing } from '../../send/keyRing.ts';

export type BookRole = (typeof bookRoles)[number];

/** A record of an earlier run. */
export interface BookedRecord {
  readonly key: ApiKey;
  readonly itinerary: Itinerary | null;
  /** The body that was sent. */
  readonly body: JsonObject;
  /** The subscribe that made it, as evidence of an earlier run. */
  readonly subscribed: Exchange;
  /** When it was written, by the deployment's clock as far as that was seen. */
  readonly writtenAt: number;
}

/** What runs of a user made on one deployment, so that later ones need not spend units on it again. */
export interface RecordBook {
  /** The roles for which it has a record that may still be usable. */
  roles(): ReadonlySet<BookRole>;
  find(role: BookRole): BookedRecord | null;
  keep(role: BookRole, record: MadeRecord): void;
  /** Notes by which time of the deployment a record that was kept had been written. */
  see(exchange: Exchange): void;
  /** Drops a record that has vanished or changed. */
  drop(role: BookRole): void;
}

type MadeRecord = Omit<BookedRecord, 'key' | 'writtenAt'>;

/** For targets that are gone after the run, and runs that make everything anew. */
export const noRecordBook: RecordBook = {
  roles: () => new Set(),
  find: () => null,
  keep: () => undefined,
  see: () => undefined,
  drop: () => undefined,
};

/** For runs with enough units: they store their records for others, and use none. */
export function writeOnly(book: RecordBook): RecordBook {
  return {
    ...noRecordBook,
    keep: (role, record) => book.keep(role, record),
    see: (exchange) => book.see(exchange),
  };
}

const headers = z.array(z.tuple([z.string(), z.string()]));
const entrySchema = z.object({
  role: z.enum(bookRoles),
  /** Hash of the key that made it. */
  key: z.string(),
  itinerary: z
    .object({
      airline: z.string(),
      legs: z.array(z.object({ flightNumber: z.string(), origin: z.string(), destination: z.string() })),
    })
    .nullable(),
  body: z.custom<JsonObject>(isObject),
  target: z.string(),
  at: z.number(),
  /** `last_updated` of the first answer that showed it: the deployment's clock may be days off. */
  written: z.number().nullable().default(null),
  durationMs: z.number(),
  status: z.int(),
  headers,
  answer: z.string(),
});
type Entry = z.infer<typeof entrySchema>;
const bookSchema = z.object({ version: z.literal(1), records: z.array(z.unknown()) });

interface RecordBookOptions {
  readonly folder: string;
  /** Base address of the deployment. */
  readonly target: string;
  readonly keys: KeyRing;
  readonly clock: Clock;
  /** Knows the secrets of the run. */
  readonly redact: (text: string) => string;
}

/** The book of a deployment, a file next to the pace book. If the disk cannot be written to, only units are lost. */
export function openRecordBook(options: RecordBookOptions): RecordBook {
  return new FileBook(options);
}

const dayMs = 86_400_000;
/** A nearer departure may be checked in meanwhile. */
const leastAheadMs = 3 * dayMs;
const mostEntries = 100;

class FileBook implements RecordBook {
  readonly #options: RecordBookOptions;
  readonly #path: string;
  /** Records that this run kept and has not read yet, by their ids. */
  readonly #unread = new Map<string, BookRole>();

  constructor(options: RecordBookOptions) {
    this.#options = options;
    this.#path = join(options.folder, `${hashOf(options.target).slice(0, 32)}.records.json`);
  }

  roles(): ReadonlySet<BookRole> {
    return new Set(bookRoles.filter((role) => this.find(role) !== null));
  }

  find(role: BookRole): BookedRecord | null {
    const entry = this.#entries().find((one) => this.#isOurs(one, role));
    const key = entry && this.#keyOf(entry);
    if (!entry || !key) return null;
    const { itinerary, body } = entry;
    return { key, itinerary, body, subscribed: this.#revive(entry, key), writtenAt: writtenAt(entry) };
  }

  keep(role: BookRole, { itinerary, body, subscribed }: MadeRecord): void {
    const key = this.#options.keys.named(subscribed.key);
    const response = responseOf(subscribed);
    // Issued keys are gone after the run, and so are their records.
    if (!key || !this.#given(role).includes(key) || !response || 'callbackData' in body) return;
    const entry: Entry = {
      ...{ role, key: this.#hash(key), itinerary: itinerary as Entry['itinerary'], body },
      ...{ target: subscribed.request.target, at: subscribed.timings.sentAt, status: response.status },
      written: null,
      durationMs: subscribed.timings.received - subscribed.timings.sent,
      headers: response.headers.filter(([name]) => !hidden.test(name)).map(([name, value]) => [name, value]),
      answer: Buffer.from(response.body).toString('utf8'),
    };
    if (this.#showsSecret(entry)) return;
    const others = this.#entries().filter((one) => !this.#isOf(one, role));
    this.#write([entry, ...others].slice(0, mostEntries));
    const id = memberOf(subscribed, 'checkin_id');
    if (typeof id === 'string') this.#unread.set(id, role);
  }

  see(exchange: Exchange): void {
    if (this.#unread.size === 0 || exchange.operation !== 'wci.status') return;
    const id = memberOf(exchange, 'checkin_id');
    const role = typeof id === 'string' ? this.#unread.get(id) : undefined;
    const written = parseTimestamp(memberOf(exchange, 'last_updated'));
    if (typeof id !== 'string' || role === undefined || written === null) return;
    this.#unread.delete(id);
    this.#write(this.#entries().map((one) => (this.#isOf(one, role) ? { ...one, written } : one)));
  }

  /** An answer that repeats a key is of no use to later runs: without the key it would be another one. */
  #showsSecret({ answer, headers: fields, target }: Entry): boolean {
    const texts = [answer, target, ...fields.flat()];
    return texts.some((text) => this.#options.redact(text) !== text);
  }

  drop(role: BookRole): void {
    this.#write(this.#entries().filter((one) => !this.#isOf(one, role)));
  }

  #given(role: BookRole): readonly ApiKey[] {
    const enterprise = role === 'other-record' ? 'other' : 'primary';
    return this.#options.keys.all().filter((key) => key.label.startsWith(`${enterprise}#`));
  }

  #keyOf(entry: Entry): ApiKey | undefined {
    return this.#given(entry.role).find((key) => this.#hash(key) === entry.key);
  }

  #isOf(entry: Entry, role: BookRole): boolean {
    return entry.role === role && this.#keyOf(entry) !== undefined;
  }

  #isOurs(entry: Entry, role: BookRole): boolean {
    const departure = departureOf(entry.body);
    const now = this.#options.clock.now() + writtenAt(entry) - entry.at;
    return this.#isOf(entry, role) && departure !== null && departure - leastAheadMs > now;
  }

  #hash({ value }: ApiKey): string {
    return hashOf(`${this.#options.target}\n${value}`);
  }

  /** Times of another process's monotonic clock mean nothing here; wall-clock times do. */
  #revive(
    { role, target, at, durationMs, status, headers: fields, answer, body }: Entry,
    key: ApiKey,
  ): Exchange {
    const { clock, target: baseUrl } = this.#options;
    const sent = clock.monotonic() - Math.max(0, clock.now() - at);
    return {
      ...{ id: `b-${role}`, check: bookCheck, operation: 'wci.subscribe' },
      ...{ enterprise: key.enterprise, key: key.label },
      request: { method: 'POST', baseUrl, target, headers: [], body: Buffer.from(JSON.stringify(body)) },
      outcome: {
        kind: 'response',
        response: { status, headers: fields, body: Buffer.from(answer), truncated: false },
      },
      timings: { sentAt: at, receivedAt: at + durationMs, sent, received: sent + durationMs },
    };
  }

  #entries(): readonly Entry[] {
    try {
      const book = bookSchema.parse(JSON.parse(readFileSync(this.#path, 'utf8')));
      return book.records.flatMap((one) => entrySchema.safeParse(one).data ?? []);
    } catch {
      return [];
    }
  }

  #write(records: readonly Entry[]): void {
    try {
      makeFolder(this.#options.folder, 0o700);
      const temporary = `${this.#path}.${process.pid}.tmp`;
      writeFileSync(temporary, JSON.stringify({ version: 1, records }), { mode: 0o600 });
      renameSync(temporary, this.#path);
    } catch {
      return;
    }
  }
}

/** Whether an exchange belongs to an earlier run. */
export function isOfBook({ check }: Pick<Exchange, 'check'>): boolean {
  return check === bookCheck;
}

const bookCheck = 'record-book';
const hidden = /^(set-cookie|authorization|x-api-key)$/i;

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function writtenAt({ written, at, durationMs }: Entry): number {
  return written ?? at + durationMs;
}

/** The first departure, with its time read as UTC: a day more or less does not matter here. */
function departureOf(body: JsonObject): number | null {
  const first = objectsAt(body, 'flights')[0]?.departure_datetime;
  const at = typeof first === 'string' ? Date.parse(`${first.trim().slice(0, 10)}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}
