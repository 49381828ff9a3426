import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json, type JsonObject } from '../../trace/body.ts';

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

/** Members with few possible meanings, which are shown as upstream has them; a number may be a text. */
export const exactPaths = [
  ...['isCodeshare', 'stopover.airportIata', 'departure.airportIata', 'arrival.airportIata'],
  ...['departure.terminal', 'departure.utcOffsetSeconds', 'departure.gate'],
  ...['arrival.terminal', 'arrival.utcOffsetSeconds', 'arrival.baggageBelt'],
];

/** Members whose value may be worded differently than upstream. */
export const freePaths = [
  ...['codeshareFlightNumber', 'airline.name', 'stopover.city', 'departure.city', 'arrival.city'],
];

const times = ['scheduledTime', 'estimatedTime', 'actualTime'].flatMap((time) => [
  `departure.${time}`,
  `arrival.${time}`,
]);

/** Members that can be compared with those of another state of a leg. */
const comparedPaths = [
  ...exactPaths,
  ...freePaths,
  ...times,
  ...['flightNumber', 'status', 'departure.boardingStatus', 'alternateInfo'],
];

/** A member that is not shown as upstream has it. */
export interface Fault {
  readonly rule: string;
  readonly path: string;
  readonly want: Json | undefined;
  readonly got: Json | undefined;
}

/** What is wrong about a leg that is shown, by what upstream has of it. */
export function faultsOf(shown: JsonObject, given: JsonObject): readonly Fault[] {
  return comparedPaths.flatMap((path) => faultAt(path, shown, given));
}

function faultAt(path: string, shown: JsonObject, given: JsonObject): readonly Fault[] {
  const [got, want] = [valueAt(shown, path), valueAt(given, path)];
  if (path === 'alternateInfo') return routeFaults(shown, got, want);
  // Another type is a matter of the rules on types.
  if (got != null && typeof got !== 'string' && typeof got !== 'number') return [];
  const rule = isNone(want) ? filledRule(path, got, want) : changedRule(path, got, want);
  return rule === null ? [] : [{ rule, path, want, got }];
}

const knownStatuses: ReadonlySet<unknown> = new Set([
  ...['schedule', 'delay', 'cancel', 'diversion', 'return', 'departure', 'arrival'],
  ...['diverted flight departure', 'diverted flight cancel', 'diverted flight arrival'],
  ...['returned flight departure', 'returned flight cancel', 'returned flight arrival'],
  ...['cancel in advance', 'circling', 'circled', 'climbing', 'cruising', 'descending', 'landing'],
]);

const texts: Readonly<Record<string, string>> = { 'departure.boardingStatus': 'FLA-SNP-020' };

/** The rule of a member that upstream has a value for. */
function changedRule(path: string, got: Json | undefined, want: Json | undefined): string | null {
  if (path === 'status') return got === want ? null : knownStatuses.has(want) ? 'FLA-SNP-009' : 'FLA-SNP-010';
  if (times.includes(path)) return got === want ? null : 'FLA-SNP-017';
  if (texts[path] !== undefined) return got === want ? null : texts[path];
  if (isSameOffset(path, got, want)) return null;
  if (path === 'airline.name') return isNone(got) ? 'FLA-SNP-033' : null;
  if (isNone(got)) return 'FLA-SNP-030';
  return exactPaths.includes(path) && textOf(got) !== textOf(want) ? 'FLA-SNP-030' : null;
}

/** A number may be a text. */
const textOf = (value: Json | undefined) => (typeof value === 'number' ? String(value) : value);

/** The rule of a member that upstream has no value for: a blank may be another blank, or null. */
function filledRule(path: string, got: Json | undefined, want: Json | undefined): string | null {
  const isText = path === 'status' || texts[path] !== undefined;
  if (isText && got === 'web check-in' && path !== 'status') return null;
  if (isText) return got === want || (isNone(got) && (got == null || want == null)) ? null : textRule(path);
  if (!isFilled(got)) return null;
  if (path === 'departure.estimatedTime') return 'FLA-SNP-019';
  if (path === 'arrival.estimatedTime') return 'FLA-SNP-028';
  return /terminal$|gate$|baggageBelt$|actualTime$/.test(path) ? 'FLA-SNP-032' : null;
}

function textRule(path: string): string {
  return texts[path] ?? 'FLA-SNP-010';
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

const endMembers = ['airport', 'city', 'scheduledTime', 'actualTime', 'utcOffsetSeconds'];
const routePaths = [
  'status',
  ...['departure', 'arrival'].flatMap((end) => endMembers.map((name) => `${end}.${name}`)),
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
