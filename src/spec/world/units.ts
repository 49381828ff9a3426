import { RecentMap } from '../../core/recentMap.ts';
import { isObject } from '../../trace/body.ts';
import type { Call } from '../../trace/call.ts';
import { keyIn, type Evidence, type Step } from '../../trace/evidence.ts';
import { isMissing, textOf } from '../grammar/form.ts';
import { readForms } from '../grammar/readForms.ts';
import { areObjects } from './changes.ts';

/** The sentence about a unit that another key of the enterprise takes. */
export const byOtherKey = 'WCI-QTA-012';

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
  /** New bookings of all enterprises by then. */
  readonly total: number;
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

/** What certainly was left, as it was shown before, and how many new bookings were asked for since. */
interface Left extends Units {
  readonly by: Evidence;
  readonly at: number;
  made: number;
  /** When the latest subscribe since then was answered. */
  heardAt: number;
}

export function leftOf(units: Units, by: Evidence, at: number): Left {
  return { ...units, by, at, made: 0, heardAt: -Infinity };
}

export interface Account {
  readonly enterprise: string;
  /** How many answers its keys got. */
  answers: number;
  left: Left | null;
  /** The latest subscribe, if it was refused for lack of an entitlement or of units. */
  lacks: Call | null;
  /** Since the state handler told the quota, and since a new booking showed it; null where that is not known any more. */
  told: Since | null;
  shown: Since | null;
  /** Since a repeat showed it. */
  seen: Since | null;
  entitlement: Entitlement | null;
  /** When the latest subscribe was answered, in epoch milliseconds. */
  heardAt: number;
}

/** The units of each enterprise, as far as all that may take some is known. */
export class Quotas {
  readonly #accounts = new RecentMap<string, Account>(2000);
  readonly #enterprises = new RecentMap<string, string>(5000);
  /** What the state handler set for keys whose enterprise has sent nothing yet. */
  readonly #waiting = new RecentMap<string, readonly Step[]>(500);
  /** New bookings of all enterprises. */
  total = 0;

  of(enterprise: string | null): Account {
    const name = enterprise ?? '';
    let account = this.#accounts.get(name);
    if (!account)
      this.#accounts.set(
        name,
        (account = {
          ...{ enterprise: name, answers: 0, left: null, lacks: null },
          ...{ told: null, shown: null, seen: null, entitlement: null, heardAt: -Infinity },
        }),
      );
    return account;
  }

  begin(units: Units, by: Evidence, at: number, own: readonly string[] = []): Since {
    return {
      ...{ ...units, by, at, own, creations: 0, repeats: 0, total: this.total, creating: [], sparing: [] },
    };
  }

  /** Nobody knows any more what was taken since. */
  doubt(): void {
    for (const account of this.#accounts.values())
      Object.assign(account, { told: null, shown: null, seen: null });
  }

  /** Learns whose a key is. */
  meet({ exchange: { key, enterprise } }: Call): void {
    if (key === null || enterprise === null || this.#enterprises.has(key)) return;
    this.#enterprises.set(key, enterprise);
    const account = this.of(enterprise);
    for (const step of this.#waiting.get(key) ?? []) {
      if (step.operation === 'entitlement.set') this.#set(account, step);
      // What another key of the enterprise took since is not known.
      else if (account.answers === 0) this.#tell(account, step);
    }
  }

  /** The account that a step of the state handler is about; null where its enterprise is not known. */
  step(step: Step): Account | null {
    const { operation } = step;
    if (operation === 'reset') this.#accounts.clear();
    if (!operation.startsWith('entitlement.')) return null;
    const key = keyIn(step);
    const enterprise = this.#enterprises.get(key);
    if (enterprise === undefined) {
      this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), step].slice(-2));
      return null;
    }
    const account = this.of(enterprise);
    if (operation === 'entitlement.set') this.#set(account, step);
    return account;
  }

  #tell(account: Account, step: Step): void {
    const units = toldBy(step);
    if (!units) return;
    account.told = this.begin(units, step, step.endedAt);
    account.left = leftOf(units, step, step.endedAt);
  }

  #set(account: Account, step: Step): void {
    const wasInactive = account.entitlement !== null && account.entitlement.status !== 'active';
    const status = step.outcome === 'done' ? textOf(step.params?.status) : '';
    const entitlement = { status, wasInactive, by: step };
    Object.assign(account, { told: null, shown: null, seen: null, left: null, lacks: null, entitlement });
  }
}

/** The quota of an answer to a subscribe; null where it shows none, which it need not. */
export function shownIn({ op, status, answer }: Call): Units | null {
  const quota = op === 'wci.subscribe' && status === 200 && isObject(answer) ? answer.quota : null;
  return isObject(quota) ? unitsOf(quota) : null;
}

/** The quota that the state handler tells; null where it tells none. */
export function toldBy({ operation, outcome, told }: Step): Units | null {
  return operation === 'entitlement.get' && outcome === 'done' ? unitsOf(told) : null;
}

export function unitsOf({ included_units: included, consumed_units: consumed }: Step['told']): Units | null {
  return Number.isSafeInteger(included) && Number.isSafeInteger(consumed)
    ? { included: Number(included), consumed: Number(consumed) }
    : null;
}

/** The same with one more request, which may return a known booking; null where nobody knows what it takes. */
export function after(since: Since | null, call: Call, isKnown: boolean): Since | null {
  if (since === null) return null;
  const { status, op } = call;
  // What was under way as the quota was shown may be in it or not; what a limiter refuses is no matter of the quota.
  const isUnsure = call.sentAt < since.at || status === null || status >= 500 || status === 429;
  if (op !== 'wci.subscribe')
    return {
      ...since,
      sparing: withRules(since.sparing, [op.startsWith('fla.') ? `WCI-QTA-017 ${op}` : 'WCI-QTA-015']),
    };
  if (isUnsure) return null;
  if ((status === 400 || status === 422) && isForCallback(call))
    return { ...since, sparing: withRules(since.sparing, ['WCI-CBR-021']) };
  if (status === 400) return { ...since, sparing: withRules(since.sparing, ['WCI-QTA-008']) };
  const message = isObject(call.answer) ? call.answer.message : null;
  if (status === 422 || message === 'REJECTED')
    return { ...since, sparing: withRules(since.sparing, ['WCI-JRN-015']) };
  if (status !== 200) return since;
  // One that came at the same time as the first may be answered like it.
  if (message === 'ALREADY_SUBSCRIBED' || (message === 'SCHEDULED' && isKnown))
    return { ...since, repeats: since.repeats + 1 };
  if (message !== 'SCHEDULED') return null;
  const isByOther = keyOf(since.by) !== call.exchange.key;
  const rules = [...sentencesOf(call), ...(isByOther ? [byOtherKey] : [])];
  return { ...since, creations: since.creations + 1, creating: withRules(since.creating, rules) };
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

/** Whether a refusal may be for what callbackData says. */
export function isForCallback({ body, carrier }: Call): boolean {
  if (!body || isMissing(body.callbackData)) return false;
  const asked = { operation: 'wci.subscribe', carrier: carrier === 'multipart' ? carrier : 'json' } as const;
  return readForms(body, asked).some(({ kind, at }) => kind === 'fault' && at.startsWith('callbackData'));
}

function keyOf(by: Evidence): string | null {
  return 'type' in by ? (by.type === 'step' ? keyIn(by) : null) : 'key' in by ? by.key : null;
}

function withRules(known: readonly string[], more: readonly string[]): readonly string[] {
  return more.every((rule) => known.includes(rule)) ? known : [...new Set([...known, ...more])];
}
