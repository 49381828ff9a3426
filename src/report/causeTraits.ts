import type { Finding } from '../engine/findings/finding.ts';
import {
  firstDeparture,
  textsIn,
  timestampForm,
  type AnswerValue,
  type Value,
} from '../spec/kernel/value.ts';
import { isObject } from '../trace/json.ts';
import { answerOf, answersDue, foreignFid, isForm, jsonOf, nameOfMember } from './member.ts';

/** The same refusal, with its text, instead of another answer. 400 and 422 are given for all kinds of mistakes. */
export function refusalTrait(finding: Pick<Finding, 'requirement' | 'got'>): string[][] {
  const answer = answerOf(finding);
  if (answer === null || answer.status < 400) return [];
  const { status, code, reason } = answer;
  return [
    ...(reason === undefined || !telling.has(status) ? [] : [['refusal', `${status}`, code ?? '', reason]]),
    // Whatever was expected instead.
    ...(code === undefined ? [] : [['refused rule', finding.requirement, `${status} ${code}`]]),
  ];
}

const telling: ReadonlySet<number> = new Set([401, 402, 403, 404, 405, 409, 410]);

/**
 * One member within another is asked for, whatever the case leaves out. A member of the body itself may be missing because the
 * body was not read, which has many causes.
 */
export function requiredTrait(finding: Finding): string[][] {
  const { status = 0, reason = '' } = answerOf(finding) ?? {};
  // The words of the target, not our own.
  const asked = /^(\w+(?:\[\d*\])?\.[\w.[\]]+) is (?:required|missing)\b/.exec(reason)?.[1];
  const isInvalid = status === 400 || status === 422;
  return asked === undefined || !isInvalid ? [] : [['required', asked.replace(/\[\d+\]/g, '[]')]];
}

/** A status that no operation documents comes from one place, whatever was asked. */
export function strangeStatusTrait(finding: Finding): string[][] {
  const answer = answerOf(finding);
  if (answer === null || finding.want?.kind !== 'statuses') return [];
  return [['undocumented status', `${answer.status}`, answer.code ?? '']];
}

/** One operation that does not ask for one kind of key, or for any, whatever it answers then. */
export function unauthenticatedTrait(finding: Finding): string[][] {
  const answer = answerOf(finding);
  const last = lastStepIn(finding.case);
  if (!isUnauthorizedDue(finding) || answer === null || answer.status === 401 || last === null) return [];
  const { operation = null, key = null } = last;
  return typeof operation === 'string'
    ? [['unauthenticated', operation, typeof key === 'string' ? key : '']]
    : [];
}

function isUnauthorizedDue({ want }: Finding): boolean {
  return want?.kind === 'answer' && want.status === 401;
}

/**
 * What is valid is refused, each time with the same sentence. What only says that something is missing or invalid may have many
 * causes.
 */
export function sentenceTrait(finding: Finding): string[][] {
  const { status = 0, code, reason = '' } = answerOf(finding) ?? {};
  if (code === undefined || (status !== 400 && status !== 422)) return [];
  const due = answersDue(finding);
  // Or what is malformed is refused by a rule that comes later, which says so of the same value each time.
  const isLate = status === 422 && due.length === 1 && isInvalidDue(due[0]);
  const isValid = finding.want?.kind === 'accepted' || due[0]?.status === 200;
  if (reason.length < 12 || reason.length > 200 || !(isValid || isLate) || reason.split(' ').length < 4)
    return [];
  const namesInner = /\w\[\d+\]\.\w/.test(reason);
  const isVague =
    /\b(?:required|missing|invalid|malformed|expected|is not an?)\b/i.test(reason) ||
    (!namesInner && /\bmust\b/i.test(reason));
  return isVague ? [] : [['sentence', reason.replace(/\[\d+\]/g, '[]')]];
}

function isInvalidDue(due: AnswerValue | undefined): boolean {
  return due?.status === 400 && due.code === 'VALIDATION_ERROR';
}

/** The status that is due with a code that is not. */
export function ownCodeTrait(finding: Finding): string[][] {
  const answer = answerOf(finding);
  const due = answersDue(finding).filter(
    ({ status, code }) => status === answer?.status && code !== undefined,
  );
  if (answer?.code === undefined || due.length === 0 || due.some(({ code }) => code === answer.code))
    return [];
  return [['code', `${answer.status}`, answer.code]];
}

/**
 * A callback with the fid or the key of another registration: whatever is said about it has one cause, and so have callbacks that
 * carry the same foreign fid.
 */
export function strangeNoticeTrait(finding: Finding): string[][] {
  const { requirement, code = '', exchanges } = finding;
  const fid = foreignFid(finding);
  const isStrange =
    requirement.startsWith('FLA-CB-') && ['fid', 'altered', 'value', 'authorization'].includes(code);
  const last = exchanges.at(-1);
  return [
    ...(isStrange && last !== undefined ? [['strange notice', last]] : []),
    ...(isStrange && fid !== null ? [['foreign fid', fid]] : []),
    // The header of every callback is composed at one place.
    ...(requirement === 'FLA-CB-003' ? [['credential of callbacks']] : []),
  ];
}

/** What a record misses and the sub-status that says so are computed at one place: one rule broken in both is broken once. */
export function readinessTrait({ requirement }: Finding, member: string | null): string[][] {
  return ['missing_info', 'sub_status', 'checkin_message'].includes(member ?? '')
    ? [['readiness', requirement]]
    : [];
}

/** Requests by multipart that get past the authentication. */
export function openFormTrait(finding: Finding): string[][] {
  return isUnauthorizedDue(finding) && isByParts(finding) ? [['multipart without a key']] : [];
}

/** Whether the last request of a case was sent by multipart. */
export function isByParts({ case: stored }: Finding): boolean {
  const body = lastStepIn(stored)?.body;
  return typeof body === 'string' && /^--[^]{1,100}\r\nContent-Disposition: form-data/i.test(body);
}

/** Timestamps of one wrong form, in whatever member. */
export function timeFormTrait({ want, got }: Finding): string[][] {
  const value = jsonOf(got);
  const isTime = typeof value === 'string' && /^\d{4}-\d\d-\d\d.{1,30}$/s.test(value);
  return isTime && want?.kind === 'pattern' && want.name.includes(timestampForm)
    ? [['form of time', value.replace(/\d/g, '0')]]
    : [];
}

/** What is invalid by a rule was accepted, whatever the consequence. */
export function unrefusedTrait(finding: Finding): string[][] {
  const { requirement, want } = finding;
  const { status = 0 } = answerOf(finding) ?? {};
  if (Math.floor(status / 100) !== 2 && status !== 409) return [];
  const isRefusal = want?.kind === 'refused';
  const isDue = isInvalidDue(answersDue(finding)[0]) || (isRefusal && want.of !== undefined);
  // Whichever rule about clocks and zones asks: the distance to the departure decides.
  const isTooClose = want?.of === firstDeparture;
  return [...(isDue ? [['unrefused', requirement]] : []), ...(isTooClose ? [['too close']] : [])];
}

/** The same page, or the same members in an object where no object belongs, come from one place whatever was asked; a crash may be any. */
export function sameFormTraits(finding: Finding): string[][] {
  const { status = 0, body = '' } = answerOf(finding) ?? {};
  const [member, value] = [nameOfMember(finding), jsonOf(finding.got)];
  const isPage = status >= 400 && status < 500 && body.length > 16;
  const names = isObject(value) ? Object.keys(value) : [];
  return [
    ...(isPage ? [['page', `${status}`, body]] : []),
    ...(member === null || names.length === 0 ? [] : [['object', member, ...names.sort()]]),
  ];
}

/** Requests that were refused took effect all the same: records made or changed. A unit that is taken alone has another cause. */
export function effectTrait({ requirement, code = '' }: Finding): string[][] {
  if (requirement === 'FLA-SUB-011') return [['effect of a refused subscribe']];
  const isEffect =
    ['SHR-LIM-023', 'SHR-LIM-028'].includes(requirement) && ['created', 'listed', 'changed'].includes(code);
  return isEffect ? [['effect of a refused request']] : [];
}

/** Whether an oracle saw it in passing. */
export function isPassive({ case: stored }: Finding): boolean {
  return typeof stored === 'object' && stored !== null && !Array.isArray(stored) && stored.whole === true;
}

/** Whether a callback came to the address of another record. */
export function isDeliveredToWrongAddress({ check, code }: Finding): boolean {
  return check.endsWith('.webhook-request') && (code === 'record' || code === 'enterprise');
}

/** Whether other callbacks came instead of the one that was due: their values are what to read. */
export function isSaidOtherwise({ requirement, at, got }: Finding): boolean {
  return requirement === 'WCI-CB-021' && at === 'callback' && got?.kind === 'count';
}

/** Codes of oracles that only judge answers that should not exist. */
const accepting: ReadonlySet<string> = new Set(['accepted', 'listed', 'reached', 'leak']);

/** Whether a request was accepted that should have been refused. */
export function isWronglyAccepted(finding: Finding): boolean {
  const answer = answerOf(finding);
  if (answer === null || Math.floor(answer.status / 100) !== 2) return false;
  return finding.want?.kind === 'refused' || (answersDue(finding)[0]?.status ?? 0) >= 400;
}

/** Rules by which something was accepted that should have been refused. */
export function rulesLetIn(findings: readonly Finding[]): ReadonlySet<string> {
  const found = findings.filter((one) => isWronglyAccepted(one) || accepting.has(one.code ?? ''));
  return new Set(found.map(({ requirement }) => requirement));
}

/** Whether more than half of many answers show it. */
export function isCommon({ confirmed }: Finding): boolean {
  const [shown = 0, judged = 0] = confirmed.split(' of ').map(Number);
  return judged > 20 && shown * 2 > judged;
}

/** Traits of something accepted against a rule, of what else its answer breaks, and of what follows from it. */
export function letInTraits(
  finding: Finding,
  letIn: ReadonlySet<string>,
  often: ReadonlySet<string>,
): string[][] {
  const { requirement, alsoBreaks = [], follows = [], code = '' } = finding;
  const isLetIn = isWronglyAccepted(finding) || accepting.has(code);
  const after = [...alsoBreaks, ...follows.filter((id) => !often.has(id))];
  // What many answers show has its own cause, even if one of them is about such a record.
  const rules = [...(isLetIn ? [requirement] : []), ...(isCommon(finding) ? [] : after)];
  const isForeign = code === 'reached' || code === 'leak';
  return [
    ...rules.filter((id) => letIn.has(id)).map((id) => ['let in', id]),
    // A lookup of one operation ignores the enterprise, for every kind of identifier.
    ...(isForeign ? [['foreign', lastOperationOf(finding) ?? '']] : []),
  ];
}

/** Cases of the same name that one operation answers wrongly in the same way, whatever form the body has. */
export function namedCaseTrait(finding: Finding): string[][] {
  const { case: stored, want, got } = finding;
  const operation = lastOperationOf(finding);
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return [];
  const { caseName } = stored;
  if (typeof caseName !== 'string' || caseName === '' || operation === null) return [];
  // `empty-passengers` and `passengers, empty` are the same.
  const words = (
    caseName
      .toLowerCase()
      .slice(0, 200)
      .match(/[a-z0-9]+/g) ?? []
  )
    .sort()
    .join(' ');
  return [['named case', words, operation, JSON.stringify([want, got])]];
}

/** The operation of the last request of a case. */
function lastOperationOf({ case: stored }: Finding): string | null {
  const operation = lastStepIn(stored)?.operation;
  return typeof operation === 'string' ? operation : null;
}

/** The last request of a stored case, as far as it can be read. */
function lastStepIn(
  stored: Finding['case'],
): { readonly operation?: unknown; readonly key?: unknown; readonly body?: unknown } | null {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return null;
  const last: unknown = Array.isArray(stored.steps) ? stored.steps.at(-1) : undefined;
  return typeof last === 'object' && last !== null ? last : null;
}

/** Times that are wrong by the same amount, such as the offset of a timezone. */
export function deviationTrait({ want, got }: Finding): string[][] {
  const minutes = got?.kind === 'off' ? got.minutes : minutesBetween(jsonOf(want), jsonOf(got));
  return minutes < 10 ? [] : [['minutes off', `${minutes}`]];
}

function minutesBetween(...times: readonly unknown[]): number {
  const [one = Number.NaN, other = Number.NaN] = times.map((time) =>
    typeof time === 'string' && /^\d{4}-\d\d-\d\dT.*Z$/.test(time) ? Date.parse(time) : Number.NaN,
  );
  return Number.isNaN(one - other) ? 0 : Math.round(Math.abs(one - other) / 60_000);
}

/** Words in lower case where the documents have upper case, and old flights where the latest are due. */
export function formTraits({ requirement, code, want, got }: Finding): string[][] {
  const due = new Set([want, ...(want?.kind === 'one-of' ? want.values : [])].flatMap(textsOf));
  const isSmall = textsOf(got).some((word) => /^[a-z_]{3,}$/.test(word) && due.has(word.toUpperCase()));
  const isStale = requirement === 'FLA-GET-035' || (requirement.startsWith('FLA-') && code === 'stale');
  return [...(isSmall ? [['small letters']] : []), ...(isStale ? [['stale']] : [])];
}

function textsOf(value: Value | undefined): readonly string[] {
  return value === undefined ? [] : textsIn(value);
}

/** A member that is lost everywhere, and a change that no callback reports, whatever came before it. */
export function lossTraits({ code, at = '', want, got }: Finding): string[][] {
  const name = /^(?:data\[\d*\]\.)?([a-z]\w*)$/.exec(at)?.[1];
  const json = jsonOf(got);
  // What is missing from a record has many causes.
  const isEmptied = name !== 'missing_info' && Array.isArray(json) && json.length === 0;
  return [
    ...(name === undefined || json !== null || isForm(want) ? [] : [['lost', name]]),
    ...(name === undefined || !isEmptied ? [] : [['emptied', name]]),
    ...(code === 'silent' && want?.kind === 'change'
      ? [['untold', JSON.stringify([want.from, want.to])]]
      : []),
  ];
}
