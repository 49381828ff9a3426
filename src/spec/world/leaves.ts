import { isObject, type Json } from '../../trace/body.ts';

/** Whether it tells something that was changed, whatever it says of it. */
export function tells(changes: Json | undefined, made: Json | undefined): boolean {
  const told = pathsIn(changes);
  return pathsIn(made).some((path) => told.some((one) => overlap(one, path)));
}

/** A container may be told as a whole. */
function overlap(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
}

function pathsIn(value: Json | undefined): readonly string[] {
  return leavesOf(value).map((leaf) => leaf.split(' ', 1)[0] ?? leaf);
}

/** The values in an object with where they stand. */
export function leavesOf(value: Json | undefined, at = ''): readonly string[] {
  if (!isObject(value) || Object.keys(value).length === 0) return [`${at} ${JSON.stringify(value)}`];
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, `${at}.${name}`));
}
