import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json, type JsonObject } from '../../trace/body.ts';
import { isDamaged } from '../kit/damaged.ts';
import { alternateMembers, legMembers, type LegMember } from '../grammar/legSnapshot.ts';

/** Blank and zero values, such as 0000-00-00 00:00:00. */
const nothing = /^[\s0\-:]*$/;

/** Null, blank and zero all say that there is no value. */
export function isNone(value: Json | undefined): boolean {
  return value == null || (typeof value === 'string' && nothing.test(value));
}

/** A dash, or another word, is a value where there is none. */
export function isFilled(value: Json | undefined): value is string {
  return typeof value === 'string' && (!isNone(value) || (value.includes('-') && !value.includes('0')));
}

/** A member that is not shown as upstream has it. */
export interface Fault {
  readonly rule: string;
  readonly path: string;
  readonly want: Json | undefined;
  readonly got: Json | undefined;
}

/** What is wrong about a leg that is shown, by what upstream has of it. */
export function faultsOf(shown: JsonObject, given: JsonObject): readonly Fault[] {
  const faults = routeFaults(shown, shown.alternateInfo, given.alternateInfo);
  return [...legMembers.flatMap((member) => faultAt(member, shown, given)), ...faults];
}

/** The rules of members that are shown as upstream has them. */
export function keptOf(shown: JsonObject, given: JsonObject): readonly string[] {
  const rules = legMembers.map((member) => {
    const [got, want] = [memberOf(shown, member), memberOf(given, member)];
    if (want === undefined) return null;
    if (isNone(want)) return isNone(got) ? member.madeUp : null;
    return textOf(got) === textOf(want) ? lostRule(member, undefined, want) : null;
  });
  const blanks = legMembers.some((member) => memberOf(given, member) === '');
  const routes = given.alternateInfo;
  const isWithout = !Array.isArray(routes) || routes.length === 0;
  return [
    ...rules.filter((rule) => rule !== null),
    ...(blanks ? ['FLA-SNP-021'] : []),
    ...(isWithout && shown.alternateInfo == null ? ['FLA-SNP-003'] : []),
    ...(isWithout && !('alternateInfo' in shown) ? ['FLA-SNP-031'] : []),
  ];
}

const noFaults: readonly Fault[] = Object.freeze([]);

/** The value of a member; quicker than by its path. */
export function memberOf(leg: JsonObject, { holder, name }: LegMember): Json | undefined {
  if (holder === null) return leg[name];
  const object = leg[holder];
  return isObject(object) ? object[name] : undefined;
}

function faultAt(member: LegMember, shown: JsonObject, given: JsonObject): readonly Fault[] {
  const { path } = member;
  const [got, want] = [memberOf(shown, member), memberOf(given, member)];
  // What a step leaves out of a leg is the state handler's to fill in.
  if (got === want || want === undefined) return noFaults;
  // Another type is a matter of the rules on types.
  if (got != null && typeof got !== 'string' && typeof got !== 'number') return noFaults;
  const rule = isNone(want) ? madeUpRule(member, got, want) : lostRule(member, got, want);
  return rule === null ? noFaults : [{ rule, path, want, got }];
}

const knownStatuses: ReadonlySet<unknown> = new Set([
  ...['schedule', 'delay', 'cancel', 'diversion', 'return', 'departure', 'arrival'],
  ...['diverted flight departure', 'diverted flight cancel', 'diverted flight arrival'],
  ...['returned flight departure', 'returned flight cancel', 'returned flight arrival'],
  ...['cancel in advance', 'circling', 'circled', 'climbing', 'cruising', 'descending', 'landing'],
]);

/** The rule of a member that upstream has a value for. */
function lostRule(
  { path, shown, lost }: LegMember,
  got: Json | undefined,
  want: Json | undefined,
): string | null {
  if (shown === 'verbatim') {
    if (got === want) return null;
    return path === 'status' && knownStatuses.has(want) ? 'FLA-SNP-009' : lost;
  }
  if (isSameOffset(path, got, want)) return null;
  if (isNone(got)) return lost;
  return shown === 'exact' ? (textOf(got) === textOf(want) ? null : lost) : lostText(got, want, lost);
}

/** Other words may stand there, but not the same ones damaged. */
function lostText(got: Json | undefined, want: Json | undefined, lost: string | null): string | null {
  return typeof got === 'string' && typeof want === 'string' && isDamaged(got, want) ? lost : null;
}

/** A number may be a text. */
const textOf = (value: Json | undefined) => (typeof value === 'number' ? String(value) : value);

/** The rule of a member that upstream has no value for: a blank may be another blank, or null. */
function madeUpRule(
  { path, madeUp }: LegMember,
  got: Json | undefined,
  want: Json | undefined,
): string | null {
  if (path === 'departure.boardingStatus' && got === 'web check-in') return null;
  if (path !== 'status' && path !== 'departure.boardingStatus') return isFilled(got) ? madeUp : null;
  return got === want || (isNone(got) && (got == null || want == null)) ? null : madeUp;
}

function routeFaults(shown: JsonObject, got: Json | undefined, want: Json | undefined): readonly Fault[] {
  const fault = (rule: string, path = 'alternateInfo'): Fault => ({ rule, path, want, got });
  if (!Array.isArray(want) || want.length === 0) {
    // A null of upstream may be passed on as it is.
    if (got === undefined || (got === null && want === null)) return [];
    return [fault(got === null ? 'FLA-SNP-031' : 'FLA-SNP-003')];
  }
  if (got == null || (Array.isArray(got) && got.length === 0)) return [fault('FLA-SNP-030')];
  if (!Array.isArray(got)) return [];
  if (got.length !== want.length) return [fault('FLA-SNP-005')];
  return (want as readonly Json[]).flatMap((route, index) =>
    isObject(route) ? routeFault(shown, route, `alternateInfo.${index}`) : [],
  );
}

const routePaths = [
  'status',
  ...['departure', 'arrival'].flatMap((end) => [...alternateMembers.keys()].map((name) => `${end}.${name}`)),
];

function routeFault(shown: JsonObject, route: JsonObject, at: string): readonly Fault[] {
  return routePaths.flatMap((path) => {
    const [got, want] = [valueAt(shown, `${at}.${path}`), valueAt(route, path)];
    if (isNone(want) || isDeepStrictEqual(got, want) || isSameOffset(path, got, want)) return [];
    if (path.endsWith('city') && !isNone(got)) return [];
    const rule = path.endsWith('Time')
      ? 'FLA-SNP-017'
      : /city$|Seconds$/.test(path)
        ? 'FLA-SNP-005'
        : 'FLA-SNP-004';
    return [{ rule, path: `${at}.${path}`, want, got }];
  });
}

/** An offset may be reported as a number and shown as a text; a text of zero is one as well. */
export function isSameOffset(path: string, got: Json | undefined, want: Json | undefined): boolean {
  if (!path.endsWith('utcOffsetSeconds')) return false;
  const seconds = secondsOf(got);
  return seconds !== null && seconds === secondsOf(want);
}

/** The seconds of an offset, which is a number or a text; null where it is neither. */
export function secondsOf(value: Json | undefined): number | null {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.trim() === '') return null;
  return Number.isFinite(Number(value)) ? Number(value) : null;
}

export function valueAt(object: JsonObject, path: string): Json | undefined {
  return path.split('.').reduce<Json | undefined>((value, step) => {
    if (Array.isArray(value)) return (value as readonly Json[])[Number(step)];
    return isObject(value) ? value[step] : undefined;
  }, object);
}
