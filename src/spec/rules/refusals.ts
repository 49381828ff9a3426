import type { Exchange } from '../../core/evidence.ts';
import { onceForEach } from '../../core/latest.ts';
import { RecentMap } from '../../core/recentMap.ts';
import { isObject, type Json, type JsonObject } from '../../trace/body.ts';
import type { Call } from '../../trace/call.ts';
import { isMissing } from '../grammar/form.ts';
import { readForms } from '../grammar/readForms.ts';
import * as is from '../kernel/value.ts';
import type { Wrong, Said } from '../kernel/findings.ts';
import { parseTimestamp } from '../kit/timestamp.ts';
import { place, type Sight } from '../world/sights.ts';

/** Refusals after which no booking may exist, by their status; after a rejected journey one that has failed may. */
const rows: Readonly<Record<number, string>> = {
  400: 'WCI-SUB-067',
  401: 'SHR-AUT-013',
  402: 'WCI-QTA-007',
  422: 'WCI-JRN-014',
  429: 'SHR-LIM-023',
};
/** After a refusal for what callbackData says. */
const ofCallback = 'WCI-CBR-014';

export const refusalRows = [...Object.values(rows), ofCallback];

interface Refusal {
  readonly rule: string;
  readonly pnr: string;
  readonly by: string;
  readonly enterprise: string | null;
  readonly sent: number;
  readonly received: number;
}

/** Enough to tell of; a deployment that keeps every refused booking shows thousands. */
const mostShown = 20;

/**
 * A booking that was always refused is in no list: its locator was never sent with anything else, by whoever. One that was refused for
 * its key alone, which may belong to any enterprise, is new to the next subscribe.
 */
export class Refusals {
  readonly #refused = new RecentMap<string, Refusal>();
  /** When the latest request with a locator was answered that may have made a booking. */
  readonly #taken = new RecentMap<string, number>();
  /** The latest refusal of each kind, until a list shows that it was kept. */
  readonly #unseen = new Map<string, Refusal>();
  /** A list may show a booking before the answer comes to the request that made it: judged when all have been answered. */
  readonly #shown = new RecentMap<string, { readonly said: Said; readonly received: number }>(mostShown);

  get forgotten(): number {
    return this.#refused.forgotten + this.#taken.forgotten;
  }

  learn(call: Call): void {
    const { op, exchange } = call;
    if (op !== 'wci.subscribe' && op !== 'wci.update') return;
    const rule = op === 'wci.subscribe' ? ruleOf(call) : undefined;
    for (const pnr of locatorsIn(call)) {
      if (rule === undefined) this.#take(pnr, call);
      else if (!this.#taken.has(pnr) && this.#taken.forgotten === 0) {
        const { id: by, enterprise, timings } = exchange;
        const refusal = { rule, pnr, by, enterprise, sent: timings.sent, received: timings.received };
        this.#refused.set(pnr, refusal);
        this.#unseen.set(rule, refusal);
      }
    }
  }

  /** Sentences that a list keeps: it shows a booking of before a refusal, and all that was made since, in the order in which it was. */
  keptBy({ op, answer, query, exchange }: Call, sights: readonly Sight[]): readonly Said[] {
    if (op !== 'wci.list' || this.#unseen.size === 0 || query.status !== undefined) return [];
    if (!showsLatest(answer, sights)) return [];
    const shown = sights.map(({ record }) => (typeof record.pnr === 'string' ? record.pnr : ''));
    const since = Math.min(...shown.map((pnr) => this.#taken.get(pnr) ?? Number.POSITIVE_INFINITY));
    const kept = [...this.#unseen.values()].filter(
      ({ enterprise, pnr, sent, received }) =>
        enterprise === exchange.enterprise &&
        !shown.includes(pnr) &&
        since < sent &&
        received < exchange.timings.sent,
    );
    for (const { rule } of kept) this.#unseen.delete(rule);
    return kept.map(({ rule }) => [rule, null]);
  }

  see(sight: Sight): void {
    const { pnr, status } = sight.record;
    if (sight.by !== 'list' || typeof pnr !== 'string') return;
    // A journey that is rejected, with whatever status, may be kept as one that failed; what becomes of that is open.
    if (status === 'FAILED') this.#refused.delete(pnr);
    const refusal = this.#refused.get(pnr);
    if (!refusal || this.#shown.has(pnr)) return;
    const want = is.pattern(`that of another booking than ${refusal.by} was refused for`);
    this.#show(pnr, refusal, sight.exchange, { at: place(sight, 'pnr'), want, got: is.value(pnr) });
  }

  end(): readonly Said[] {
    return [...this.#shown.values()].map(({ said }) => said);
  }

  /** A request whose answer is lost, or that was accepted in any way, may have made a booking. */
  #take(pnr: string, { exchange, op, status, answer }: Call): void {
    const [shown, refusal] = [this.#shown.get(pnr), this.#refused.get(pnr)];
    if (shown && exchange.timings.sent <= shown.received) this.#shown.delete(pnr);
    const isKnown =
      op === 'wci.subscribe' && status === 200 && isObject(answer) && answer.message === 'ALREADY_SUBSCRIBED';
    if (isKnown && refusal && refusal.rule === rows[401] && exchange.timings.sent >= refusal.received) {
      const want = is.noted(is.value('SCHEDULED'), `since ${refusal.by} was refused`);
      this.#show(pnr, refusal, exchange, { at: 'message', want, got: is.value(answer.message) });
    }
    this.#taken.set(pnr, exchange.timings.received);
    this.#refused.delete(pnr);
  }

  #show(pnr: string, { rule }: Refusal, by: Exchange, fault: Omit<Wrong, 'code'>): void {
    const said: Said = [rule, { code: 'listed', ...fault, because: [by] }];
    this.#shown.set(pnr, { said, received: by.timings.received });
  }
}

/** Whether a page is the end of a list, in the order of creation, to which new bookings are added. */
function showsLatest(answer: Call['answer'], sights: readonly Sight[]): boolean {
  const pagination = isObject(answer) && isObject(answer.pagination) ? answer.pagination : {};
  const { page, limit, total } = pagination;
  if (typeof page !== 'number' || typeof limit !== 'number' || typeof total !== 'number') return false;
  if (page === 0 && sights.length === total) return true;
  const times = sights.map(({ record }) => parseTimestamp(record.created_at) ?? Number.NaN);
  const isSorted = (sign: number) =>
    times.slice(1).every((time, at) => sign * (time - (times[at] ?? 0)) >= 0);
  if (times.at(0) === times.at(-1)) return false;
  return isSorted(1) ? (page + 1) * limit >= total : isSorted(-1) && page === 0;
}

function ruleOf({ status, carrier, body }: Call): string | undefined {
  const row = rows[status ?? 0];
  if ((status !== 400 && status !== 422) || isMissing(body?.callbackData) || !body) return row;
  const asked = { operation: 'wci.subscribe', carrier: carrier === 'multipart' ? carrier : 'json' } as const;
  const isCallback = readForms(body, asked).some(
    ({ kind, at }) => kind === 'fault' && at.startsWith('callbackData'),
  );
  // What a 422 without a fault is about, the journey or the callback, is not known.
  return isCallback ? ofCallback : status === 422 ? undefined : row;
}

/** The locators that a request names, of the form that is drawn at random; those of a multipart body by their spelling. */
function locatorsIn({ body, carrier, exchange: { request } }: Call): readonly string[] {
  if (body && carrier !== 'multipart') return locatorsOf(body);
  const spelled = Buffer.from(request.body ?? []).toString('latin1');
  return spelled.split(/[^A-Z0-9]+/).filter(isLocator);
}

const locatorsOf = onceForEach(({ pnr, payload }: JsonObject) =>
  [pnr, isObject(payload) ? payload.pnr : null].filter(isLocator),
);

function isLocator(text: Json | undefined): text is string {
  return typeof text === 'string' && /^[A-Z][A-Z0-9]{5}$/.test(text);
}
