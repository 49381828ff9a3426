import * as z from 'zod';
import type { Parts } from '../parts.ts';
import type { KeyRecord } from '../shared/keys.ts';

/** One state of the protocol: what its params must be, and what brings the deployment into it. */
export interface State {
  readonly params: z.ZodType;
  /** Returns what the answer adds to `ok`. */
  readonly enter: (params: unknown, parts: Parts) => Addition | Promise<Addition>;
}

type Addition = Readonly<Record<string, unknown>>;

/** A request that the protocol does not allow: 400. */
export class BadState extends Error {}

/** A state with its params typed by their schema. */
export function defineState<Schema extends z.ZodType>(
  params: Schema,
  enter: (params: z.output<Schema>, parts: Parts) => Addition | Promise<Addition> | undefined,
): State {
  return { params, enter: (value, parts) => enter(value as z.output<Schema>, parts) ?? {} };
}

export const keyText = z.string().min(1);
export const wholeNumber = z.int().min(0);

/** The key that `params.key` names. */
export function keyOf(value: string, { keys }: Parts): KeyRecord {
  const key = keys.find(value);
  if (!key) throw new BadState('No such key.');
  return key;
}
