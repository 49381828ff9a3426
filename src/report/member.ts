import type { Finding } from '../engine/findings/finding.ts';
import type { AnswerValue, Value } from '../spec/kernel/value.ts';
import { isObject, type Json } from '../trace/json.ts';

/** Of a finding, what was wanted and what came. */
export interface Shown {
  readonly want?: Value | undefined;
  readonly got?: Value | undefined;
}
type Wrong = Shown & Pick<Finding, 'at'>;

/** The place of a finding in a body, such as `booking_id`; null for an answer or a callback as a whole, and for a header. */
export function memberNamedBy({ at = '' }: Pick<Finding, 'at'>): string | null {
  return /^(?:|answer|body|callback|header .*)$/.test(at) ? null : at;
}

/** The name of that member, without what it is in. */
export function nameOfMember(finding: Pick<Finding, 'at'>): string | null {
  return /\w+$/.exec(memberNamedBy(finding)?.replace(/\[\d*\]$/, '') ?? '')?.[0] ?? null;
}

/** The header that a finding is about, in lower case. */
export function headerNamedBy({ at = '' }: Pick<Finding, 'at'>): string | null {
  return at.startsWith('header ') ? at.slice('header '.length).toLowerCase() : null;
}

/** A value of a body; undefined for anything else. */
export function jsonOf(value: Value | undefined): Json | undefined {
  return value?.kind === 'value' ? value.value : undefined;
}

/** The value that came for the member of a finding, in the spelling of a body. */
export function valueNamedBy(finding: Wrong): string | null {
  const json = memberNamedBy(finding) === null ? undefined : jsonOf(finding.got);
  return json === undefined ? null : JSON.stringify(json);
}

/** The answer that a finding got as a whole, if that is what is wrong. */
export function answerOf({ got }: Shown): AnswerValue | null {
  return got?.kind === 'answer' ? got : null;
}

/** The answers that would have been right; none where anything else decides. */
export function answersDue({ want }: Shown): readonly AnswerValue[] {
  if (want?.kind === 'answer') return [want];
  return want?.kind === 'one-of' ? want.values.filter((one) => one.kind === 'answer') : [];
}

/** Whether a form is wanted, and no certain value. */
export function isForm(want: Value | undefined): boolean {
  return want?.kind === 'type' || want?.kind === 'one-of' || want?.kind === 'pattern';
}

/** The form of a value: its JSON with each number alike. */
export function formOf(json: Json | undefined): string {
  return json === undefined ? '' : JSON.stringify(json).replace(/\d+/g, '0');
}

/** A value without what differs from case to case: texts and long numbers. */
export function maskOf(value: Value | undefined): string {
  return JSON.stringify(value?.kind === 'value' ? { ...value, value: masked(value.value) } : value);
}

function masked(json: Json | undefined): Json {
  if (typeof json === 'string') return '…';
  if (typeof json === 'number') return Math.abs(json) < 1000 ? json : '#';
  if (Array.isArray(json)) return json.map(masked);
  if (!isObject(json)) return json ?? null;
  return Object.fromEntries(Object.entries(json).map(([name, own]) => [name, masked(own)]));
}

/** All texts, numbers and names in a value. */
export function leavesOf(json: Json | undefined): readonly (string | number)[] {
  if (typeof json === 'string' || typeof json === 'number') return [json];
  if (Array.isArray(json)) return json.flatMap(leavesOf);
  return isObject(json) ? Object.values(json).flatMap(leavesOf) : [];
}

/** The fid that a callback had, in the spelling of a body, if it should have had another one. */
export function foreignFid(finding: Wrong & Pick<Finding, 'requirement'>): string | null {
  if (!finding.requirement.startsWith('FLA-CB-') || nameOfMember(finding) !== 'fid') return null;
  const fid = jsonOf(finding.got);
  return typeof fid !== 'string' || fid.length < 6 || fid === jsonOf(finding.want)
    ? null
    : JSON.stringify(fid);
}
