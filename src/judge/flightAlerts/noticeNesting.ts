import { isObject, type JsonObject } from '../kernel/body.ts';
import { snapshotPaths } from './legSnapshot.ts';
import { valueAt } from './legSnapshot.ts';
import { containers } from './flightNotice.ts';
import { holds, violated, type Judgement } from '../kernel/judgement.ts';
import { describeValue } from '../kernel/rule.ts';

const flatNames = snapshotPaths.filter((path) => path.includes('.'));
/** Members that only departure or arrival have: beside `status` they are in the wrong place. */
const endMembers = [
  ...new Set(flatNames.flatMap((path) => /^(?:departure|arrival)\.(.*)$/.exec(path)?.[1] ?? [])),
];

/**
 * Whether `changes` nests as a snapshot does. Further members are no violation; a stopover or another container of null
 * was cleared.
 */
export function judgeNesting(changes: JsonObject): Judgement {
  const flat = [...flatNames, ...endMembers].find((name) => changes[name] !== undefined);
  if (flat !== undefined)
    return violated(
      'flat',
      'members of departure and arrival within them',
      `a member ${flat} of changes itself`,
    );
  for (const name of containers) {
    const value = changes[name];
    if (value !== undefined && value !== null && !isObject(value))
      return violated('container', `${name} as an object`, `${name} ${describeValue(value)}`);
  }
  const deep = snapshotPaths.find((path) => isCompound(valueAt(changes, path)));
  if (deep !== undefined)
    return violated('leaf', `${deep} as a value`, `${deep} ${describeValue(valueAt(changes, deep))}`);
  const { alternateInfo } = changes;
  if (alternateInfo === undefined || alternateInfo === null || Array.isArray(alternateInfo)) return holds;
  return violated('alternates', 'alternateInfo as an array', `alternateInfo ${describeValue(alternateInfo)}`);
}

function isCompound(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
