import type { KeyRecord } from '../shared/keys.ts';
import { defectsOf, type Defect } from './row.ts';

const { sometimes } = defectsOf('shared');

/** Mistakes in finding the key of a request and looking it up. */
export const keySearchDefects: readonly Defect[] = [
  sometimes('key-as-scheme', 'A key is also taken from a scheme of its own name.', 'SHR-AUT-011', {
    presentedKey: (request) =>
      request.headers.get('x-api-key') ??
      /^ApiKey (.*)/i.exec(request.headers.get('authorization') ?? '')?.[1] ??
      null,
  }),
  sometimes('key-as-user-name', 'A key is also taken from the name of a user.', 'SHR-AUT-011', {
    presentedKey: (request) => {
      const [, encoded] = /^Basic (.*)/i.exec(request.headers.get('authorization') ?? '') ?? [];
      return (
        request.headers.get('x-api-key') ??
        (encoded === undefined ? null : (atob(encoded).split(':')[0] ?? null))
      );
    },
  }),
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
