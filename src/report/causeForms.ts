import type { Finding } from '../engine/finding.ts';
import { beginningOf, memberNamedBy, valueNamedBy } from './member.ts';

/** A member whose value has the wrong form, such as a text for an array, by the rule about its form. */
export interface WrongForm {
  readonly requirement: string;
  /** Without what it is in: a member of `changes` has the form that the record gives it. */
  readonly member: string;
  /** The first character of the value in a body, which tells its type. */
  readonly begins: string;
}

/** What a finding says about the form of a member; none if it is about the value. */
export function wrongFormIn(finding: Finding): WrongForm[] {
  const member = memberNamedBy(finding);
  const begins = valueNamedBy(finding)?.[0];
  const isForm = /\b(?:is|as) an? (?:array|object|number|string|boolean|integer)\b/.test(
    beginningOf(finding.expected),
  );
  if (member === null || begins === undefined || !isForm) return [];
  return [{ requirement: finding.requirement, member: member.split('.').at(-1) ?? member, begins }];
}

/** Traits of findings about the form of a member, and of those whose answer has the member in this form and breaks that rule too. */
export function wrongFormTraits(finding: Finding, forms: readonly WrongForm[]): string[][] {
  const { alsoBreaks = [] } = finding;
  const actual = beginningOf(finding.actual);
  const shown = forms.filter((form) => alsoBreaks.includes(form.requirement) && shows(actual, form));
  return [...wrongFormIn(finding), ...shown].map(({ requirement, member, begins }) => [
    'form of a member',
    ...[requirement, member, begins],
  ]);
}

/** Whether a text shows a member with such a value: `"boarding_passes":"…` or `data null`. */
function shows(text: string, { member, begins }: WrongForm): boolean {
  const ways = [`"${member}":${begins}`, `${member} ${begins}`, `${member} is ${begins}`];
  return ways.some((way) => text.includes(way));
}
