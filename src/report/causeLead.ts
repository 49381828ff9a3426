import type { Finding } from '../engine/findings/finding.ts';
import { isPassive, isDeliveredToWrongAddress, isSaidOtherwise } from './causeTraits.ts';
import { answerOf, answersDue, jsonOf, nameOfMember } from './member.ts';
import { findingState, findingStates } from './states.ts';
import { isObject, type Json } from '../trace/json.ts';

/** The findings of a cause, in their order, but for those that follow from another one of the same rank. */
export function leadFirst(group: readonly Finding[], ofParts: ReadonlySet<string>): readonly Finding[] {
  const follows = followersIn(group, ofParts);
  const placeOf = (finding: Finding) => 2 * rankOf(finding) + Number(follows(finding));
  return casesFirst(group.toSorted((a, b) => placeOf(a) - placeOf(b)));
}

/** Of an answer that breaks a rule, the case of a check tells more than one that an oracle saw in passing. */
function casesFirst(group: readonly Finding[]): readonly Finding[] {
  const [lead] = group;
  if (lead?.at !== 'answer' || !isPassive(lead)) return group;
  const { requirement } = lead;
  const told = group.find(
    (one) => one.requirement === requirement && !isPassive(one) && rankOf(one) === rankOf(lead),
  );
  return told === undefined ? group : [told, ...group.filter((one) => one !== told)];
}

function followersIn(group: readonly Finding[], ofParts: ReadonlySet<string>): (finding: Finding) => boolean {
  const hasKeys = group.some(isOfKeys);
  const hasParts = group.some(isOfParts);
  const hasTotal = group.some(({ at }) => at === total);
  const hasMoved = group.some(({ requirement }) => requirement === unchangedByReads);
  const hasLimiter = group.some(({ code }) => code === 'limiter');
  const beside = new Set(group.filter(isOtherAnswer).flatMap(({ alsoBreaks = [] }) => alsoBreaks));
  return (finding) =>
    // Whoever refuses a key has not looked at what was asked.
    (hasKeys && !isOfKeys(finding) && answerOf(finding)?.status === 401) ||
    // Pages are counted by the total that the answer itself gives.
    (hasTotal && countedByTotal.has(finding.at ?? '')) ||
    // Two answers differ because the read between them changes the record.
    (hasMoved && finding.requirement !== unchangedByReads && finding.code === 'different') ||
    (hasLimiter && finding.code === 'too-many') ||
    (hasParts && !isOfParts(finding) && ofParts.has(finding.requirement)) ||
    // What an answer holds does not matter where another one was due.
    (isPassive(finding) && answerOf(finding) === null && beside.has(finding.requirement));
}

const unchangedByReads = 'WCI-STS-009';
const total = 'pagination.total';
const countedByTotal: ReadonlySet<string> = new Set(['data', 'pagination.totalPages']);

function isOfKeys({ requirement }: Finding): boolean {
  return requirement.startsWith('SHR-AUT-');
}

function isOfParts({ requirement }: Finding): boolean {
  return requirement.startsWith('WCI-MP-');
}

/** Whether an answer of another status was due. */
function isOtherAnswer(finding: Finding): boolean {
  const [answer, due] = [answerOf(finding), answersDue(finding)];
  return answer !== null && due.length > 0 && due.every(({ status }) => status !== answer.status);
}

const levels = ['must', 'should', 'may', 'open'] as const;

/** Rank by state, then level: a failing must has 0. */
export function rankOf(finding: Finding): number {
  return (
    findingStates.indexOf(findingState(finding)) * levels.length + levels.indexOf(finding.level ?? 'must')
  );
}

/** How much there is to read. A callback alone does not show what it was registered with. */
export function stepsIn(finding: Finding): number {
  // What an ordinary body shows as well is easier to read there.
  const isMultipart = finding.requirement.startsWith('WCI-MP-');
  const isCallbackAlone = isPassive(finding) && /^c\d/.test(finding.exchanges.at(-1) ?? '');
  // Where callbacks went instead explains why none came.
  const explains = isDeliveredToWrongAddress(finding) ? 100 : isSaidOtherwise(finding) ? -10 : 0;
  // What let the record in is read before its consequences.
  const isAfterwards = finding.follows !== undefined;
  return (
    finding.exchanges.length +
    (isCallbackAlone ? 5 : 0) +
    (isMultipart ? 5 : 0) +
    (isAfterwards ? 5 : 0) -
    explains
  );
}

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
