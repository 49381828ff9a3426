import type { Finding } from '../engine/findings/finding.ts';
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

/** A member with a value of the wrong form. */
export interface WrongValue {
  readonly name: string;
  /** As JSON. */
  readonly value: string;
}

/** Most wrong values that are looked for in other findings. */
const mostValues = 50;

/** A member with a value of the wrong form; a status that is wrong in two answers may have two causes. */
export function wrongValueOf(finding: Finding): WrongValue[] {
  const { code = '', want, got } = finding;
  const [name, json] = [nameOfMember(finding), jsonOf(got)];
  const due = jsonOf(want);
  const isOfForm =
    want?.kind === 'type' ||
    want?.kind === 'one-of' ||
    code.startsWith('shape') ||
    (due !== undefined && typeof due !== typeof json);
  return name === null || json === undefined || !isOfForm ? [] : [{ name, value: JSON.stringify(json) }];
}

/** A body that is wrong as a whole because of the member that another finding names. */
export function wrongValueTraits(
  finding: Finding,
  member: string | null,
  values: readonly WrongValue[],
): string[][] {
  const traits = (some: readonly WrongValue[]) => some.map(({ name, value }) => ['wrong value', name, value]);
  if (member !== null) return traits(wrongValueOf(finding));
  const body: Json | undefined = jsonOf(finding.got);
  if (!isObject(body)) return [];
  return traits(
    values.slice(0, mostValues).filter(({ name, value }) => JSON.stringify(body[name]) === value),
  );
}
