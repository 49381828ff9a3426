import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json, type JsonObject } from '../kernel/body.ts';
import { valueAt, secondsOf } from './legSnapshot.ts';
import { tellTheSame, toldAt, toldIn, toldPaths, type FlightNotice } from './flightNotice.ts';
import { all, heaviest, holds, notApplicable, violated, type Judgement } from '../kernel/judgement.ts';
import { describeValue } from '../kernel/rule.ts';

/** A change of a leg, and what was reported to its subscriber. */
export interface ChangedLeg {
  /** The leg as it was shown before and after. */
  readonly before: JsonObject;
  readonly after: JsonObject;
  /** The paths at which the two are reliable: elsewhere the deployment shows something else than upstream has. */
  readonly paths: readonly string[];
  readonly notices: readonly FlightNotice[];
  /** Notifications of earlier changes, which may come again at any time. */
  readonly earlier: readonly FlightNotice[];
  /** The leg as it was shown when its callback was registered: what an initial notification reports (FLA-OPN-014). */
  readonly registered: JsonObject;
}

type Shown = Pick<ChangedLeg, 'before' | 'after' | 'paths'>;

/** The paths at which a leg changed. Another form of a missing value is not a change. */
export function changedPaths({ before, after, paths }: Shown): readonly string[] {
  return paths.filter((path) => {
    const [old, now] = [valueAt(before, path), valueAt(after, path)];
    return !isSame(path, old, now) && !(isNothing(old) && isNothing(now));
  });
}

/** Whether the notifications report every new value. */
export function isTold(changed: ChangedLeg): boolean {
  return changedPaths(changed).every((path) => missingOf(changed, path) === null);
}

/**
 * What the notifications of one change say about each rule that it is a sample of. Several may report it together, a duplicate
 * of an earlier one says nothing new, and one may overtake another.
 */
export function judgeChange(changed: ChangedLeg): Readonly<Record<string, Judgement>> {
  const judgements = new Map<string, Judgement>();
  const add = (rule: string, judgement: Judgement) =>
    judgements.set(rule, all(judgements.get(rule) ?? holds, judgement));
  const paths = changedPaths(changed);
  const fresh = freshOf(changed);
  const isCutShort = paths.some((path) => missingOf(changed, path)?.rule === 'FLA-CB-009');
  for (const path of paths) {
    const missing = missingOf(changed, path);
    if (missing === null) add(valueRuleOf(path, valueAt(changed.after, path)), holds);
    // If more is missing than what has rules of its own, it is missing for the same reason.
    else add(isCutShort && missing.isAbsent ? 'FLA-CB-009' : missing.rule, missing.judgement);
    if (missing === null) add('FLA-CB-009', holds);
  }
  for (const { rule, judgement } of valuesForNothing(changed, paths, fresh)) add(rule, judgement);
  for (const notice of fresh) {
    const told = toldIn(notice.changes).filter((path) => changed.paths.includes(path));
    for (const path of told.filter((one) => isUnchanged(changed, one))) {
      const { rule, judgement } = unchanged(changed, path, notice);
      add(rule, judgement);
    }
  }
  if (fresh.length > 0) {
    if (paths.length > 0) add('FLA-CB-001', holds);
    add('FLA-CB-010', holds);
    if (changed.paths.includes('alternateInfo') && !paths.includes('alternateInfo')) add('FLA-CB-012', holds);
  }
  const clearings = paths.flatMap((path) => clearedFromBlank(changed, path));
  if (clearings.length > 0 && !judgements.has('FLA-CB-011')) add('FLA-CB-011', heaviest(clearings));
  return Object.fromEntries(judgements);
}

interface Sample {
  readonly rule: string;
  readonly judgement: Judgement;
  /** Nothing at all was reported, rather than another value. */
  readonly isAbsent: boolean;
}

/** Why a new value was not reported; null where it was. */
function missingOf(changed: ChangedLeg, path: string): Sample | null {
  const now = valueAt(changed.after, path);
  // A value that was reported before may be reported again, because it applies again.
  const told = changed.notices
    .map(({ changes }) => toldAt(changes, path))
    .filter((value) => value !== undefined);
  if (told.some((value) => tells(path, value, now))) return null;
  const wanted = `${path} ${describeValue(now ?? null)}`;
  const [wrong] = told;
  if (wrong === undefined)
    return {
      rule: missingRuleOf(path, now),
      judgement: violated('missing', wanted, `no ${path} in changes`),
      isAbsent: true,
    };
  const judgement = violated('value', wanted, `${path} ${describeValue(wrong)}`);
  return { rule: valueRuleOf(path, now), judgement, isAbsent: false };
}

/** A value that is reported although it did not change: harmless where it is the current one. */
function unchanged({ after }: ChangedLeg, path: string, { changes }: FlightNotice): Omit<Sample, 'isAbsent'> {
  const [told, now] = [toldAt(changes, path), valueAt(after, path)];
  const isCurrent = tells(path, told, now) || (isNothing(told) && isNothing(now));
  if (path === 'alternateInfo')
    return {
      rule: 'FLA-CB-012',
      judgement: violated('unchanged', 'no alternateInfo', 'one that did not change'),
    };
  // A stopover is reported by its members or whole (FLA-OPN-013).
  if (path.startsWith('stopover.') && isCurrent) return { rule: 'FLA-CB-010', judgement: holds };
  // Another form of the same value than the one that is shown.
  if (isCurrent && !isDeepStrictEqual(told, now)) return { rule: 'FLA-CB-010', judgement: holds };
  if (isCurrent)
    return {
      rule: 'FLA-CB-010',
      judgement: violated('unchanged', `no ${path}`, `${path} ${describeValue(told)}`),
    };
  const wanted = `no ${path}, which is ${describeValue(now ?? null)} as before`;
  return {
    rule: valueRuleOf(path, now),
    judgement: violated('value', wanted, `${path} ${describeValue(told)}`),
  };
}

/** A value is reported where there was none and is none: only the form of its absence changed, which may be reported or not. */
function valuesForNothing(
  changed: ChangedLeg,
  changedNow: readonly string[],
  fresh: readonly FlightNotice[],
): readonly Omit<Sample, 'isAbsent'>[] {
  const forms = changed.paths.filter((path) => !changedNow.includes(path) && !isUnchanged(changed, path));
  return forms.flatMap((path) => {
    const now = valueAt(changed.after, path);
    const told = fresh.map(({ changes }) => toldAt(changes, path)).filter((value) => value !== undefined);
    const [wrong] = told;
    const isRight = told.some((value) => isNothing(value) || isSame(path, value, now));
    if (wrong === undefined || !isNothing(now) || isRight) return [];
    const judgement = violated('value', `${path} null, or none`, `${path} ${describeValue(wrong)}`);
    return [{ rule: valueRuleOf(path, now), judgement }];
  });
}

/** Another form of the same value is a change for some deployments, and none for others. */
function isUnchanged({ before, after }: Pick<ChangedLeg, 'before' | 'after'>, path: string): boolean {
  return isDeepStrictEqual(documentedAt(before, path), documentedAt(after, path));
}

/** The notifications of this change: not an earlier one that came again, nor a late initial one. */
function freshOf(changed: ChangedLeg): readonly FlightNotice[] {
  const { notices, earlier } = changed;
  return notices.filter(
    (notice) => !earlier.some((one) => tellTheSame(one, notice)) && !isInitial(notice, changed),
  );
}

/** Whether everything that is reported was so at the registration. A notification with only old values of this change does not count. */
function isInitial({ changes }: FlightNotice, changed: ChangedLeg): boolean {
  const told = toldIn(changes);
  const changedNow = changedPaths(changed);
  if (told.every((path) => changedNow.includes(path))) return false;
  return told.every((path) => {
    const [value, then] = [toldAt(changes, path), valueAt(changed.registered, path)];
    return isSame(path, value, then) || (isNothing(value) && isNothing(then));
  });
}

/** The rule that a wrong value breaks. */
function valueRuleOf(path: string, now: Json | undefined): string {
  if (path === 'alternateInfo') return 'FLA-CB-013';
  if (path.startsWith('stopover.')) return 'FLA-CB-014';
  if (now === null || now === undefined) return 'FLA-CB-011';
  if (path === 'status') return 'FLA-CB-024';
  return path.endsWith('Time') ? 'FLA-CB-022' : 'FLA-CB-008';
}

/**
 * What a value says about clearing that lookups show as blank once it is gone: a null that was reported clears it; where a blank
 * was reported, blank is what this deployment has for a value, so that none was cleared.
 */
function clearedFromBlank(changed: ChangedLeg, path: string): readonly Judgement[] {
  const now = valueAt(changed.after, path);
  const isOfItsOwn = path === 'alternateInfo' || path.startsWith('stopover.');
  if (isOfItsOwn || typeof now !== 'string' || !isNothing(now)) return [];
  const told = changed.notices.map(({ changes }) => toldAt(changes, path));
  if (told.includes(null)) return [holds];
  return told.some((value) => value !== undefined && isNothing(value)) ? [notApplicable] : [];
}

/** The rule that a value that is not reported breaks. */
function missingRuleOf(path: string, now: Json | undefined): string {
  const rule = valueRuleOf(path, now);
  return ['FLA-CB-013', 'FLA-CB-014', 'FLA-CB-011'].includes(rule) ? rule : 'FLA-CB-009';
}

/**
 * Whether what is reported is the value now. One that was cleared is reported as null, also if a lookup shows it as blank;
 * alternate routes as an empty array, too.
 */
function tells(path: string, told: Json | undefined, now: Json | undefined): boolean {
  if (path === 'alternateInfo') return isSame(path, told, now);
  if (path.startsWith('stopover.')) return isSame(path, told, now) || (told === null && isNothing(now));
  if (now === null || now === undefined) return told === null;
  return isSame(path, told, now) || (isNothing(told) && isNothing(now));
}

function isSame(path: string, one: Json | undefined, other: Json | undefined): boolean {
  if (path === 'alternateInfo') return isDeepStrictEqual(pruned(documented(one)), pruned(documented(other)));
  if (isDeepStrictEqual(pruned(one), pruned(other))) return true;
  // A string or a number of seconds, of which zero is a value in either form.
  const seconds = path.endsWith('utcOffsetSeconds') ? secondsOf(one) : null;
  return seconds !== null && seconds === secondsOf(other);
}

/** A value of a leg without undocumented members, which may differ from answer to answer. */
function documentedAt(leg: JsonObject, path: string): Json | undefined {
  const value = valueAt(leg, path);
  return path === 'alternateInfo' ? documented(value) : value;
}

const endMembers = ['city', 'airport', 'scheduledTime', 'actualTime', 'utcOffsetSeconds'];

/** Alternate routes with only their documented members. */
function documented(routes: Json | undefined): Json | undefined {
  if (!Array.isArray(routes)) return routes;
  return (routes as readonly Json[]).map((route) => {
    if (!isObject(route)) return route;
    const { departure, arrival, ...rest } = route;
    const ends = { departure: only(endMembers, departure), arrival: only(endMembers, arrival) };
    return { ...(only(['status'], rest) as JsonObject), ...ends };
  });
}

function only(names: readonly string[], value: Json | undefined): Json | undefined {
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([name]) => names.includes(name));
  return Object.fromEntries<Json | undefined>(
    kept.map(([name, member]) => [name, plainOffset(name, member)]),
  );
}

/** An offset may be a text or a number wherever it is reported. */
function plainOffset(name: string, value: Json | undefined): Json | undefined {
  return name === 'utcOffsetSeconds' ? (secondsOf(value) ?? value) : value;
}

/** Without members that are null, missing or empty, which is the same for optional and nullable ones. */
function pruned(value: Json | undefined): unknown {
  if (Array.isArray(value)) {
    const items = (value as readonly Json[]).map(pruned);
    return items.length === 0 ? null : items;
  }
  if (!isObject(value)) return value ?? null;
  const members = Object.entries(value)
    .map(([name, member]) => [name, pruned(member)] as const)
    .filter(([, member]) => member !== null);
  return members.length === 0 ? null : Object.fromEntries(members);
}

/** The paths at which upstream changed no more than the form of a value that is shown alike: it may be reported or not. */
export function changedForms(
  shown: Pick<ChangedLeg, 'before' | 'after'>,
  upstream: Pick<ChangedLeg, 'before' | 'after'>,
): readonly string[] {
  return toldPaths.filter((path) => isUnchanged(shown, path) && !isUnchanged(upstream, path));
}

const blank = /^[\s0\-:]*$/;

/** null, blank and zero times: forms of a missing value. A zero number is a value. */
function isNothing(value: Json | undefined): boolean {
  return value === null || value === undefined || (typeof value === 'string' && blank.test(value));
}

/** The paths at which a leg is shown as upstream has it; if upstream has no value, as it may be shown. */
export function reliablePaths(shown: JsonObject, upstream: JsonObject): readonly string[] {
  return toldPaths.filter((path) => {
    const [there, here] = [valueAt(shown, path), valueAt(upstream, path)];
    return isSame(path, there, here) || (isNothing(there) && isNothing(here));
  });
}
