import type { Clock } from '../core/clock.ts';
import type { Admission } from '../receive/inbox.ts';
import type { Transport } from '../send/transport.ts';

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [member: string]: Json;
}

type Reviver = (name: string, value: Json, context: { readonly source?: string }) => Json;

/** What the library of TypeScript does not know yet. */
const exact = JSON as unknown as {
  parse(text: string, reviver: Reviver): Json;
  rawJSON(text: string): Json;
  isRawJSON(value: unknown): boolean;
};

const strictText = new TextDecoder('utf-8', { fatal: true });

/** The JSON value of a body; undefined where it is none. */
export function readJson(bytes: Uint8Array): Json | undefined {
  try {
    return readJsonText(strictText.decode(bytes));
  } catch {
    return undefined;
  }
}

/** The JSON value of a text; numbers that JavaScript does not hold exactly stay as they are spelled. Throws where it is none. */
export function readJsonText(text: string): Json {
  return exact.parse(text, (_name, value, { source }) =>
    typeof value === 'number' && source !== undefined && Math.abs(value) > Number.MAX_SAFE_INTEGER
      ? exact.rawJSON(source)
      : value,
  );
}

export function writeJson(value: Json): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}

/** A JSON object; a number that is kept as it is spelled is none. */
export function isMembers(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !exact.isRawJSON(value);
}

export function isItems(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** A text as it is, anything else as JSON. */
export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : canonical(value);
}

/** Whether two values are the same, whatever the order of their members is. */
export function isSame(one: Json | undefined, other: Json | undefined): boolean {
  return one === other || canonical(one) === canonical(other);
}

/** One text for all spellings of a value. */
export function canonical(value: Json | undefined): string {
  if (isItems(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isMembers(value)) return value === undefined ? 'nothing' : JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
}

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

type Send = Transport['send'];

/** Decides by the path of a delivery what becomes of it, as the inbox does. */
type Admit = (target: string) => Admission;

/** Sets a state of the deployment, as the client of the state handler does. */
type SetState<Params, Answer> = (state: string, params: Params) => Promise<Answer>;

/** What stands between the harness and a deployment: each part wraps what it is given, and changes what travels. */
export interface Wire {
  readonly send?: (inner: Send) => Send;
  readonly admit?: (inner: Admit) => Admit;
  readonly set?: <Params, Answer>(inner: SetState<Params, Answer>) => SetState<Params, Answer>;
  /** The deployment's own time, where the deployment is ours. */
  readonly clock?: (inner: Clock) => Clock;
}

/** A wire that changes nothing. */
export const plainWire: Wire = {};

/** Several wires as one; the first is the nearest to the harness. */
export function joinedWires(wires: readonly Wire[]): Wire {
  return {
    send: (inner) => wires.reduceRight((send, wire) => wire.send?.(send) ?? send, inner),
    admit: (inner) => wires.reduceRight((admit, wire) => wire.admit?.(admit) ?? admit, inner),
    set: (inner) => wires.reduceRight((set, wire) => wire.set?.(set) ?? set, inner),
    clock: (inner) => wires.reduceRight((clock, wire) => wire.clock?.(clock) ?? clock, inner),
  };
}
