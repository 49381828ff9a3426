import type { Exchange } from '../../core/evidence.ts';
import { onceForEach } from '../../core/latest.ts';
import { RecentMap } from '../../core/recentMap.ts';
import { isObject, type Json, type JsonObject } from '../../trace/body.ts';
import type { Call } from '../../trace/call.ts';
import { isMissing, textOf } from '../grammar/form.ts';
import { isRejection } from './journeys.ts';
import * as is from '../kernel/value.ts';
import type { Wrong, Said } from '../kernel/findings.ts';
import { pageOf, type Page } from '../world/listings.ts';
import { isForCallback } from '../world/units.ts';
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
  readonly by: string;
  readonly received: number;
  readonly enterprise: string | null;
}

/** Enough to tell of; a deployment that keeps every refused booking shows thousands. */
const mostShown = 20;

/**
 * A booking that was always refused is in no list: its locator was never sent with anything else, by whoever. One that was refused for
 * its key alone, which may belong to any enterprise, or for lack of a unit is new to the next subscribe.
 */
export class Refusals {
  readonly #refused = new RecentMap<string, Refusal>();
  /** Those of which no list has been seen that would show them. */
  readonly #unseen = new RecentMap<string, Refusal>(1000);
  /** When a list first showed a record, by its id. */
  readonly #seen = new RecentMap<string, number>();
  readonly #taken = new RecentMap<string, true>();
  /** A list may show a booking before the answer comes to the request that made it: judged when all have been answered. */
  readonly #shown = new RecentMap<string, { readonly said: Said; readonly received: number }>(mostShown);

  get forgotten(): number {
    return this.#refused.forgotten + this.#taken.forgotten;
  }

  /** Returns the sentence that a booking keeps by being new although it was refused before. */
  learn(call: Call): string | null {
    const { op, exchange } = call;
    if (op !== 'wci.subscribe' && op !== 'wci.update') return null;
    const rule = op === 'wci.subscribe' ? ruleOf(call) : undefined;
    let kept: string | null = null;
    for (const pnr of locatorsIn(call)) {
      if (rule === undefined) kept = this.#take(pnr, call) ?? kept;
      else if (!this.#taken.has(pnr) && this.#taken.forgotten === 0)
        this.#refuse(pnr, {
          rule,
          by: exchange.id,
          received: exchange.timings.received,
          enterprise: call.enterprise,
        });
    }
    return kept;
  }

  /** A list that shows whatever was written since a refusal, and nothing of it, keeps its rule. */
  judge(call: Call, say: (said: Said) => void): void {
    const page = pageOf(call);
    if (page?.filter.status !== null) return;
    const [since, kept] = [this.#showsSince(page), new Set<string>()];
    for (const [pnr, { rule, received, enterprise }] of this.#unseen) {
      if (received < since || received > call.exchange.timings.sent) continue;
      if (enterprise !== null && enterprise !== call.enterprise) continue;
      this.#unseen.delete(pnr);
      if (this.#refused.has(pnr) && !this.#shown.has(pnr)) kept.add(rule);
    }
    for (const rule of kept) say([rule, null]);
    for (const id of page.ids) if (!this.#seen.has(id)) this.#seen.set(id, call.exchange.timings.received);
  }

  /** Since when nothing can have been written that a page does not show; Infinity where that is not known. */
  #showsSince({ items, page, limit, total }: Page): number {
    if (page === 0 && total === items.length) return -Infinity;
    const times = items.map(({ created_at: at }) => Date.parse(textOf(at)));
    const [first = 0, last = 0] = [times[0], times.at(-1)];
    const isOrdered = (sign: number) =>
      sign * last > sign * first &&
      times.every((at, index) => index === 0 || sign * (at - (times[index - 1] ?? at)) >= 0);
    const isLast = (page + 1) * limit >= total;
    const oldest = page === 0 && isOrdered(-1) ? items.at(-1) : isLast && isOrdered(1) ? items[0] : undefined;
    return this.#seen.get(textOf(oldest?.checkin_id)) ?? Infinity;
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

  #refuse(pnr: string, refusal: Refusal): void {
    this.#refused.set(pnr, refusal);
    this.#unseen.set(pnr, refusal);
  }

  /** A request whose answer is lost, or that was accepted in any way, may have made a booking. */
  #take(pnr: string, { exchange, op, status, answer, enterprise }: Call): string | null {
    const [shown, refusal] = [this.#shown.get(pnr), this.#refused.get(pnr)];
    if (shown && exchange.timings.sent <= shown.received) this.#shown.delete(pnr);
    const message = op === 'wci.subscribe' && status === 200 && isObject(answer) ? answer.message : null;
    if (
      message === 'ALREADY_SUBSCRIBED' &&
      refusal &&
      (refusal.rule === rows[401] || (refusal.rule === rows[402] && refusal.enterprise === enterprise)) &&
      exchange.timings.sent >= refusal.received
    ) {
      const want = is.noted(is.value('SCHEDULED'), `since ${refusal.by} was refused`);
      this.#show(pnr, refusal, exchange, { at: 'message', want, got: is.value(message) });
    }
    this.#taken.set(pnr, true);
    this.#refused.delete(pnr);
    return message === 'SCHEDULED' ? (refusal?.rule ?? null) : null;
  }

  #show(pnr: string, { rule }: Refusal, by: Exchange, fault: Omit<Wrong, 'code'>): void {
    const said: Said = [rule, { code: 'listed', ...fault, because: [by] }];
    this.#shown.set(pnr, { said, received: by.timings.received });
  }
}

function ruleOf(call: Call): string | undefined {
  const status = isRejection(call) ? 422 : call.status;
  const row = rows[status ?? 0];
  if ((status !== 400 && status !== 422) || isMissing(call.body?.callbackData)) return row;
  // What a 422 without a fault is about, the journey or the callback, is not known.
  return isForCallback(call) ? ofCallback : status === 422 ? undefined : row;
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

export function isLocator(text: Json | undefined): text is string {
  return typeof text === 'string' && /^[A-Z][A-Z0-9]{5}$/.test(text);
}
