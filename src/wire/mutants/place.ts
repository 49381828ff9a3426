import type { OperationId } from '../../core/operations.ts';
import type { Carrier } from '../asked.ts';
import type { Condition } from '../traits.ts';

export const families = ['answer', 'status', 'deaf', 'effect', 'gate', 'delivery', 'limiter'] as const;
export type Family = (typeof families)[number];

/** The two kinds of callbacks, named as operations are. */
export type CallbackId = 'wci.callback' | 'fla.callback';

/** Where something travels that a mutant may change. */
export interface Place {
  readonly family: Family;
  readonly about: OperationId | CallbackId;
  /** Status of the answer, where it is about answers. */
  readonly status: number | null;
  /** What carries the inputs, where it is about those. */
  readonly carrier: Carrier | null;
  /** Of the message, or what stands for it: `header.content-type`, `data[].status`, `body.flights[].origin`. */
  readonly path: string;
}

/** One operator at one place under one condition: a server with one mistake. Plain data, so that it crosses threads. */
export interface Mutant extends Place {
  readonly id: string;
  readonly operator: string;
  readonly condition: Condition;
  /** With the condition `restarted`: how often the place is met before. */
  readonly after: number;
}

/** One text for a place: `answer/wci.status/200/missing_info[]`. */
export function placeId({ family, about, status, carrier, path }: Place): string {
  return [family, about, status ?? carrier ?? 'any', path].join('/');
}

export function mutantOf(place: Place, operator: string, condition: Condition, after = 0): Mutant {
  const suffix = condition === 'always' ? '' : `@${condition}`;
  return { ...place, id: `${placeId(place)}:${operator}${suffix}`, operator, condition, after };
}
