import type { Exchange } from '../../core/evidence.ts';
import { answered, invalid, ok, type Answer } from '../kernel/answer.ts';
import { returnsNoKey } from './returnedKey.ts';
import { returnsKey } from './returnedKey.ts';
import { all, type Judgement } from '../kernel/judgement.ts';

/** A callback as it was asked for. */
export interface ModelCallback {
  readonly url: string;
  readonly fid: string;
}

/** What is known of the subscription of one leg, and what was done to it that ought to have changed nothing. */
export interface LegState {
  readonly isSubscribed: boolean;
  readonly callback: ModelCallback | null;
  /** The rule by which the latest request left the leg as it was, or null. */
  readonly unchangedBy: 'FLA-SUB-011' | 'FLA-SUB-012' | 'FLA-SUB-030' | null;
}

export const untouched: LegState = { isSubscribed: false, callback: null, unchangedBy: null };

export const urlConflict: Answer = { status: 409, code: 'CALLBACK_ALREADY_REGISTERED' };
export const fidConflict: Answer = { status: 409, code: 'EXTERNAL_FID_ALREADY_REGISTERED' };

/** What the documents say of a request in a state: the rules that it is a sample of, and the state after it. */
export interface ModelStep {
  readonly judge: (exchange: Exchange) => Readonly<Record<string, Judgement>>;
  readonly next: LegState;
}

/** A subscribe with a callback, with none, or with null for none. */
export function subscribeStep(state: LegState, wanted: ModelCallback | 'absent' | null): ModelStep {
  if (wanted === 'absent' || wanted === null) return pollingStep(state, wanted === null);
  const { callback: registered, isSubscribed } = state;
  if (registered === null) {
    const next = { isSubscribed: true, callback: wanted, unchangedBy: null };
    const rule = isSubscribed ? 'FLA-SUB-013' : 'FLA-SUB-005';
    return { judge: (x) => ({ [rule]: all(answered(x, ok), returnsKey(x)) }), next };
  }
  const [isOtherUrl, isOtherFid] = [registered.url !== wanted.url, registered.fid !== wanted.fid];
  if (isOtherUrl && isOtherFid) return conflict(state, 'FLA-SUB-010', urlConflict, fidConflict);
  if (isOtherUrl) return conflict(state, 'FLA-SUB-008', urlConflict);
  if (isOtherFid) return conflict(state, 'FLA-SUB-009', fidConflict);
  return { judge: (x) => ({ 'FLA-SUB-006': all(answered(x, ok), returnsNoKey(x)) }), next: state };
}

/** A callback with a fault; where one is registered, it may be found to be another one first. */
export function faultStep(state: LegState, rule: string): ModelStep {
  const wanted = state.callback ? [invalid, urlConflict, fidConflict] : [invalid];
  const next = { ...state, unchangedBy: 'FLA-SUB-030' as const };
  return { judge: (exchange) => ({ [rule]: answered(exchange, ...wanted) }), next };
}

/**
 * The rule that a step breaks which keeps its own rule where nothing came before: that what came before it changes
 * nothing.
 */
export function blame(rule: string, state: LegState, otherLegs: readonly LegState[]): string {
  if (rule.startsWith('FLA-CBR-') || rule === 'FLA-SUB-004') return rule;
  if (state.unchangedBy !== null) return state.unchangedBy;
  const isFirst = rule === 'FLA-SUB-005' || rule === 'FLA-SUB-003';
  return isFirst && otherLegs.some(({ isSubscribed }) => isSubscribed) ? 'FLA-SUB-015' : rule;
}

function conflict(state: LegState, rule: string, ...wanted: readonly Answer[]): ModelStep {
  const next = { ...state, unchangedBy: 'FLA-SUB-011' as const };
  return { judge: (exchange) => ({ [rule]: answered(exchange, ...wanted) }), next };
}

function pollingStep(state: LegState, isNull: boolean): ModelStep {
  const rule =
    !state.isSubscribed || isNull ? 'FLA-SUB-003' : state.callback === null ? 'FLA-SUB-037' : 'FLA-SUB-012';
  const unchangedBy = state.callback === null ? state.unchangedBy : ('FLA-SUB-012' as const);
  return {
    judge: (exchange) => ({ [rule]: answered(exchange, ok), 'FLA-SUB-004': returnsNoKey(exchange) }),
    next: { ...state, isSubscribed: true, unchangedBy },
  };
}
