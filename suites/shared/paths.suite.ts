import { type ApiRequest, noKey, suite, table } from '../checks.ts';
import { assumeClosed } from '../support/keys.ts';
import { readsOf } from '../support/reads.ts';

/** Other ways to write a path, which routers take for it and guards of paths do not. */
const spellings: readonly { readonly name: string; readonly of: (path: string) => string }[] = [
  { name: 'a slash behind it', of: (path) => `${path}/` },
  { name: 'two slashes before it', of: (path) => `/${path}` },
  { name: 'two slashes in it', of: (path) => path.replace(/\/api\//, '/api//') },
  { name: 'capital letters', of: (path) => path.toUpperCase() },
  { name: 'an escaped letter', of: (path) => path.replace(/e/, '%65') },
  { name: 'a parameter behind it', of: (path) => `${path};a=1` },
  { name: 'an extension behind it', of: (path) => `${path}.json` },
];

const ruleOf = ({ api }: ApiRequest) => (api === 'webcheckin' ? 'SHR-AUT-001' : 'SHR-AUT-002');
const rows = spellings.flatMap((spelling) =>
  ['SHR-AUT-001', 'SHR-AUT-002'].map((rule) => ({ rule, ...spelling })),
);

export default suite('Authentication: other spellings of a path', [
  table({
    id: 'shared.auth.paths',
    title: 'a path that is written otherwise opens nothing without a key',
    verifies: ['SHR-AUT-001', 'SHR-AUT-002'],
    rows,
    run: async (t, some) => {
      await assumeClosed(t);
      await t.each(some, async ({ rule, of }) => {
        for (const request of readsOf(t, { key: noKey }).filter((one) => ruleOf(one) === rule))
          await t.send({ ...request, operation: null, path: of(request.path) });
      });
    },
  }),
]);
