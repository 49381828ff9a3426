import type { Finding } from '../engine/finding.ts';
import { beginningOf, foreignFid } from './member.ts';

/** The same refusal, with its text, instead of another answer. 400 and 422 are given for all kinds of mistakes. */
export function refusalTrait({ requirement, actual }: Pick<Finding, 'requirement' | 'actual'>): string[][] {
  // What follows the text, such as who saw the record, differs from case to case.
  const [refusal] = /^HTTP (?:401|402|403|404|405|409|410) [^(]*\([^)]+\)/.exec(actual) ?? [];
  const [kind] = /^HTTP [45]\d\d [A-Z_]+/.exec(actual) ?? [];
  return [
    ...(refusal === undefined ? [] : [['refusal', refusal]]),
    // Whatever was expected instead.
    ...(kind === undefined ? [] : [['refused rule', requirement, kind]]),
  ];
}

/**
 * One member within another is asked for, whatever the case leaves out. A member of the body itself may be missing because the
 * body was not read, which has many causes.
 */
export function requiredTrait({ actual }: Finding): string[][] {
  const asked = /^HTTP (?:400|422) [^(]*\((\w+(?:\[\d*\])?\.[\w.[\]]+) is (?:required|missing)\b/.exec(
    actual,
  );
  return asked === null ? [] : [['required', (asked[1] ?? '').replace(/\[\d+\]/g, '[]')]];
}

/** A status that no operation documents comes from one place, whatever was asked. */
export function strangeStatusTrait({ expected, actual }: Finding): string[][] {
  const [kind] = /^HTTP \d{3}(?: [A-Z_]+)?/.exec(actual) ?? [];
  return kind !== undefined && expected.startsWith('one of HTTP ') ? [['undocumented status', kind]] : [];
}

/** One operation that does not ask for one kind of key, or for any, whatever it answers then. */
export function unauthenticatedTrait(finding: Finding): string[][] {
  const { expected, actual, case: stored } = finding;
  if (expected !== 'HTTP 401' || actual.startsWith('HTTP 401') || !actual.startsWith('HTTP ')) return [];
  const last = lastStepIn(stored);
  if (last === null) return [];
  const { operation = null, key = null } = last;
  return typeof operation === 'string'
    ? [['unauthenticated', operation, typeof key === 'string' ? key : '']]
    : [];
}

/**
 * What is valid is refused, each time with the same sentence. What only says that something is missing or invalid may have many
 * causes.
 */
export function sentenceTrait({ expected, actual }: Finding): string[][] {
  const sentence = /^HTTP (?:400|422) [A-Z_]+ \(([^)]{12,200})\)/.exec(actual)?.[1];
  // Or what is malformed is refused by a rule that comes later, which says so of the same value each time.
  const isLate = actual.startsWith('HTTP 422') && expected === 'HTTP 400 VALIDATION_ERROR';
  const isValid = /^(?:HTTP 200|a valid request to be accepted)/.test(expected);
  if (sentence === undefined || !(isValid || isLate) || sentence.split(' ').length < 4) return [];
  const namesInner = /\w\[\d+\]\.\w/.test(sentence);
  const isVague =
    /\b(?:required|missing|invalid|malformed|expected|is not an?)\b/i.test(sentence) ||
    (!namesInner && /\bmust\b/i.test(sentence));
  return isVague ? [] : [['sentence', sentence.replace(/\[\d+\]/g, '[]')]];
}

/** The status that is due with a code that is not. */
export function ownCodeTrait({ expected, actual }: Finding): string[][] {
  const [, status, due] = /^HTTP (\d{3}) ([A-Z_]+)/.exec(expected) ?? [];
  const [, own, code] = /^HTTP (\d{3}) ([A-Z_]+)/.exec(actual) ?? [];
  return code === undefined || status !== own || expected.includes(code) || due === undefined
    ? []
    : [['code', own ?? '', code]];
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
export function openFormTrait({ expected, case: stored }: Finding): string[][] {
  const body = expected === 'HTTP 401' ? lastStepIn(stored)?.body : null;
  return typeof body === 'string' && /^--[^]{1,100}\r\nContent-Disposition: form-data/i.test(body)
    ? [['multipart without a key']]
    : [];
}

/** Timestamps of one wrong form, in whatever member. */
export function timeFormTrait({ expected, actual }: Finding): string[][] {
  const value = /"(\d{4}-\d\d-\d\d[^"]{1,30})"$/.exec(beginningOf(actual))?.[1];
  return value === undefined || !expected.includes('YYYY-MM-DDTHH:mm:ss.sssZ')
    ? []
    : [['form of time', value.replace(/\d/g, '0')]];
}

/** What is invalid by a rule was accepted, whatever the consequence. */
export function unrefusedTrait({ requirement, expected, actual }: Finding): string[][] {
  const isDue = /^(?:HTTP 400 VALIDATION_ERROR|a refusal of )/.test(expected);
  const isTaken = /^HTTP (?:2\d\d|409)\b/.test(actual);
  // Whichever rule about clocks and zones asks: the distance to the departure decides.
  const isTooClose = / is \d h \d+ min ahead$/.test(expected);
  return [
    ...(isDue && isTaken ? [['unrefused', requirement]] : []),
    ...(isTooClose && isTaken ? [['too close']] : []),
  ];
}

/** The same page, or the same members in an object where no object belongs, come from one place whatever was asked; a crash may be any. */
export function sameFormTraits({ actual }: Finding): string[][] {
  const begin = beginningOf(actual);
  const [page] = /^HTTP 4\d\d with no JSON: "[^"]{8,}"/.exec(begin) ?? [];
  const [, member, object] = /([A-Za-z]\w*) (?:is )?(\{"[^{}]{2,200}\})$/.exec(begin) ?? [];
  const names = [...(object ?? '').matchAll(/"(\w+)":/g)].map(([, name]) => name ?? '');
  return [
    ...(page === undefined ? [] : [['page', page]]),
    ...(member === undefined || names.length === 0 ? [] : [['object', member, ...names.sort()]]),
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
export function isAstray({ check, code }: Finding): boolean {
  return check.endsWith('.webhook-recipient') && (code === 'record' || code === 'enterprise');
}

/** Whether other callbacks came instead of the one that was due: their values are what to read. */
export function isSaidOtherwise({ requirement, actual }: Finding): boolean {
  return requirement === 'WCI-CB-021' && /^\d+ of the request, with status/.test(actual);
}

/** Codes of oracles that only judge answers that should not exist. */
const accepting: ReadonlySet<string> = new Set(['accepted', 'listed', 'reached', 'leak']);

/** Whether a request was accepted that should have been refused. */
export function isWronglyAccepted({ expected, actual }: Finding): boolean {
  return actual.startsWith('HTTP 2') && /^(?:HTTP 4|a refusal)/.test(expected);
}

/** Rules by which something was accepted that should have been refused. */
export function rulesLetIn(findings: readonly Finding[]): ReadonlySet<string> {
  const found = findings.filter((one) => isWronglyAccepted(one) || accepting.has(one.code ?? ''));
  return new Set(found.map(({ requirement }) => requirement));
}

/** Traits of something accepted against a rule, of what else its answer breaks, and of what follows from it. */
export function letInTraits(finding: Finding, letIn: ReadonlySet<string>): string[][] {
  const { requirement, alsoBreaks = [], follows = [], code = '' } = finding;
  const isLetIn = isWronglyAccepted(finding) || accepting.has(code);
  // What many answers show has its own cause, even if one of them is about such a record.
  const [shown = 0, judged = 0] = finding.confirmed.split(' of ').map(Number);
  const isCommon = judged > 20 && shown * 2 > judged;
  const rules = [...(isLetIn ? [requirement] : []), ...(isCommon ? [] : [...alsoBreaks, ...follows])];
  const isForeign = code === 'reached' || code === 'leak';
  return [
    ...rules.filter((id) => letIn.has(id)).map((id) => ['let in', id]),
    // A lookup of one operation ignores the enterprise, for every kind of identifier.
    ...(isForeign ? [['foreign', lastOperationOf(finding) ?? '']] : []),
  ];
}

/** Cases of the same name that one operation answers wrongly in the same way, whatever form the body has. */
export function namedCaseTrait(finding: Finding): string[][] {
  const { case: stored, expected, actual } = finding;
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
  return [['named case', words, operation, beginningOf(expected), beginningOf(actual)]];
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
export function deviationTrait({ actual }: Finding): string[][] {
  const minutes = /\b(\d{2,4}) minutes off\b/.exec(beginningOf(actual))?.[1];
  return minutes === undefined ? [] : [['minutes off', minutes]];
}

/** Words in lower case where the documents have upper case, and old flights where the latest are due. */
export function formTraits({ requirement, code, expected, actual }: Finding): string[][] {
  const words = beginningOf(actual).match(/"[a-z_]{3,}"/g) ?? [];
  const due = beginningOf(expected);
  const isSmall = words.some((word) => due.includes(word.slice(1, -1).toUpperCase()));
  const isStale = requirement === 'FLA-GET-035' || (requirement.startsWith('FLA-') && code === 'stale');
  return [...(isSmall ? [['small letters']] : []), ...(isStale ? [['stale']] : [])];
}

/** A member that is lost everywhere, and a change that no callback reports, whatever came before it. */
export function lossTraits({ code, expected, actual }: Finding): string[][] {
  const lost = /^(?:data\[\d*\]\.)?([a-z]\w*) null$/.exec(beginningOf(actual))?.[1];
  const listed = /^(?:data\[\d*\]\.)?([a-z]\w*) is \[\]$/.exec(beginningOf(actual))?.[1];
  const inList = actual === '[] in the list' ? /^([a-z]\w*) \[/.exec(expected)?.[1] : listed;
  return [
    ...(lost === undefined ? [] : [['lost', lost]]),
    ...(inList === undefined ? [] : [['emptied', inList]]),
    ...(code === 'silent' && expected.includes('→') ? [['untold', beginningOf(expected)]] : []),
  ];
}
