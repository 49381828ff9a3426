import type { Exchange } from '../core/evidence.ts';
import { answered, invalid, ok, type Answer } from './answer.ts';
import { returnsKey, returnsNoKey } from './flightAnswer.ts';
import { all, type Judgement } from './judgement.ts';

/** A callback as it was asked for. */
export interface ModelCallback {
  readonly url: string;
  readonly fid: string;
}

/** What is known of the subscription of one leg; `null` where there is none yet. */
export type LegState = null | { readonly callback: ModelCallback | null };

export const urlConflict: Answer = { status: 409, code: 'CALLBACK_ALREADY_REGISTERED' };
export const fidConflict: Answer = { status: 409, code: 'EXTERNAL_FID_ALREADY_REGISTERED' };

/** What the documents say of a subscribe in a state: the rule that it is a sample of, how it is judged, and the state after. */
export interface Step {
  readonly rule: string;
  readonly judge: (exchange: Exchange) => Judgement;
  readonly next: LegState;
}

/** A subscribe without a callback (null), or with one. */
export function subscribeStep(state: LegState, wanted: ModelCallback | null): Step {
  if (wanted === null) return pollingStep(state);
  const registered = state?.callback ?? null;
  if (registered === null) {
    const next = { callback: wanted };
    return { rule: state === null ? 'FLA-SUB-005' : 'FLA-SUB-013', judge: accepts(returnsKey), next };
  }
  const [isOtherUrl, isOtherFid] = [registered.url !== wanted.url, registered.fid !== wanted.fid];
  if (isOtherUrl && isOtherFid)
    return { rule: 'FLA-SUB-010', judge: (x) => answered(x, urlConflict, fidConflict), next: state };
  if (isOtherUrl) return { rule: 'FLA-SUB-008', judge: (x) => answered(x, urlConflict), next: state };
  if (isOtherFid) return { rule: 'FLA-SUB-009', judge: (x) => answered(x, fidConflict), next: state };
  return { rule: 'FLA-SUB-006', judge: accepts(returnsNoKey), next: state };
}

/** A callback with a fault; where one is registered, it may be found to be another one first. */
export function faultStep(state: LegState, rule: string): Step {
  const wanted = state?.callback ? [invalid, urlConflict, fidConflict] : [invalid];
  return { rule, judge: (exchange) => answered(exchange, ...wanted), next: state };
}

function pollingStep(state: LegState): Step {
  const rule = state === null ? 'FLA-SUB-003' : state.callback === null ? 'FLA-SUB-037' : 'FLA-SUB-012';
  return { rule, judge: accepts(returnsNoKey), next: state ?? { callback: null } };
}

function accepts(key: (exchange: Exchange) => Judgement): (exchange: Exchange) => Judgement {
  return (exchange) => all(answered(exchange, ok), key(exchange));
}
