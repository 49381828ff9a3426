import { isDeepStrictEqual } from 'node:util';
import { isExchange, type Evidence } from '../core/evidence.ts';
import { valueAt } from '../spec/rules/legMembers.ts';
import type { Wrong } from '../spec/kernel/violation.ts';
import { shownLegs } from '../spec/world/legs.ts';
import { sightsIn } from '../spec/world/sights.ts';
import type { JsonObject } from '../trace/body.ts';

/** Where a member stands in the answer that shows it: whatever compares records and legs names it without what it is in. */
export function placeIn(decisive: Evidence | null, { at, got }: Pick<Wrong, 'at' | 'got'>): string {
  if (decisive === null || !isExchange(decisive) || !/^[a-z]\w*(?:\.\w+)*$/i.test(at)) return at;
  if (got.kind !== 'value' && got.kind !== 'absent') return at;
  // What a callback says, or that none came, stands in no answer.
  if (/^(callback|changes)\b/.test(at)) return at;
  const all = [
    ...sightsIn(decisive).map(({ at: place, record }) => ({ place, object: record })),
    ...shownLegs(decisive).map(({ at: place, leg }) => ({ place, object: leg })),
  ];
  if (all.some(({ place }) => at.startsWith(`${place}.`))) return at;
  const value = got.kind === 'value' ? got.value : undefined;
  const shows = (object: JsonObject) => isDeepStrictEqual(valueAt(object, at), value);
  const [one, ...more] = all.filter(({ object }) => shows(object));
  // Of several that have it in common, which one it is about is not known.
  if (one === undefined || one.place === '' || more.length > 0) return at;
  return `${one.place}.${at}`;
}
