import type { Delivery, Exchange } from '../core/evidence.ts';
import type { JsonObject } from './json.ts';

/** Everything that a judge may go by, in one order: what was on the wire, what the state handler did, what only the sender knows. */
export type Evidence = Exchange | Delivery | Note;

/** What was not on the wire. */
export type Note = Step | Claim;

export function isNote(evidence: Evidence): evidence is Note {
  return 'type' in evidence;
}

/** Something that the state handler was asked to do. */
export interface Step {
  readonly type: 'step';
  /** `s1`, `s2`, … in the order in which they ended. */
  readonly id: string;
  /** The state, such as `clock.advance`; `reset` empties the deployment's memory. */
  readonly operation: string;
  /** Its parameters, with labels for secrets; null where they are too long to be kept. */
  readonly params: JsonObject | null;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** `unknown` where no whole answer came: it may be done or not. */
  readonly outcome: 'done' | 'refused' | 'unknown';
  /** What went wrong, in words; null for what is done. */
  readonly error: string | null;
  /** The numbers, times and flags of its answer, such as the units of an entitlement. */
  readonly told: JsonObject;
  /** By how many milliseconds the deployment's clock is moved from then on, in this run and in earlier ones. */
  readonly movedMs: number;
}

/** The label of the key that a step is about, as exchanges have it; empty where it names none. */
export function keyIn({ params }: Pick<Step, 'params'>): string {
  const key = params?.key;
  return typeof key === 'string' ? key.replace(/^‹(?:key )?(.*)›$/, '$1') : '';
}

/** What only the sender knows, from then on. */
export type Claim = { readonly type: 'claim'; readonly at: number } & Claimed;

export type Claimed =
  /** Nobody else touches the records that subscribes of the trace make: it is all that happens to them. */
  | { readonly claim: 'own-records' }
  /** Two labels of credentials of callbacks are equal where the credentials are. */
  | { readonly claim: 'labels' }
  /** A credential of a callback that had a label of its own, and what would be shown for it since a secret in it is known. */
  | { readonly claim: 'known-later'; readonly label: string; readonly text: string }
  /** Earlier runs have moved the deployment's clock by as much. */
  | { readonly claim: 'moved-clock'; readonly movedMs: number }
  /** The ids were made up: no answer had shown them. */
  | { readonly claim: 'made-up'; readonly ids: readonly (string | number)[] }
  /** The exchange asks for a further page of the walk that the one after which it came belongs to. */
  | { readonly claim: 'next-page'; readonly exchange: string; readonly after: string }
  /** A request that was sent again and again, with answered reads in between, and that was cut off each time. */
  | { readonly claim: 'cut-off'; readonly exchanges: readonly string[] }
  /** What these exchanges broke says nothing about the rules: the deployment was failing as a whole. */
  | { readonly claim: 'outage'; readonly exchanges: readonly string[]; readonly why: string }
  /** Another server answers: nothing until then is a sample of the rules. */
  | { readonly claim: 'stranger' };
