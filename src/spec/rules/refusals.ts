import type { Exchange } from '../../core/evidence.ts';
import { onceForEach } from '../../core/latest.ts';
import { RecentMap } from '../../core/recentMap.ts';
import { isObject, type Json, type JsonObject } from '../../trace/body.ts';
import type { Call } from '../../trace/call.ts';
import { isMissing } from '../grammar/form.ts';
import { readForms } from '../grammar/readForms.ts';
import * as is from '../kernel/value.ts';
import type { Wrong, Said } from '../kernel/findings.ts';
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
}

/** Enough to tell of; a deployment that keeps every refused booking shows thousands. */
const mostShown = 20;

/**
 * A booking that was always refused is in no list: its locator was never sent with anything else, by whoever. One that was refused for
 * its key alone, which may belong to any enterprise, is new to the next subscribe.
 */
export class Refusals {
  readonly #refused = new RecentMap<string, Refusal>();
  readonly #taken = new RecentMap<string, true>();
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
      else if (!this.#taken.has(pnr) && this.#taken.forgotten === 0)
        this.#refused.set(pnr, { rule, by: exchange.id, received: exchange.timings.received });
    }
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
    this.#taken.set(pnr, true);
    this.#refused.delete(pnr);
  }

  #show(pnr: string, { rule }: Refusal, by: Exchange, fault: Omit<Wrong, 'code'>): void {
    const said: Said = [rule, { code: 'listed', ...fault, because: [by] }];
    this.#shown.set(pnr, { said, received: by.timings.received });
  }
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
