import { isItems, isMembers, type Json, type JsonObject } from './json.ts';

/** A place within a JSON value. */
export interface Spot {
  /** Such as `data[].checkin_id`; empty for the whole value. */
  readonly path: string;
  readonly value: Json;
  /** The objects around it, the nearest first. */
  readonly around: readonly JsonObject[];
}

/** Deeper than any message of the APIs; what lies below is left alone. */
const deepest = 40;

/** The value with every place edited, outer ones first; what was edited is not entered. */
export function editSpots(value: Json, edit: (spot: Spot) => Json): Json {
  const visit = (spot: Spot, depth: number): Json => {
    const { path, value: old, around } = spot;
    const edited = edit(spot);
    if (edited !== old || depth === deepest) return edited;
    if (isItems(old))
      return kept(
        old,
        old.map((item) => visit({ path: `${path}[]`, value: item, around }, depth + 1)),
      );
    if (!isMembers(old)) return old;
    const members = Object.entries(old).map(([name, member]): readonly [string, Json] => {
      const inner = { path: path === '' ? name : `${path}.${name}`, value: member, around: [old, ...around] };
      return [name, visit(inner, depth + 1)];
    });
    return members.some(([name, member]) => member !== old[name]) ? Object.fromEntries(members) : old;
  };
  return visit({ path: '', value, around: [] }, 0);
}

/** The same array where no item was edited. */
function kept(items: readonly Json[], edited: readonly Json[]): readonly Json[] {
  return edited.some((item, index) => item !== items[index]) ? edited : items;
}
