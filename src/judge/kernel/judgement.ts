import type { Evidence } from '../../core/evidence.ts';
import { noted } from '../../spec/kernel/value.ts';
import type { Fault, Wrong } from '../../spec/kernel/violation.ts';
import { spoken } from '../../spec/wording/spoken.ts';
import { heaviestOf } from './weight.ts';

/** What one piece of evidence says about one rule. */
export type Judgement = Holds | Violated | Unclear | NotApplicable;

export interface Holds {
  readonly status: 'holds';
}

/** The deployment broke the rule; `spec/wording` says it in words. */
export interface Violated extends Wrong {
  readonly status: 'violated';
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

type Data = Omit<Wrong, 'code'>;

/** Data, or two sentences where a caller has no data yet. */
export function violated(code: string, data: Data): Violated;
export function violated(
  code: string,
  expected: string,
  actual: string,
  because?: readonly Evidence[],
): Violated;
export function violated(
  code: string,
  data: Data | string,
  actual = '',
  because?: readonly Evidence[],
): Violated {
  if (typeof data !== 'string') return { status: 'violated', code, ...data };
  return { status: 'violated', ...spoken(code, data, actual), ...(because && { because }) };
}

/** The judgement of a fault; `holds` where there is none. */
export function judgementOf(fault: Fault | null): Judgement {
  return fault ? { status: 'violated', ...fault } : holds;
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
export function about(judgement: Judgement, subject: string, of?: string): Judgement {
  if (judgement.status !== 'violated') return judgement;
  const { said, want } = judgement;
  if (said) return { ...judgement, said: { ...said, expected: `${said.expected} for ${subject}` } };
  return { ...judgement, want: { ...noted(want, `for ${subject}`), ...(of !== undefined && { of }) } };
}
