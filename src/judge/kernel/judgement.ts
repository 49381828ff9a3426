import { isDeepStrictEqual } from 'node:util';
import {
  absent,
  noted,
  number,
  text,
  value,
  valueOf,
  whose,
  type Given,
  type Value,
} from '../../spec/kernel/value.ts';
import { waived, type Finding, wrong, type Reason, type Wrong } from '../../spec/kernel/findings.ts';
import { heaviestOf } from './weight.ts';

/** What one piece of evidence says about one rule. */
export type Judgement = Holds | Violated | Unclear | NotApplicable;

export interface Holds {
  readonly status: 'holds';
  /** How it was kept where that matters, such as late. */
  readonly note?: string;
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

/** The judgement that a finding of the specification is. */
export function judgementOf(found: Finding): Judgement {
  if (found === null) return holds;
  if (found === waived) return notApplicable;
  return typeof found === 'string' ? unclear(found) : { status: 'violated', ...found };
}

/** A rule is broken: something else came at a place than was wanted there. */
export function differs(
  code: string,
  at: string,
  want: Given,
  got: Given,
  because?: readonly Reason[],
): Violated {
  return { status: 'violated', ...wrong(code, at, want, got), ...(because && { because }) };
}

/** The value itself, as JSON, is due at a place. */
export function equals(code: string, at: string, want: unknown, got: unknown, note?: string): Judgement {
  return isDeepStrictEqual(want, got) ? holds : differs(code, at, value(want, note), value(got));
}

/** Where things are counted. */
const countedAt = { items: 'data', units: 'quota.consumed_units', deliveries: 'callback', places: 'answer' };

/** So many things are due, no less and no more. */
export function numberDue(
  code: string,
  things: keyof typeof countedAt,
  due: number,
  got: number,
  note?: string,
): Judgement {
  if (due === got) return holds;
  return differs(code, countedAt[things], number(due, things, note), number(got, things));
}

/** A callback came where none is due. */
export function noneDue(code: string, where: string, got: Value, because?: readonly Reason[]): Violated {
  return differs(code, 'callback', noted(absent, where), got, because);
}

/** Something else came than what belongs to one; what it is is not to be shown. */
export function notThatOf(code: string, at: string, owner: string): Violated {
  return differs(code, at, whose(owner), text('another one'));
}

/** What belongs to one of several came to or for another; left out if it is not known or not to be shown. */
export function ofAnother(
  code: string,
  at: string,
  owner: string,
  got?: Given,
  because?: readonly Reason[],
): Violated {
  const other = `another ${owner}`;
  const shown = got === undefined ? whose(other) : noted(valueOf(got), `of ${other}`);
  return differs(code, at, whose(`the ${owner} itself`), shown, because);
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
  return {
    ...judgement,
    want: { ...noted(judgement.want, `for ${subject}`), ...(of !== undefined && { of }) },
  };
}
