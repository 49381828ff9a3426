import type { Evidence } from '../../core/evidence.ts';
import { heaviestOf } from './weight.ts';

/** What one piece of evidence says about one rule. */
export type Judgement = Holds | Violated | Unclear | NotApplicable;

export interface Holds {
  readonly status: 'holds';
}

/** The deployment broke the rule. `code` names the kind of violation; the wording of messages lives in `wording.ts`. */
export interface Violated {
  readonly status: 'violated';
  readonly code: string;
  readonly expected: string;
  readonly actual: string;
  /** What shows it, the decisive piece last; by default all that was judged. */
  readonly by?: readonly Evidence[];
}

/** The rule is undecided: a fault of the network or the harness, or a case that the rule does not cover. */
export interface Unclear {
  readonly status: 'unclear';
  readonly cause: string;
}

/**
 * The evidence is about the rule, but its condition, which only the deployment can bring about, did not
 * occur: a refusal that is not a 500, or the other of two forms of an answer. The catalogue has the condition in words.
 */
interface NotApplicable {
  readonly status: 'not-applicable';
}

export const holds: Holds = { status: 'holds' };

export const notApplicable: NotApplicable = { status: 'not-applicable' };

export function violated(code: string, expected: string, actual: string, by?: readonly Evidence[]): Violated {
  return { status: 'violated', code, expected, actual, ...(by && { by }) };
}

export function unclear(cause: string): Unclear {
  return { status: 'unclear', cause };
}

/** The first judgement that does not hold, or `holds`. */
export function all(...judgements: readonly Judgement[]): Judgement {
  return judgements.find((judgement) => judgement.status !== 'holds') ?? holds;
}

/** The heaviest of several judgements of one rule: a violation, then `unclear`, then `holds`. */
export function heaviest(judgements: readonly Judgement[]): Judgement {
  return heaviestOf(judgements) ?? holds;
}

/** The same judgement; a violation also says what it is about. */
export function about(judgement: Judgement, subject: string): Judgement {
  if (judgement.status !== 'violated') return judgement;
  return { ...judgement, expected: `${judgement.expected} for ${subject}` };
}
