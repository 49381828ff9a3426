import { isObject } from '../../trace/body.ts';
import type { Call } from '../../trace/call.ts';
import type { Evidence, Step } from '../../trace/evidence.ts';
import { codeOf } from './suspect.ts';
import { only, type Blame } from '../kernel/blame.ts';
import {
  after,
  begin,
  Quotas,
  sentencesOf,
  shownIn,
  unitsOf,
  type Since,
  type Units,
} from '../world/units.ts';

/** The rows of entitlements in which no new booking is accepted. */
const inactive: Readonly<Record<string, string>> = { none: 'WCI-QTA-003', suspended: 'WCI-QTA-004' };
/** Keys that a user has named for their entitlements. */
const named: Readonly<Record<string, string>> = { noEntitlement: 'WCI-QTA-003', suspended: 'WCI-QTA-004' };
const mostLate = 1000;

/** What is judged at the end; a request that was under way at the time, and is answered later, may explain it. */
interface Late {
  readonly enterprise: string;
  /** When the quota was shown, in epoch milliseconds. */
  readonly at: number;
  /** Notes what is kept, and tells how to blame what is not. */
  readonly judge: () => (() => void) | null;
  isVoid: boolean;
}

/** Units are taken by new bookings, one by each, and by nothing else; none is accepted without. */
export class QuotaRules {
  readonly #quotas = new Quotas();
  readonly #blame: Blame;
  /** Whether nobody else uses the enterprises, so that all that takes units is known. */
  readonly #isAlone: boolean;
  /** Whether repeated subscribes take none, and whether a subscribe shows its own unit (WCI-OPN-018, WCI-OPN-066). */
  #repeatsAreFree = false;
  #countsOwn: boolean | null = null;
  #late: readonly Late[] = [];

  constructor(blame: Blame, isAlone: boolean) {
    this.#blame = blame;
    this.#isAlone = isAlone;
  }

  judge(call: Call, isKnown: boolean): void {
    if (!this.#isAlone) return;
    // Where a key that is none is let in, nobody knows whose units it takes.
    if (call.keyState !== 'active' && call.op === 'wci.subscribe') this.#quotas.doubt();
    if (call.keyState !== 'active') return;
    this.#quotas.meet(call);
    if (call.op === 'wci.subscribe') this.#judgeEntitlement(call);
    const account = this.#quotas.of(call.enterprise);
    if (call.op === 'wci.subscribe') this.#overlap(call);
    this.#judgeLack(call, account.told, account.shown);
    account.told = after(account.told, call);
    account.shown = after(account.shown, call);
    const units = shownIn(call);
    // Another booking, answered while this one was under way, may be in what it shows or not.
    const isAlone = call.sentAt >= account.heardAt;
    if (call.op === 'wci.subscribe') account.heardAt = Math.max(account.heardAt, call.receivedAt);
    const isNew = isObject(call.answer) && call.answer.message === 'SCHEDULED';
    // A new booking with a known id is none: what it took is not known.
    if (isNew && isKnown) Object.assign(account, { told: null, shown: null });
    if (units === null || !isNew || isKnown) return;
    const at = { enterprise: call.enterprise, at: call.receivedAt };
    if (account.shown) this.#judgeUnits(account.shown, units, call.exchange, at);
    account.shown = isAlone ? begin(units, call.exchange, call.receivedAt, sentencesOf(call)) : null;
  }

  step(step: Step): void {
    const account = this.#quotas.step(step);
    const units = step.operation === 'entitlement.get' && step.outcome === 'done' ? unitsOf(step.told) : null;
    if (!account || !units) return;
    const { told, shown, enterprise } = account;
    if (told) this.#judgeUnits(told, units, step, { enterprise, at: step.startedAt });
    if (shown) this.#compareShown(shown, units, step);
    account.told = begin(units, step, step.endedAt);
  }

  end(): void {
    const certain = this.#late.filter(({ isVoid }) => !isVoid);
    for (const accuse of certain.map(({ judge }) => judge())) accuse?.();
    this.#late = [];
  }

  /** A new booking without an entitlement that allows it. */
  #judgeEntitlement(call: Call): void {
    const { entitlement } = this.#quotas.of(call.enterprise);
    const isNew = call.status === 200 && isObject(call.answer) && call.answer.message === 'SCHEDULED';
    const rule = inactive[entitlement?.status ?? ''] ?? named[call.enterprise ?? ''];
    if (entitlement?.status === 'active' && entitlement.wasInactive && isNew) this.#blame.show('WCI-QTA-016');
    if (rule !== undefined && call.status === 402 && codeOf(call) === 'QUOTA_EXHAUSTED')
      this.#blame.show(rule);
    if (!isNew || rule === undefined) return;
    const because = [...(entitlement ? [entitlement.by] : []), call.exchange];
    this.#accuse([rule], 'HTTP 402', 'HTTP 200', because);
  }

  /** A refusal although there are units left. */
  #judgeLack(call: Call, told: Since | null, shown: Since | null): void {
    if (call.op !== 'wci.subscribe' || call.status !== 402) return;
    const { entitlement } = this.#quotas.of(call.enterprise);
    if (entitlement && entitlement.status !== 'active') return;
    const judge = (since: Since | null, own: number) => {
      if (since === null || since.included < 0 || call.sentAt < since.at) return;
      const left = since.included - since.consumed - own - since.creations - since.repeats;
      if (left < 1) return;
      const rule = entitlement?.wasInactive === true ? 'WCI-QTA-016' : 'WCI-QTA-011';
      this.#accuse([rule, ...since.sparing], `${left} units to be left`, 'HTTP 402', [
        since.by,
        call.exchange,
      ]);
    };
    this.#later(call.enterprise, call.receivedAt, () => {
      const own = told || this.#countsOwn === true ? 0 : 1;
      return told || this.#countsOwn !== null ? () => judge(told ?? shown, own) : null;
    });
  }

  /** The state handler tells whether the latest new booking has shown its own unit. */
  #compareShown(shown: Since, units: Units, step: Step): void {
    if (shown.included === units.included) this.#blame.show('WCI-QTA-080');
    else
      this.#accuse(['WCI-QTA-080'], `included_units ${units.included}`, `${shown.included}`, [
        step,
        shown.by,
      ]);
    if (shown.included !== units.included) return;
    if (shown.creations + shown.repeats === 0 && shown.sparing.length === 0)
      this.#countsOwn ??= shown.consumed === units.consumed;
  }

  /** New bookings that show the quota differ by as many as were made, whether each counts its own unit or not. */
  #judgeUnits(
    since: Since,
    units: Units,
    by: Evidence,
    { enterprise, at }: { readonly enterprise: string | null; readonly at: number },
  ): void {
    if (since.included !== units.included) return;
    const { creations, repeats, sparing } = since;
    const taken = units.consumed - since.consumed;
    if (taken === creations && repeats > 0) this.#repeatsAreFree = true;
    this.#later(enterprise, at, () => {
      const creating = this.#countedIn(since, taken === creations);
      if (taken === creations) this.#keep(creating, sparing);
      else if (taken < creations || taken > creations + (this.#repeatsAreFree ? 0 : repeats)) {
        const more =
          taken < creations ? [] : [...sparing, ...(repeats > 0 ? ['WCI-QTA-001 beside others'] : [])];
        const want = `consumed_units to rise by ${creations}`;
        return () => this.#accuse([...creating, ...more], want, `by ${taken}`, [since.by, by]);
      }
      return null;
    });
  }

  /** The sentences about the units that two quotas differ by; of one that may count its own unit or not, what is certain or all. */
  #countedIn({ own, creating, creations }: Since, isCertain: boolean): readonly string[] {
    if (creations === 0) return [];
    if (own.length === 0 || this.#countsOwn === true) return creating;
    const isSame = own.length === creating.length && own.every((rule) => creating.includes(rule));
    if (isCertain) return isSame ? creating : [];
    return [...new Set([...creating, ...own])];
  }

  #keep(creating: readonly string[], sparing: readonly string[]): void {
    // Of what is refused or asked of flight alerts, each kind may take units for itself.
    const write = sparing.filter((rule) => rule === 'WCI-QTA-015');
    this.#blame.keep({ rules: creating, write, isCertain: true });
    this.#blame.show(...sparing);
  }

  #later(enterprise: string | null, at: number, judge: Late['judge']): void {
    this.#late = [...this.#late, { enterprise: enterprise ?? '', at, judge, isVoid: false }].slice(-mostLate);
  }

  /** What was under way at the time may have taken a unit. */
  #overlap({ enterprise, sentAt }: Call): void {
    for (const one of this.#late) if (one.enterprise === enterprise && sentAt < one.at) one.isVoid = true;
  }

  #accuse(rules: readonly string[], want: string, got: string, because: readonly Evidence[]): void {
    const violation = { code: 'known:units', at: 'quota.consumed_units', want, got, because };
    this.#blame.accuse(only(...rules), 'quota', violation);
  }
}
