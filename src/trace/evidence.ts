import type { Delivery, Exchange } from '../core/evidence.ts';
import type { JsonObject } from './body.ts';

/** Everything that a judge may go by, in one order: what was on the wire, what the state handler did, what only the sender knows. */
export type Evidence = Exchange | Delivery | Step | Claim;

/** Something that the state handler was asked to do. */
export interface Step {
  readonly type: 'step';
  /** `s1`, `s2`, … in the order in which they ended. */
  readonly id: string;
  /** The state, such as `clock.advance`. */
  readonly operation: string;
  /** Its parameters, without secrets. */
  readonly params: JsonObject;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** `unknown` where no whole answer came: it may be done or not. */
  readonly outcome: 'done' | 'refused' | 'unknown';
}

/** What only the sender knows, from then on. */
export type Claim = { readonly type: 'claim'; readonly at: number } & Claimed;

export type Claimed =
  /** Nobody else touches the records that subscribes of the trace make for these enterprises: it is all that happens to them. */
  | { readonly claim: 'own-records'; readonly enterprises: readonly string[] }
  /** These ids were made up: no record has ever had them. */
  | { readonly claim: 'made-up'; readonly ids: readonly string[] }
  /** The second exchange asks for a further page of the walk that the first one belongs to. */
  | { readonly claim: 'next-page'; readonly of: string; readonly exchange: string };

export function isStep(evidence: Evidence): evidence is Step {
  return 'type' in evidence && evidence.type === 'step';
}

export function isClaim(evidence: Evidence): evidence is Claim {
  return 'type' in evidence && evidence.type === 'claim';
}
