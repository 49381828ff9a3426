import type { Policy } from '../policy.ts';
import type { KeyState } from '../shared/keys.ts';
import { defectsOf, type Defect } from './row.ts';

const { sometimes } = defectsOf('shared');

const longMs = 600_000;
const dayMs = 86_400_000;
const sumOf = (text: string) => Buffer.from(text).reduce((sum, byte) => sum + byte, 0);

/** One of several nodes that take turns still knows a key ten minutes later. */
function cachedByOneOf(nodes: number, dead: KeyState): Policy['outlives'] {
  return ({ value, state }, ageMs, { tally }) =>
    state === dead && ageMs < longMs && tally.next(`node ${value}`) % nodes === 0;
}

/** Keys that are dead, and not for all nodes or not for good. */
export const keyLifeDefects: readonly Defect[] = [
  sometimes('key-revoked-cached', 'One of two nodes knows a revoked key for long.', 'SHR-AUT-006', {
    outlives: cachedByOneOf(2, 'revoked'),
  }),
  sometimes('key-disabled-cached', 'One of two nodes knows a disabled key for long.', 'SHR-AUT-007', {
    outlives: cachedByOneOf(2, 'disabled'),
  }),
  sometimes(
    'key-revoked-cached-by-third',
    'One of three nodes knows a revoked key for long.',
    'SHR-AUT-006',
    {
      outlives: cachedByOneOf(3, 'revoked'),
    },
  ),
  sometimes(
    'key-revoked-cached-by-connection',
    'A node that has every second connection knows a revoked key for long.',
    'SHR-AUT-006',
    {
      outlives: ({ state }, ageMs, { info }) =>
        state === 'revoked' && ageMs < longMs && sumOf(info.connection ?? '') % 2 === 1,
    },
  ),
  sometimes('key-revoked-for-a-day', 'A revoked key works again after a day.', 'SHR-AUT-006', {
    outlives: ({ state }, ageMs) => state === 'revoked' && ageMs > dayMs && ageMs < Infinity,
  }),
];
