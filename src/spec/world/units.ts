import { RecentMap } from '../../core/recentMap.ts';
import { isObject } from '../../trace/body.ts';
import type { Call } from '../../trace/call.ts';
import type { Evidence, Step } from '../../trace/evidence.ts';
import { textOf } from '../grammar/form.ts';
import { areObjects } from './changes.ts';

/** The quota as an answer or the state handler showed it. */
export interface Units {
  readonly included: number;
  readonly consumed: number;
}

/** What may have taken units since the quota was shown. */
export interface Since extends Units {
  readonly by: Evidence;
  /** When it was shown, in epoch milliseconds. */
  readonly at: number;
  readonly creations: number;
  /** Whether a repeated subscribe takes a unit is open (WCI-OPN-018). */
  readonly repeats: number;
  /** The sentences about the unit of the new booking that showed it, which may not be counted yet. */
  readonly own: readonly string[];
  /** The sentences about creations, and about requests that must not take a unit. */
  readonly creating: readonly string[];
  readonly sparing: readonly string[];
}

/** What the state handler last made of an entitlement. */
export interface Entitlement {
  readonly status: string;
  readonly wasInactive: boolean;
  readonly by: Step;
}

interface Account {
  readonly enterprise: string;
  /** Since the state handler told the quota, and since a new booking showed it; null where that is not known any more. */
  told: Since | null;
  shown: Since | null;
  entitlement: Entitlement | null;
  /** When the latest subscribe was answered, in epoch milliseconds. */
  heardAt: number;
}

/** The units of each enterprise, as far as all that may take some is known. */
export class Quotas {
  readonly #accounts = new RecentMap<string, Account>(2000);
  readonly #enterprises = new RecentMap<string, string>(5000);
  /** What the state handler set for keys whose enterprise has sent nothing yet. */
  readonly #waiting = new RecentMap<string, Step>(500);

  of(enterprise: string | null): Account {
    const name = enterprise ?? '';
    let account = this.#accounts.get(name);
    if (!account)
      this.#accounts.set(
        name,
        (account = { enterprise: name, told: null, shown: null, entitlement: null, heardAt: -Infinity }),
      );
    return account;
  }

  /** Nobody knows any more what was taken since. */
  doubt(): void {
    for (const account of this.#accounts.values()) Object.assign(account, { told: null, shown: null });
  }

  /** Learns whose a key is. */
  meet({ exchange: { key, enterprise } }: Call): void {
    if (key === null || enterprise === null || this.#enterprises.has(key)) return;
    this.#enterprises.set(key, enterprise);
    const step = this.#waiting.get(key);
    if (step) this.#set(this.of(enterprise), step);
  }

  /** The account that a step of the state handler is about; null where its enterprise is not known. */
  step(step: Step): Account | null {
    const { operation, params } = step;
    if (operation === 'reset') this.#accounts.clear();
    if (!operation.startsWith('entitlement.')) return null;
    const key = textOf(params?.key).replace(/^‹|›$/g, '');
    const enterprise = this.#enterprises.get(key);
    if (operation === 'entitlement.set' && enterprise === undefined) this.#waiting.set(key, step);
    if (enterprise === undefined) return null;
    const account = this.of(enterprise);
    if (operation === 'entitlement.set') this.#set(account, step);
    return account;
  }

  #set(account: Account, step: Step): void {
    const wasInactive = account.entitlement !== null && account.entitlement.status !== 'active';
    const status = step.outcome === 'done' ? textOf(step.params?.status) : '';
    Object.assign(account, { told: null, shown: null, entitlement: { status, wasInactive, by: step } });
  }
}

/** The quota of an answer to a subscribe; null where it shows none, which it need not. */
export function shownIn({ op, status, answer }: Call): Units | null {
  const quota = op === 'wci.subscribe' && status === 200 && isObject(answer) ? answer.quota : null;
  return isObject(quota) ? unitsOf(quota) : null;
}

export function unitsOf({ included_units: included, consumed_units: consumed }: Step['told']): Units | null {
  return Number.isSafeInteger(included) && Number.isSafeInteger(consumed)
    ? { included: Number(included), consumed: Number(consumed) }
    : null;
}

export function begin(units: Units, by: Evidence, at: number, own: readonly string[] = []): Since {
  return { ...units, by, at, own, creations: 0, repeats: 0, creating: [], sparing: [] };
}

/** The same with one more request; null where nobody knows what it takes. */
export function after(since: Since | null, call: Call): Since | null {
  if (since === null) return null;
  const { status, op } = call;
  // What was under way as the quota was shown may be in it or not.
  const isUnsure = call.sentAt < since.at || status === null || status >= 500;
  if (op.startsWith('fla.') && status !== 200) return since;
  if (op !== 'wci.subscribe')
    return {
      ...since,
      sparing: withRules(since.sparing, [op.startsWith('fla.') ? `WCI-QTA-017 ${op}` : 'WCI-QTA-015']),
    };
  if (isUnsure) return null;
  if (status === 400) return { ...since, sparing: withRules(since.sparing, ['WCI-QTA-008']) };
  const message = isObject(call.answer) ? call.answer.message : null;
  if (status === 422 || message === 'REJECTED')
    return { ...since, sparing: withRules(since.sparing, ['WCI-JRN-015']) };
  if (status !== 200) return since;
  if (message === 'ALREADY_SUBSCRIBED') return { ...since, repeats: since.repeats + 1 };
  if (message !== 'SCHEDULED') return null;
  return { ...since, creations: since.creations + 1, creating: withRules(since.creating, sentencesOf(call)) };
}

/** The sentences about the unit of a new booking, each with what is special about it. */
export function sentencesOf({ answer, carrier, body }: Call): readonly string[] {
  const missing = isObject(answer) ? answer.missing_info : null;
  const isIncomplete = Array.isArray(missing) && missing.length > 0;
  const rule = isIncomplete ? 'WCI-QTA-002' : 'WCI-QTA-001';
  const has = (member: 'flights' | 'passengers') => {
    const list = body?.[member];
    return areObjects(list) && list.length > 1;
  };
  return [
    rule,
    ...(carrier === 'multipart' ? ['WCI-QTA-001 by parts'] : []),
    ...(has('flights') ? ['WCI-QTA-001 of several legs'] : []),
    ...(has('passengers') ? ['WCI-QTA-001 of several passengers'] : []),
  ];
}

function withRules(known: readonly string[], more: readonly string[]): readonly string[] {
  return more.every((rule) => known.includes(rule)) ? known : [...new Set([...known, ...more])];
}
