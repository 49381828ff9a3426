import { isObject } from '../../trace/body.ts';
import type { Call } from '../../trace/call.ts';
import type { Evidence, Step } from '../../trace/evidence.ts';
import { codeOf } from './suspect.ts';
import { only, owed, type Blame, type Suspects } from '../kernel/blame.ts';
import type { Said } from '../kernel/findings.ts';
import * as is from '../kernel/value.ts';
import {
  after,
  byOtherKey,
  leftOf,
  Quotas,
  sentencesOf,
  shownIn,
  toldBy,
  type Account,
  type Since,
  type Units,
} from '../world/units.ts';

/** The rows of entitlements in which no new booking is accepted. */
const inactive: Readonly<Record<string, string>> = { none: 'WCI-QTA-003', suspended: 'WCI-QTA-004' };
/** Keys that a user has named for their entitlements. */
const named: Readonly<Record<string, string>> = {
  noEntitlement: 'WCI-QTA-003',
  suspended: 'WCI-QTA-004',
  exhausted: 'WCI-QTA-005',
};
const mostLate = 1000;
const nothing: readonly Said[] = Object.freeze([]);
const settleMs = 3_000;

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

  judge(call: Call, isKnown: boolean): readonly Said[] {
    const served = call.keyState === 'active' ? this.#judgeServed(call, isKnown) : nothing;
    if (!this.#isAlone) return served;
    // Where a key that is none is let in, nobody knows whose units it takes.
    if (call.keyState !== 'active' && call.op === 'wci.subscribe') this.#quotas.doubt();
    if (call.keyState !== 'active') return served;
    this.#quotas.meet(call);
    const account = this.#quotas.of(call.enterprise);
    account.answers += 1;
    const said = call.op === 'wci.subscribe' ? this.#judgeEntitlement(call, account, isKnown) : served;
    this.#count(call, account, isKnown);
    return said;
  }

  #count(call: Call, account: Account, isKnown: boolean): void {
    if (call.op === 'wci.subscribe') this.#overlap(call);
    this.#judgeLack(call, account.told, account.shown);
    account.told = after(account.told, call, isKnown);
    account.shown = after(account.shown, call, isKnown);
    const units = shownIn(call);
    // Another booking, answered while this one was under way, may be in what it shows or not.
    const isAlone = call.sentAt >= account.heardAt;
    if (call.op === 'wci.subscribe') account.heardAt = Math.max(account.heardAt, call.receivedAt);
    const isNew = isObject(call.answer) && call.answer.message === 'SCHEDULED';
    if (isNew && !isKnown) this.#quotas.total += 1;
    account.seen = after(account.seen, call, isKnown);
    if (units !== null && (!isNew || isKnown)) {
      if (account.seen) this.#showSpared(account.seen, units);
      account.seen = isAlone ? this.#quotas.begin(units, call.exchange, call.receivedAt) : null;
    }
    if (units === null || !isNew || isKnown) return;
    const at = { enterprise: call.enterprise, at: call.receivedAt };
    if (account.shown) this.#judgeUnits(account.shown, units, call.exchange, at);
    account.shown = isAlone
      ? this.#quotas.begin(units, call.exchange, call.receivedAt, sentencesOf(call))
      : null;
    account.left ??= leftOf(units, call.exchange, call.receivedAt);
  }

  step(step: Step): void {
    const account = this.#quotas.step(step);
    const units = toldBy(step);
    if (!account || !units) return;
    const { told, shown, enterprise } = account;
    // An account that a queue keeps is settled after a while.
    const isLate = told !== null && units.consumed < told.consumed + told.creations;
    if (isLate && step.startedAt - account.heardAt < settleMs) return;
    if (told) this.#judgeUnits(told, units, step, { enterprise, at: step.startedAt });
    if (shown) this.#compareShown(shown, units, step);
    account.told = this.#quotas.begin(units, step, step.endedAt);
    account.left = leftOf(units, step, step.endedAt);
  }

  end(): void {
    const certain = this.#late.filter(({ isVoid }) => !isVoid);
    for (const accuse of certain.map(({ judge }) => judge())) accuse?.();
    this.#late = [];
  }

  /** Nothing but a subscribe is refused for lack of an entitlement. */
  #judgeServed({ op, status, exchange, enterprise, ...call }: Call, isKnown: boolean): readonly Said[] {
    const account = this.#quotas.of(enterprise);
    if (op === 'wci.subscribe') {
      if (status === 402) account.lacks = { op, status, exchange, enterprise, ...call };
      else if (status === 200) account.lacks = null;
      return nothing;
    }
    const isFlight = op.startsWith('fla.');
    const rule = isFlight ? 'WCI-QTA-014' : 'WCI-QTA-006';
    const isLacking = account.lacks !== null || lackOf(account) !== undefined;
    // Of another's record, 403 has another reason.
    const isForbidden = status === 403 && isLacking && (op === 'wci.list' || isFlight || isKnown);
    const isServed = status !== null && [200, 400, 404, 409, 422].includes(status);
    if (status !== 402 && !isForbidden) return isLacking && isServed ? [[rule, null]] : nothing;
    const want: is.Value = { kind: 'other-than', statuses: [402, 403] };
    return [[rule, { code: 'entitlement', at: 'answer', want, got: is.answer(status), because: [exchange] }]];
  }

  /** A new booking without an entitlement that allows it, or with no unit left. */
  #judgeEntitlement(call: Call, account: Account, isKnown: boolean): readonly Said[] {
    const { entitlement, left } = account;
    const isNew = call.status === 200 && isObject(call.answer) && call.answer.message === 'SCHEDULED';
    if (entitlement?.status === 'active' && entitlement.wasInactive && isNew) this.#blame.show('WCI-QTA-016');
    const lack = lackOf(account);
    const isSince = left !== null && left.included >= 0 && call.sentAt >= left.at && !isKnown;
    const isUsedUp = lack === undefined && isSince && left.consumed + left.made >= left.included;
    const isAtOnce = isSince && call.sentAt <= left.heardAt;
    if (isNew && isSince) left.made += 1;
    if (left) left.heardAt = Math.max(left.heardAt, call.receivedAt);
    if (lack === undefined && !isUsedUp) return nothing;
    const isLast = call.carrier !== 'multipart' && !isAtOnce;
    const rules = [lack ?? 'WCI-QTA-005', ...(lack === undefined && isLast ? ['WCI-QTA-011'] : [])];
    const ofRace = lack === undefined && isAtOnce ? ['WCI-QTA-010'] : [];
    if (call.status === 402 && codeOf(call) === 'QUOTA_EXHAUSTED')
      return [...rules, ...ofRace].map((rule) => [rule, null]);
    const isRefusedOtherwise = [402, 403, 404, 409].includes(call.status ?? 0);
    if (!isNew && !isRefusedOtherwise) return nothing;
    const by = lack === undefined ? left?.by : entitlement?.by;
    const want = is.refusal(402, 'QUOTA_EXHAUSTED', 'with no unit to use');
    const because = [...(by && (!('type' in by) || by.type === 'step') ? [by] : []), call.exchange];
    const wrong = { code: 'entitlement', at: 'answer', want, got: is.answer(call.status ?? 0), because };
    const broken = isRefusedOtherwise ? rules.slice(0, 1) : ofRace.length > 0 ? ofRace : rules;
    return broken.map((rule) => [rule, wrong]);
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
      this.#accuse(only(rule, ...since.sparing), `${left} units to be left`, is.answer(402), [
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
      this.#accuse(only('WCI-QTA-080'), `included_units ${units.included}`, `${shown.included}`, [
        step,
        shown.by,
      ]);
    if (shown.included !== units.included) return;
    if (shown.creations + shown.repeats === 0 && shown.sparing.length === 0)
      this.#countsOwn ??= shown.consumed === units.consumed;
  }

  /** Where no more was taken than new bookings take, nothing else has taken any. */
  #showSpared(since: Since, units: Units): void {
    const isSpared = since.included === units.included && units.consumed - since.consumed === since.creations;
    if (isSpared) this.#blame.show(...this.#sparingIn(since));
  }

  #sparingIn({ sparing, total, creations }: Since): readonly string[] {
    return this.#quotas.total - total > creations ? [...sparing, 'WCI-QTA-013'] : sparing;
  }

  /** New bookings that show the quota differ by as many as were made, whether each counts its own unit or not. */
  #judgeUnits(
    since: Since,
    units: Units,
    by: Evidence,
    { enterprise, at }: { readonly enterprise: string | null; readonly at: number },
  ): void {
    if (since.included !== units.included) return;
    const { creations, repeats } = since;
    const sparing = this.#sparingIn(since);
    const taken = units.consumed - since.consumed;
    if (taken === creations && repeats > 0) this.#repeatsAreFree = true;
    this.#later(enterprise, at, () => {
      const creating = this.#countedIn(since, taken === creations);
      if (taken === creations) this.#keep(creating, sparing);
      else if (taken < creations || taken > creations + (this.#repeatsAreFree ? 0 : repeats)) {
        const more =
          taken < creations ? [] : [...sparing, ...(repeats > 0 ? ['WCI-QTA-001 beside others'] : [])];
        const want = `consumed_units to rise by ${creations}`;
        const because = [since.by, by];
        return () => {
          const isKept = (rule: string) => this.#blame.hasKept(rule);
          // Where all was right elsewhere, a unit too many may be that of somebody else's booking.
          if (taken > creations && more.length === 0 && creating.every(isKept)) return;
          const [widest] = creating;
          const suspects = widest === undefined || isKept(widest) ? only : owed;
          this.#accuse(suspects(...creating, ...more), want, `by ${taken}`, because);
        };
      }
      return null;
    });
  }

  /** The sentences about the units that two quotas differ by; of one that may count its own unit or not, what is certain or all. */
  #countedIn({ own, creating, creations }: Since, isCertain: boolean): readonly string[] {
    if (creations === 0) return [];
    if (own.length === 0 || this.#countsOwn === true) return creating;
    const plain = creating.filter((rule) => rule !== byOtherKey);
    const isSame = own.length === plain.length && own.every((rule) => plain.includes(rule));
    if (isCertain) return isSame ? creating : [];
    return [...new Set([...creating, ...own])];
  }

  #keep(creating: readonly string[], sparing: readonly string[]): void {
    // Of what is refused or asked of flight alerts, each kind may take units for itself.
    const write = sparing.filter((rule) => rule === 'WCI-QTA-015' || rule === 'WCI-QTA-013');
    this.#blame.keep({ rules: creating, write, isCertain: true });
    this.#blame.show(...sparing);
  }

  #later(enterprise: string | null, at: number, judge: Late['judge']): void {
    this.#late = [...this.#late, { enterprise: enterprise ?? '', at, judge, isVoid: false }].slice(-mostLate);
  }

  /** What was under way at the time may have taken a unit. */
  #overlap({ enterprise, sentAt, status }: Call): void {
    // Of one without an answer, nobody knows when it took its unit.
    const isBefore = ({ at }: Late) => (status === null ? sentAt <= at : sentAt < at);
    for (const one of this.#late) if (one.enterprise === enterprise && isBefore(one)) one.isVoid = true;
  }

  #accuse(suspects: Suspects, want: string, got: is.Value | string, because: readonly Evidence[]): void {
    const at = typeof got === 'string' ? 'quota.consumed_units' : 'answer';
    const violation = { code: 'known:units', at, want, got, because };
    this.#blame.accuse(suspects, 'quota', violation);
  }
}

/** The sentence by which an enterprise has no entitlement that allows a subscribe. */
function lackOf({ entitlement, enterprise }: Account): string | undefined {
  return inactive[entitlement?.status ?? ''] ?? named[enterprise];
}
