import type { KeyRecord } from '../shared/keys.ts';
import { defectsOf, type Defect } from './row.ts';

const { sometimes } = defectsOf('shared');

/** Mistakes in looking a presented key up. */
export const keySearchDefects: readonly Defect[] = [
  sometimes('key-spaces-ignored', 'Spaces within a key are removed before it is looked up.', 'SHR-AUT-005', {
    matchKey: (presented, keys) => keys.find(presented.replaceAll(' ', '')),
  }),
  sometimes(
    'key-pattern-any',
    'A key is searched for by a pattern, in which % stands for any text.',
    'SHR-AUT-005',
    {
      matchKey: (presented, keys) => matchingKey(presented, keys.all(), ['%', '.*']),
    },
  ),
  sometimes(
    'key-pattern-one',
    'A key is searched for by a pattern, in which _ stands for any character.',
    'SHR-AUT-005',
    {
      matchKey: (presented, keys) => matchingKey(presented, keys.all(), ['_', '.']),
    },
  ),
  sometimes('key-quotes-ignored', 'Quotation marks around a key are removed.', 'SHR-AUT-005', {
    matchKey: (presented, keys) => keys.find(presented.replace(/^"(.*)"$/, '$1')),
  }),
  sometimes('key-beginning-enough', 'A text that begins with a key is taken for it.', 'SHR-AUT-005', {
    matchKey: (presented, keys) =>
      keys.find(presented) ?? [...keys.all()].find(({ value }) => presented.startsWith(value)),
  }),
];

/** The key that a presented text names if a wildcard in it stands for what it does in a pattern. */
function matchingKey(
  presented: string,
  keys: Iterable<KeyRecord>,
  [wildcard, meaning]: readonly [string, string],
): KeyRecord | undefined {
  const parts = presented.split(wildcard).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const pattern = new RegExp(`^${parts.join(meaning)}$`);
  const all = [...keys];
  return all.find(({ value }) => value === presented) ?? all.find(({ value }) => pattern.test(value));
}
