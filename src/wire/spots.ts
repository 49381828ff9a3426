import { isItems, isMembers, type Json, type JsonObject } from './json.ts';

/** A place within a JSON value. */
export interface Spot {
  /** Such as `data[].checkin_id`; empty for the whole value. */
  readonly path: string;
  readonly value: Json;
  /** Position in each array on the way, counted from 0. */
  readonly indexes: readonly number[];
  /** The objects around it, the nearest first. */
  readonly around: readonly JsonObject[];
}

/** Deeper than any message of the APIs; what lies below is left alone. */
const deepest = 40;

/** All places within a value, the whole value first. */
export function spotsOf(value: Json): readonly Spot[] {
  const spots: Spot[] = [];
  const visit = (spot: Spot): void => {
    spots.push(spot);
    for (const inner of within(spot)) visit(inner.spot);
  };
  visit(whole(value));
  return spots;
}

/** The value with every place of this path edited; what the edit returns as undefined is left out. */
export function editAt(value: Json, path: string, edit: (spot: Spot) => Json | undefined): Json | undefined {
  return editSpots(
    value,
    (spot) => (spot.path === path ? edit(spot) : spot.value),
    (spot) => path.startsWith(spot.path),
  );
}

/** The value with every place edited, outer ones first; `enters` spares what nobody wants to edit. */
export function editSpots(
  value: Json,
  edit: (spot: Spot) => Json | undefined,
  enters: (spot: Spot) => boolean = () => true,
): Json | undefined {
  const visit = (spot: Spot): Json | undefined => {
    const edited = edit(spot);
    if (edited !== spot.value || !enters(spot)) return edited;
    const inner = within(spot).map((one) => ({ ...one, edited: visit(one.spot) }));
    if (inner.every((one) => one.edited === one.spot.value)) return spot.value;
    const kept = inner.flatMap((one) => (one.edited === undefined ? [] : [{ ...one, edited: one.edited }]));
    return isItems(spot.value)
      ? kept.map((one) => one.edited)
      : Object.fromEntries(kept.map((one) => [one.name, one.edited]));
  };
  return visit(whole(value));
}

function whole(value: Json): Spot {
  return { path: '', value, indexes: [], around: [] };
}

function within(spot: Spot): readonly { readonly name: string; readonly spot: Spot }[] {
  const { path, value, indexes, around } = spot;
  if (around.length + indexes.length >= deepest) return [];
  if (isItems(value))
    return value.map((item, index) => ({
      name: '',
      spot: { path: `${path}[]`, value: item, indexes: [...indexes, index], around },
    }));
  if (!isMembers(value)) return [];
  return Object.entries(value).map(([name, member]) => ({
    name,
    spot: {
      path: path === '' ? name : `${path}.${name}`,
      value: member,
      indexes,
      around: [value, ...around],
    },
  }));
}
