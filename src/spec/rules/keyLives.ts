import type { Exchange } from '../../core/evidence.ts';
import { operations, type Api } from '../../core/operations.ts';
import { RecentMap } from '../../core/recentMap.ts';
import { responseOf } from '../../trace/body.ts';
import { keyIn, type Step } from '../../trace/evidence.ts';
import type { Said } from '../kernel/findings.ts';
import * as is from '../kernel/value.ts';
import { isGiven, isPlain, steadyRow } from './steadyKeys.ts';

export const lifeRows = ['SHR-AUT-008', 'SHR-AUT-009'];

/** How soon a revocation takes effect is open: a deployment has a minute to learn of it, less a second for the clocks. */
export const graceMs = 59_000;

/** So many keys that were issued in the run, and used for a second, do not all reach an API too late. */
const mostLate = 5;

const rows: Readonly<Record<string, string>> = {
  'keys.revoke': 'SHR-AUT-006',
  'keys.disable': 'SHR-AUT-007',
};

interface Dead {
  readonly rule: string;
  /** Whether it is certain: of a step without an answer nobody knows. */
  readonly isDone: boolean;
  /** Epoch milliseconds. */
  readonly since: number;
}

/** A key that was let in. */
interface Known {
  readonly enterprise: string;
  readonly apis: ReadonlySet<Api>;
  /** The latest answer that let it in. */
  readonly by: Exchange;
  /** How many steps had been done by then. */
  readonly steps: number;
  /** When it was first let in, in epoch milliseconds. */
  readonly since: number;
  /** The latest refusal by an API that never let it in. */
  readonly apart: Exchange | null;
}

/** Keys that the state handler revokes are refused from then on, and others of their enterprise are not; one key opens both APIs. */
export class KeyLives {
  readonly #dead = new Map<string, Dead>();
  readonly #known = new RecentMap<string, Known>(5000);
  /** When a key of each enterprise was last revoked or disabled; of one that sent nothing yet, under no name. */
  readonly #losses = new Map<string, Moment>();
  /** When the deployment's clock was last moved. */
  #move: Moment | null = null;
  #steps = 0;

  step(step: Step): void {
    const { operation, outcome, endedAt } = step;
    const moment = { steps: (this.#steps += 1), at: endedAt };
    if (operation === 'clock.advance' && outcome === 'done') this.#move = moment;
    if (operation === 'reset') for (const one of [this.#dead, this.#losses, this.#known]) one.clear();
    const rule = rows[operation];
    if (rule === undefined || outcome === 'refused') return;
    const key = keyIn(step);
    this.#dead.set(key, { rule, isDone: outcome === 'done', since: endedAt });
    this.#losses.set(this.#known.get(key)?.enterprise ?? '', moment);
  }

  judge(exchange: Exchange): readonly Said[] {
    const { key, enterprise, operation } = exchange;
    const status = responseOf(exchange)?.status;
    if (key === null || enterprise === null || operation === null || status === undefined) return nothing;
    if (!isPlain(exchange)) return nothing;
    const dead = this.#dead.get(key);
    if (dead) return judgeDead(dead, exchange, status);
    const { api } = operations[operation];
    if (status === 401) return this.#refused(exchange, key, { enterprise, api });
    return isLetIn(status) ? this.#letIn(exchange, key, { enterprise, api }) : nothing;
  }

  /** A key that was there before the run is known to both APIs; one that is issued may reach one of them later, but not each of many. */
  end(): readonly Said[] {
    const apart = [...this.#known].flatMap(([key, one]) =>
      one.apart && !this.#dead.has(key) ? [{ ...one, apart: one.apart, key }] : [],
    );
    const since = (one: (typeof apart)[number]) => one.apart.timings.sentAt - one.since;
    const isBoth = new Set(
      [...this.#known].flatMap(([key, one]) => (!isGiven(key) && one.apis.size > 1 ? [one.enterprise] : [])),
    );
    const many = apart.filter((one) => !isBoth.has(one.enterprise) && since(one) >= 1000);
    return apart
      .filter(
        (one) => isGiven(one.key) || since(one) >= graceMs || (many.length >= mostLate && many.includes(one)),
      )
      .map((one) => ['SHR-AUT-009', notAccepted(one.apart, one.by, 'by both APIs')]);
  }

  #letIn(by: Exchange, key: string, { enterprise, api }: Sender): readonly Said[] {
    const known = this.#known.get(key);
    const apis = known?.apis.has(api) === true ? known.apis : new Set([...(known?.apis ?? []), api]);
    const apart = apis === known?.apis ? known.apart : null;
    const since = known?.since ?? by.timings.sentAt;
    this.#known.set(key, { enterprise, apis, by, apart, since, steps: this.#steps });
    const kept = [
      ...(apis.size > 1 ? ['SHR-AUT-009'] : []),
      ...(isAfter(by, this.#losses.get(enterprise)) ? ['SHR-AUT-008'] : []),
      ...(known && this.#hasAged(known, by) ? [steadyRow] : []),
    ];
    return kept.map((rule) => [rule, null]);
  }

  #refused(by: Exchange, key: string, { enterprise, api }: Sender): readonly Said[] {
    const known = this.#known.get(key);
    if (!known) return nothing;
    // An API that let it in before refuses it for another reason, and so may the other one.
    if (!known.apis.has(api)) {
      this.#known.set(key, { ...known, apart: by });
      return nothing;
    }
    this.#known.set(key, { ...known, apart: null });
    const loss = this.#losses.get(enterprise);
    if (loss && isBetween(loss, known, by))
      return [['SHR-AUT-008', notAccepted(by, known.by, 'although another one was revoked')]];
    return this.#hasAged(known, by)
      ? [[steadyRow, notAccepted(by, known.by, 'since a key stays valid')]]
      : nothing;
  }

  /** Whether the clock was moved since a key of the run was let in; keys of the pools are judged by what they do later. */
  #hasAged(known: Known, by: Exchange): boolean {
    const isRevoked = [this.#losses.get(''), this.#losses.get(known.enterprise)].some(
      (loss) => loss && loss.steps > known.steps,
    );
    return known.enterprise.startsWith('new-') && !isRevoked && isBetween(this.#move, known, by);
  }
}

interface Sender {
  readonly enterprise: string;
  readonly api: Api;
}

/** The end of a step. */
interface Moment {
  readonly steps: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

function isBetween(moment: Moment | null, { steps }: Known, by: Exchange): boolean {
  return moment !== null && steps < moment.steps && isAfter(by, moment);
}

function isAfter({ timings }: Exchange, moment: Moment | null | undefined): boolean {
  return moment != null && timings.sentAt >= moment.at;
}

const nothing: readonly Said[] = Object.freeze([]);

function judgeDead({ rule, isDone, since }: Dead, exchange: Exchange, status: number): readonly Said[] {
  const { sentAt } = exchange.timings;
  if (!isDone || sentAt < since) return nothing;
  if (status === 401) return [[rule, null]];
  // What is refused for its form before its key is looked at says nothing of the key.
  if (sentAt - since < graceMs || status === 400 || !(isLetIn(status) || status === 403)) return nothing;
  const want = is.noted(is.answer(401), 'since the key was revoked or disabled');
  return [[rule, { code: 'key', at: 'answer', want, got: is.answer(status), because: [exchange] }]];
}

/** An answer that is about the request, and not about the key or a fault. */
function isLetIn(status: number): boolean {
  return status < 500 && ![401, 403, 405, 408, 429].includes(status);
}

function notAccepted(refused: Exchange, before: Exchange, note: string) {
  const want = is.noted(is.text('the key to be accepted'), note);
  const got = is.answer(responseOf(refused)?.status ?? 0);
  return { code: 'key', at: 'answer', want, got, because: [before, refused] };
}
