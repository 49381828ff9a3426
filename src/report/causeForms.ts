import type { Finding } from '../engine/finding.ts';
import { isObject, type Json } from '../trace/json.ts';
import { jsonOf, nameOfMember } from './member.ts';

/** A member whose value has the wrong form, such as a text for an array, by the rule about its form. */
export interface WrongForm {
  readonly requirement: string;
  /** Without what it is in: a member of `changes` has the form that the record gives it. */
  readonly member: string;
  /** The type of the value that came. */
  readonly type: string;
}

/** What a finding says about the form of a member; none if it is about the value. */
export function wrongFormIn(finding: Finding): WrongForm[] {
  const [member, json] = [nameOfMember(finding), jsonOf(finding.got)];
  if (member === null || json === undefined || finding.want?.kind !== 'type') return [];
  return [{ requirement: finding.requirement, member, type: typeOf(json) }];
}

/** Traits of findings about the form of a member, and of those whose answer has the member in this form and breaks that rule too. */
export function wrongFormTraits(finding: Finding, forms: readonly WrongForm[]): string[][] {
  const { alsoBreaks = [] } = finding;
  const shown = forms.filter((form) => alsoBreaks.includes(form.requirement) && shows(finding, form));
  return [...wrongFormIn(finding), ...shown].map(({ requirement, member, type }) => [
    'form of a member',
    ...[requirement, member, type],
  ]);
}

/** Whether a finding got a member with such a value, alone or in a body. */
function shows(finding: Finding, { member, type }: WrongForm): boolean {
  const json = jsonOf(finding.got);
  if (json === undefined) return false;
  const own = isObject(json) ? json[member] : undefined;
  return (
    (own !== undefined && typeOf(own) === type) || (nameOfMember(finding) === member && typeOf(json) === type)
  );
}

function typeOf(json: Json): string {
  if (json === null) return 'null';
  return Array.isArray(json) ? 'array' : typeof json;
}
