import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json, type JsonObject } from '../../trace/json.ts';
import { alternateMembers } from '../grammar/legSnapshot.ts';
import type { Findings, Wrong } from '../kernel/findings.ts';
import { absent, noted, value } from '../kernel/value.ts';
import { toldAt, toldIn, toldPaths, type FlightNotice } from '../world/upstream.ts';
import { isNone, secondsOf, valueAt } from './legMembers.ts';

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

type Legs = Pick<ChangedLeg, 'before' | 'after'>;

/** The paths at which a leg changed. Another form of a missing value is not a change. */
export function changedPaths({ before, after, paths }: Legs & Pick<ChangedLeg, 'paths'>): readonly string[] {
  return paths.filter((path) => !isAlike(path, valueAt(before, path), valueAt(after, path)));
}

/** Whether the notifications report every new value. */
export function isTold(changed: ChangedLeg): boolean {
  return changedPaths(changed).every((path) => missingOf(changed, path) === null);
}

/**
 * What the notifications of one change say about each rule that it is a sample of. Several may report it together, a duplicate
 * of an earlier one says nothing new, and one may overtake another.
 */
export function judgeChange(changed: ChangedLeg, findings: Findings): void {
  const paths = changedPaths(changed);
  const fresh = freshOf(changed, paths);
  const missing = paths.map((path) => missingOf(changed, path));
  // If more is missing than what has rules of its own, it is missing for the same reason.
  const isCutShort = missing.some((one) => one?.rule === 'FLA-CB-009');
  for (const [index, path] of paths.entries()) {
    const lost = missing[index];
    // One that may be of another change tells no wrong value of this one.
    if (lost && isToldByDoubtful(changed, path)) continue;
    if (lost)
      findings.break(isCutShort && lost.wrong.code === 'missing' ? 'FLA-CB-009' : lost.rule, lost.wrong);
    else
      for (const rule of [valueRuleOf(path, valueAt(changed.after, path)), 'FLA-CB-009']) findings.keep(rule);
  }
  judgeForms(changed, paths, fresh, findings);
  for (const { changes } of fresh)
    for (const path of toldIn(changes))
      if (changed.paths.includes(path) && isUnchanged(changed, path))
        judgeUnchanged(changed, path, changes, findings);
  if (fresh.length > 0) {
    if (paths.length > 0) findings.keep('FLA-CB-001');
    findings.keep('FLA-CB-010');
    if (changed.paths.includes('alternateInfo') && !paths.includes('alternateInfo'))
      findings.keep('FLA-CB-012');
  }
  for (const path of paths) judgeClearing(changed, path, findings);
}

/** Why a new value was not reported; null where it was. */
function missingOf(
  { after, notices }: ChangedLeg,
  path: string,
): { readonly rule: string; readonly wrong: Wrong } | null {
  const now = valueAt(after, path);
  // A value that was reported before may be reported again, because it applies again.
  const told = toldBy(notices, path);
  if (told.some((one) => tells(path, one, now))) return null;
  const [first] = told;
  const rule = valueRuleOf(path, now);
  const isOfItsOwn = ['FLA-CB-013', 'FLA-CB-014', 'FLA-CB-011'].includes(rule);
  return first === undefined
    ? { rule: isOfItsOwn ? rule : 'FLA-CB-009', wrong: wrong('missing', path, now, undefined) }
    : { rule, wrong: wrong('value', path, now, first) };
}

function isToldByDoubtful({ notices, earlier }: ChangedLeg, path: string): boolean {
  const telling = notices.filter(({ changes }) => toldAt(changes, path) !== undefined);
  return telling.length > 0 && telling.every((one) => earlier.includes(one));
}

function toldBy(notices: readonly FlightNotice[], path: string): readonly Json[] {
  return notices.map(({ changes }) => toldAt(changes, path)).filter((one) => one !== undefined);
}

function wrong(code: string, path: string, want: Json | undefined, got: Json | undefined): Wrong {
  return { code, at: `changes.${path}`, want: value(want ?? null), got: value(got) };
}

/** A value that is reported although it did not change: harmless where it is the current one. */
function judgeUnchanged({ after }: ChangedLeg, path: string, changes: JsonObject, findings: Findings): void {
  const [told, now] = [toldAt(changes, path), valueAt(after, path)];
  const isCurrent = tells(path, told, now) || (isNone(told) && isNone(now));
  const unchanged = { code: 'unchanged', at: `changes.${path}`, want: absent, got: value(told) };
  if (path === 'alternateInfo') findings.break('FLA-CB-012', unchanged);
  else if (!isCurrent) {
    const was = noted(value(now ?? null), 'as before, or none');
    findings.break(valueRuleOf(path, now), { ...unchanged, code: 'value', want: was });
  }
  // A stopover is reported by its members or whole (FLA-OPN-013), and a value perhaps in another form than the one that is shown.
  else if (path.startsWith('stopover.') || !isDeepStrictEqual(told, now)) findings.keep('FLA-CB-010');
  else findings.break('FLA-CB-010', unchanged);
}

/** A value is reported where there was none and is none: only the form of its absence changed, which may be reported or not. */
function judgeForms(
  changed: ChangedLeg,
  news: readonly string[],
  fresh: readonly FlightNotice[],
  findings: Findings,
): void {
  for (const path of changed.paths.filter((one) => !news.includes(one) && !isUnchanged(changed, one))) {
    const now = valueAt(changed.after, path);
    const told = toldBy(fresh, path);
    const [first] = told;
    if (first === undefined || !isNone(now) || told.some((one) => isAlike(path, one, now))) continue;
    findings.break(valueRuleOf(path, now), wrong('value', path, null, first));
  }
}

/** Another form of the same value is a change for some deployments, and none for others. */
export function isUnchanged({ before, after }: Legs, path: string): boolean {
  const [old, now] = [before, after].map((leg) => documented(path, valueAt(leg, path)));
  return isDeepStrictEqual(old, now);
}

/** The notifications of this change: not an earlier one that came again, nor a late initial one. */
function freshOf(
  { notices, earlier, registered }: ChangedLeg,
  news: readonly string[],
): readonly FlightNotice[] {
  return notices.filter(({ changes }) => {
    const told = toldIn(changes);
    const isInitial = told.every((path) => isAlike(path, toldAt(changes, path), valueAt(registered, path)));
    const isRepeated = earlier.some((one) => isDeepStrictEqual(one.changes, changes));
    return !isRepeated && (!isInitial || told.every((path) => news.includes(path)));
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
function judgeClearing({ after, notices }: ChangedLeg, path: string, findings: Findings): void {
  const now = valueAt(after, path);
  if (path === 'alternateInfo' || path.startsWith('stopover.') || typeof now !== 'string' || !isNone(now))
    return;
  const told = toldBy(notices, path);
  if (told.includes(null)) findings.keep('FLA-CB-011');
  else if (told.some(isNone)) findings.waive('FLA-CB-011');
}

/**
 * Whether what is reported is the value now. One that was cleared is reported as null, also if a lookup shows it as blank;
 * alternate routes as an empty array, too.
 */
export function tells(path: string, told: Json | undefined, now: Json | undefined): boolean {
  if (path === 'alternateInfo') return isSame(path, told, now);
  if (path.startsWith('stopover.')) return isSame(path, told, now) || (told === null && isNone(now));
  return now === null || now === undefined ? told === null : isAlike(path, told, now);
}

function isSame(path: string, one: Json | undefined, other: Json | undefined): boolean {
  return one === other || isDeepStrictEqual(comparable(path, one), comparable(path, other));
}

function comparable(path: string, given: Json | undefined): unknown {
  return pruned(plain(path, documented(path, given)));
}

/** The same value, or none in whatever form. */
function isAlike(path: string, one: Json | undefined, other: Json | undefined): boolean {
  return isSame(path, one, other) || (isNone(one) && isNone(other));
}

/** A value without undocumented members, which may differ from answer to answer. */
function documented(path: string, given: Json | undefined): Json | undefined {
  if (path !== 'alternateInfo' || !Array.isArray(given)) return given;
  return (given as readonly Json[]).map((route) =>
    isObject(route)
      ? {
          status: route.status,
          departure: documentedEnd(route.departure),
          arrival: documentedEnd(route.arrival),
        }
      : route,
  );
}

/** An offset may be a text or a number wherever it is reported. */
function documentedEnd(end: Json | undefined): Json | undefined {
  if (!isObject(end)) return end;
  const members = [...alternateMembers.keys()].map((name) => [name, plain(name, end[name])] as const);
  return Object.fromEntries<Json | undefined>(members);
}

function plain(path: string, given: Json | undefined): Json | undefined {
  return path.endsWith('utcOffsetSeconds') ? (secondsOf(given) ?? given) : given;
}

/** Without members that are null, missing or empty, which is the same for optional and nullable ones. */
function pruned(given: Json | undefined): unknown {
  if (Array.isArray(given)) return given.length === 0 ? null : (given as readonly Json[]).map(pruned);
  if (!isObject(given)) return given ?? null;
  const members = Object.entries(given).flatMap(([name, one]) => {
    const member = pruned(one);
    return member === null ? [] : [[name, member] as const];
  });
  return members.length === 0 ? null : Object.fromEntries(members);
}

/** The paths at which upstream changed no more than the form of a value that is shown alike: it may be reported or not. */
export function changedForms(shown: Legs, upstream: Legs): readonly string[] {
  return toldPaths.filter((path) => isUnchanged(shown, path) && !isUnchanged(upstream, path));
}

/** The paths at which a leg is shown as upstream has it; if upstream has no value, as it may be shown. */
export function reliablePaths(shown: JsonObject, upstream: JsonObject): readonly string[] {
  return toldPaths.filter((path) => isAlike(path, valueAt(shown, path), valueAt(upstream, path)));
}
