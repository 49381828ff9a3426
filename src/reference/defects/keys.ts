import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('shared');

const header = (request: Request) => request.headers.get('x-api-key');
const isMultipart = (request: Request) =>
  (request.headers.get('content-type') ?? '').startsWith('multipart/form-data');

/** Mistakes in telling who calls. */
export const keyDefects: readonly Defect[] = [
  sometimes(
    'key-list-open',
    'The list is served without a key.',
    { needsKey: ({ operation, request }) => operation !== 'wci.list' || header(request) !== null },
    ['SHR-AUT-001'],
  ),
  sometimes(
    'key-lookup-open',
    'The flight lookup is served without a key.',
    { needsKey: ({ operation, request }) => operation !== 'fla.lookup' || header(request) !== null },
    ['SHR-AUT-002'],
  ),
  sometimes(
    'key-empty-accepted',
    'An empty key counts as the development key.',
    { needsKey: ({ request }) => header(request) !== '' },
    ['SHR-AUT-003'],
  ),
  sometimes(
    'key-multipart-open',
    'Uploads bypass authentication.',
    { needsKey: ({ request }) => !isMultipart(request) },
    ['WCI-MP-017'],
  ),
  sometimes(
    'key-last-character-ignored',
    'Keys are compared without their last character.',
    {
      matchKey: (presented, keys) =>
        keys.find(presented) ??
        [...keys.all()].find(({ value }) => value.slice(0, -1) === presented.slice(0, value.length - 1)),
    },
    ['SHR-AUT-005'],
  ),
  always(
    'key-unknown-accepted',
    'Any value of the right shape is taken for a key.',
    {
      matchKey: (presented, keys) =>
        keys.find(presented) ?? (presented.length > 30 ? keys.anonymous().key : undefined),
    },
    ['SHR-AUT-004'],
    ['SHR-AUT-005'],
  ),
  always(
    'key-revoked-accepted',
    'A revoked key still works.',
    { admitsKey: ({ state }) => state !== 'disabled' },
    ['SHR-AUT-006'],
  ),
  always(
    'key-disabled-accepted',
    'A disabled key still works.',
    { admitsKey: ({ state }) => state !== 'revoked' },
    ['SHR-AUT-007'],
  ),
  sometimes(
    'key-disabled-lookup',
    'A disabled key still works for flight lookups.',
    {
      admitsKey: ({ state }, operation) =>
        state === 'active' || (state === 'disabled' && operation === 'fla.lookup'),
    },
    ['SHR-AUT-007'],
  ),
  sometimes(
    'key-as-bearer',
    'A key is also taken from an Authorization header.',
    {
      presentedKey: (request) =>
        header(request) ?? request.headers.get('authorization')?.replace(/^Bearer /i, '') ?? null,
    },
    ['SHR-AUT-011'],
  ),
  sometimes(
    'key-in-query',
    'A key is also taken from the query.',
    {
      presentedKey: (request) => {
        const { searchParams } = new URL(request.url);
        return header(request) ?? searchParams.get('api_key') ?? searchParams.get('X-API-Key');
      },
    },
    ['SHR-AUT-011'],
  ),
  always('key-after-validation', 'The request is validated before its key.', { keyFirst: () => false }, [
    'SHR-AUT-010',
  ]),
  sometimes(
    'key-after-validation-flights',
    'Flight alerts are validated before their key.',
    { keyFirst: ({ api }) => api !== 'flight-alerts' },
    ['SHR-AUT-010'],
  ),
  sometimes(
    'key-after-parsing-uploads',
    'Uploads are parsed before their key is judged.',
    { keyFirst: ({ request }) => !isMultipart(request) },
    ['SHR-AUT-010'],
  ),

  sometimes(
    'key-revocation-spreads',
    'Revoking an issued key revokes the keys that were issued with it.',
    {
      matchKey: (presented, keys) => {
        const key = keys.find(presented);
        const revoked = [...keys.all()].some(
          (one) => one.enterprise === key?.enterprise && one.state === 'revoked' && one.changedAt > 0,
        );
        return revoked && presented.startsWith('gk_test_') ? undefined : key;
      },
    },
    ['SHR-AUT-008'],
    ['WCI-SCP-012'],
  ),
];
