import { isDeepStrictEqual } from 'node:util';
import type { Json, JsonObject } from '../kernel/body.ts';
import {
  exactPaths,
  freePaths,
  isFilled,
  isNone,
  isSameOffset,
  valueAt,
} from '../../spec/rules/legMembers.ts';
import { type Judgement, unclear, violated, holds } from '../kernel/judgement.ts';

/** Whether members are shown as upstream has them; the paths are dotted. */
export function passedOn(
  shown: JsonObject | null,
  given: JsonObject,
  paths: readonly string[],
  options: { readonly nothingMayDiffer?: boolean } = {},
): Judgement {
  if (!shown) return unclear('the leg is not shown');
  for (const path of paths) {
    const [actual, expected] = [valueAt(shown, path), valueAt(given, path)];
    // Null, blank and zero all say that there is no value; a blank that becomes another blank was changed.
    const isNothing = isNone(expected) && isNone(actual) && (actual == null || expected == null);
    const isSame =
      isDeepStrictEqual(actual, expected) || isSameOffset(path, valueAt(shown, path), valueAt(given, path));
    if (isSame || (isNothing && options.nothingMayDiffer === true)) continue;
    return violated('passed-on', `${path} ${show(expected)}, as upstream has it`, `${path} ${show(actual)}`);
  }
  return holds;
}

/** Whether a leg shows no alternate routes where upstream has none; null says that there are none, too. */
export function withoutAlternates(leg: JsonObject | null): Judgement {
  if (!leg) return unclear('the leg is not shown');
  const { alternateInfo } = leg;
  if (alternateInfo == null) return holds;
  return violated('made-up', 'no alternateInfo', `alternateInfo ${show(alternateInfo)}`);
}

/** Whether a leg leaves `alternateInfo` out where upstream has none, rather than to show it as null. */
export function omitsAlternates(leg: JsonObject | null): Judgement {
  if (!leg) return unclear('the leg is not shown');
  return leg.alternateInfo === null ? violated('null', 'no alternateInfo', 'alternateInfo null') : holds;
}

/** Whether each of these members has some value where upstream has one, in whatever words. */
export function keepsValues(
  shown: JsonObject | null,
  given: JsonObject,
  paths: readonly string[],
): Judgement {
  if (!shown) return unclear('the leg is not shown');
  const lost = valuedPaths(given, paths).find(
    (path) =>
      valuedPaths(shown, [path]).length === 0 &&
      !isSameOffset(path, valueAt(shown, path), valueAt(given, path)),
  );
  if (lost === undefined) return holds;
  return violated('lost', `${lost} ${show(valueAt(given, lost))}`, `${lost} ${show(valueAt(shown, lost))}`);
}

/** Whether the name of an airline is shown, in whatever words, where upstream has one. */
export function keepsAirlineName(shown: JsonObject | null, given: JsonObject): Judgement {
  return keepsValues(shown, given, ['airline.name']);
}

/** Whether every value that upstream has for a leg is shown; the name of an airline may be one of a table of the service's own. */
export function losesNothing(shown: JsonObject | null, given: JsonObject): Judgement {
  if (!shown) return unclear('the leg is not shown');
  const paths = [...exactPaths, ...freePaths].filter((path) => path !== 'airline.name');
  const kept = keepsValues(shown, given, paths);
  if (kept.status !== 'holds') return kept;
  const other = valuedPaths(given, exactPaths).find((path) => {
    const [value, expected] = [plain(valueAt(shown, path)), plain(valueAt(given, path))];
    return (
      value !== null && value !== expected && !isSameOffset(path, valueAt(shown, path), valueAt(given, path))
    );
  });
  if (other === undefined) return holds;
  return violated(
    'other',
    `${other} ${show(valueAt(given, other))}`,
    `${other} ${show(valueAt(shown, other))}`,
  );
}

/** The paths at which upstream has a value that is not missing, blank or zero. */
export function valuedPaths(given: JsonObject, paths: readonly string[]): readonly string[] {
  return paths.filter((path) => !isNone(valueAt(given, path)));
}

/** Whether members that upstream has no value for have none: absent, null, blank or zero, which a dash alone is not. */
export function withoutValue(shown: JsonObject | null, paths: readonly string[]): Judgement {
  if (!shown) return unclear('the leg is not shown');
  // A value of another type belongs to the rules on types.
  const filled = paths.find((path) => {
    const value = valueAt(shown, path);
    return isFilled(value);
  });
  if (filled === undefined) return holds;
  return violated(
    'filled',
    `${filled} null, as upstream has none`,
    `${filled} ${show(valueAt(shown, filled))}`,
  );
}

/** A text or a number as text; null for another type, which belongs to the rules on types. */
export function plain(value: Json | undefined): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

export function show(value: Json | undefined): string {
  return value === undefined ? 'absent' : JSON.stringify(value);
}

export { secondsOf, valueAt } from '../../spec/rules/legMembers.ts';

/** The members that a leg snapshot always has; alternateInfo may be left out. */
export const snapshotPaths: readonly string[] = [
  'flightNumber',
  'stopover.airportIata',
  'stopover.city',
  'isCodeshare',
  'codeshareFlightNumber',
  'status',
  'airline.name',
  'airline.code',
  ...[
    'airportIata',
    'city',
    'terminal',
    'utcOffsetSeconds',
    'scheduledTime',
    'estimatedTime',
    'actualTime',
  ].flatMap((member) => [`departure.${member}`, `arrival.${member}`]),
  'departure.gate',
  'departure.boardingStatus',
  'arrival.baggageBelt',
];

/** Whether one snapshot has the documented members of another, and no other documented ones. */
export function sameMembersOf(actual: JsonObject | null, expected: JsonObject | null): Judgement {
  if (!actual || !expected) return unclear('one of the two does not show the leg');
  const different = snapshotPaths.find(
    (path) => (valueAt(actual, path) === undefined) !== (valueAt(expected, path) === undefined),
  );
  if (different === undefined) return holds;
  const show = (leg: JsonObject) => (valueAt(leg, different) === undefined ? `no ${different}` : different);
  return violated('members', show(expected), show(actual));
}

const wordless = snapshotPaths.filter((path) => !freePaths.includes(path));

/** Whether two snapshots of one leg agree in all documented values, except those that may be worded differently. */
export function sameValuesOf(actual: JsonObject | null, expected: JsonObject | null): Judgement {
  if (!actual || !expected) return unclear('one of the two does not show the leg');
  return passedOn(actual, expected, wordless);
}
