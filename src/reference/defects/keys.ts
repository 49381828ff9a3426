import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('shared');

const header = (request: Request) => request.headers.get('x-api-key');
const isMultipart = (request: Request) =>
  (request.headers.get('content-type') ?? '').startsWith('multipart/form-data');

/** Mistakes in telling who calls. */
export const keyDefects: readonly Defect[] = [
  sometimes('key-list-open', 'The list is served without a key.', 'SHR-AUT-001', {
    needsKey: ({ operation, request }) => operation !== 'wci.list' || header(request) !== null,
  }),
  sometimes('key-lookup-open', 'The flight lookup is served without a key.', 'SHR-AUT-002', {
    needsKey: ({ operation, request }) => operation !== 'fla.lookup' || header(request) !== null,
  }),
  sometimes('key-empty-accepted', 'An empty key counts as the development key.', 'SHR-AUT-003', {
    needsKey: ({ request }) => header(request) !== '',
  }),
  sometimes('key-multipart-open', 'Uploads bypass authentication.', 'WCI-MP-017', {
    needsKey: ({ request }) => !isMultipart(request),
  }),
  sometimes('key-last-character-ignored', 'Keys are compared without their last character.', 'SHR-AUT-005', {
    matchKey: (presented, keys) =>
      keys.find(presented) ??
      [...keys.all()].find(({ value }) => value.slice(0, -1) === presented.slice(0, value.length - 1)),
  }),
  always(
    'key-unknown-accepted',
    'Any value of the right shape is taken for a key.',
    'SHR-AUT-004 also SHR-AUT-005',
    {
      matchKey: (presented, keys) =>
        keys.find(presented) ?? (presented.length > 30 ? keys.anonymous().key : undefined),
    },
  ),
  always('key-revoked-accepted', 'A revoked key still works.', 'SHR-AUT-006', {
    admitsKey: ({ state }) => state !== 'disabled',
  }),
  always('key-disabled-accepted', 'A disabled key still works.', 'SHR-AUT-007', {
    admitsKey: ({ state }) => state !== 'revoked',
  }),
  sometimes('key-disabled-lookup', 'A disabled key still works for flight lookups.', 'SHR-AUT-007', {
    admitsKey: ({ state }, operation) =>
      state === 'active' || (state === 'disabled' && operation === 'fla.lookup'),
  }),
  sometimes('key-as-bearer', 'A key is also taken from an Authorization header.', 'SHR-AUT-011', {
    presentedKey: (request) =>
      header(request) ?? request.headers.get('authorization')?.replace(/^Bearer /i, '') ?? null,
  }),
  sometimes('key-in-query', 'A key is also taken from the query.', 'SHR-AUT-011', {
    presentedKey: (request) => {
      const { searchParams } = new URL(request.url);
      return header(request) ?? searchParams.get('api_key') ?? searchParams.get('X-API-Key');
    },
  }),
  always('key-after-validation', 'The request is validated before its key.', 'SHR-AUT-010', {
    keyFirst: () => false,
  }),
  sometimes('key-after-validation-flights', 'Flight alerts are validated before their key.', 'SHR-AUT-010', {
    keyFirst: ({ api }) => api !== 'flight-alerts',
  }),
  sometimes('key-after-parsing-uploads', 'Uploads are parsed before their key is judged.', 'SHR-AUT-010', {
    keyFirst: ({ request }) => !isMultipart(request),
  }),

  sometimes(
    'key-revocation-spreads',
    'Revoking an issued key revokes the keys that were issued with it.',
    'SHR-AUT-008 also WCI-SCP-012',
    {
      matchKey: (presented, keys) => {
        const key = keys.find(presented);
        const revoked = [...keys.all()].some(
          (one) => one.enterprise === key?.enterprise && one.state === 'revoked' && one.changedAt > 0,
        );
        return revoked && presented.startsWith('gk_test_') ? undefined : key;
      },
    },
  ),
];
