import type { KeyDecision } from './accuracy.ts';
import { kinds, type DecisionList } from './decisionList.ts';

/** Many decisions as text to send between machines: a fifth of their JSON, and quick to parse. */
export interface PackedDecisions {
  /** Milliseconds that all times are relative to. */
  readonly base: number;
  readonly keys: readonly string[];
  /** Four whole numbers per decision (key, sent, duration, kind), in base64. */
  readonly rows: string;
}

/** Steps per millisecond. Intervals are only ever rounded up, so that certain conclusions stay certain. */
const perMs = 100;

export function packDecisions(decisions: DecisionList): PackedDecisions {
  let least = Number.POSITIVE_INFINITY;
  for (const [, sent] of decisions) least = Math.min(least, sent);
  const base = decisions.length === 0 ? 0 : Math.floor(least);
  const places = new Map<string, number>();
  const rows = new Int32Array(decisions.length * 4);
  let index = 0;
  for (const [key, sent, received, decision] of decisions) {
    if (!places.has(key)) places.set(key, places.size);
    const from = Math.floor((sent - base) * perMs);
    const to = Math.ceil((received - base) * perMs);
    rows.set([places.get(key) ?? 0, from, to - from, kinds.indexOf(decision)], index * 4);
    index += 1;
  }
  return { base, keys: [...places.keys()], rows: Buffer.from(rows.buffer).toString('base64') };
}

export function unpackDecisions({ base, keys, rows }: PackedDecisions): readonly KeyDecision[] {
  const bytes = Buffer.from(rows, 'base64');
  return Array.from({ length: bytes.length / 16 }, (_, index) => {
    const at = (place: number) => bytes.readInt32LE(index * 16 + place * 4);
    const sent = base + at(1) / perMs;
    return [keys[at(0)] ?? '', sent, base + (at(1) + at(2)) / perMs, kinds[at(3)] ?? 'unknown'] as const;
  });
}
