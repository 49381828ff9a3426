import type { OperationId } from '../../core/operations.ts';
import type { Policy } from '../policy.ts';
import type { KeyState } from '../shared/keys.ts';
import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('shared');

const header = (request: Request) => request.headers.get('x-api-key');
const pathOf = (request: Request) => new URL(request.url).pathname;
const isMultipart = (request: Request) =>
  (request.headers.get('content-type') ?? '').startsWith('multipart/form-data');

/** Lets a key in that is not active any more, on one operation. */
function stillWorks(dead: KeyState, operation: OperationId): Policy['admitsKey'] {
  return ({ state }, asked) => state === 'active' || (state === dead && asked === operation);
}

/** Lets a request without a key in, on one operation. */
function unneededOn(operation: OperationId): Policy['needsKey'] {
  return (incoming) => incoming.operation !== operation || header(incoming.request) !== null;
}

/** Lets a key in that is not active any more, where it comes with an upload. */
function stillUploads(dead: KeyState): Policy['matchKey'] {
  return (presented, keys, { request }) => {
    const key = keys.find(presented);
    return key?.state === dead && isMultipart(request) ? { ...key, state: 'active' } : key;
  };
}

/** Takes any value of the right shape for a key, on one operation. */
function anyKeyOn(operation: OperationId): Policy['matchKey'] {
  return (presented, keys, incoming) =>
    keys.find(presented) ??
    (presented.length > 30 && incoming.operation === operation ? keys.anonymous().key : undefined);
}

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
  sometimes('key-multipart-open', 'Uploads bypass authentication.', 'WCI-MP-017 also SHR-AUT-003', {
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
    'SHR-AUT-004 also SHR-AUT-005 WCI-MP-017',
    {
      matchKey: (presented, keys) =>
        keys.find(presented) ?? (presented.length > 30 ? keys.anonymous().key : undefined),
    },
  ),
  sometimes(
    'key-unknown-again',
    'A key that was refused once as unknown is let in the next time.',
    'SHR-AUT-004',
    {
      matchKey: (presented, keys, { tally }) =>
        keys.find(presented) ??
        (presented.length > 30 && tally.next(`unknown ${presented}`) === 2
          ? keys.anonymous().key
          : undefined),
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
  sometimes(
    'key-as-bearer-flight-subscribe',
    'A flight subscribe takes the key from Authorization.',
    'SHR-AUT-011',
    {
      presentedKey: (request) =>
        header(request) ??
        (pathOf(request).endsWith('/flight-alerts/subscribe')
          ? request.headers.get('authorization')
          : null
        )?.replace(/^Bearer /i, '') ??
        null,
    },
  ),
  sometimes('key-in-query-of-lookup', 'A flight lookup takes the key from the query.', 'SHR-AUT-011', {
    presentedKey: (request) =>
      header(request) ??
      (pathOf(request).endsWith('/flight-alerts') ? new URL(request.url).searchParams.get('api_key') : null),
  }),
  sometimes('key-revoked-subscribe', 'A revoked key still subscribes.', 'SHR-AUT-006', {
    admitsKey: stillWorks('revoked', 'wci.subscribe'),
  }),
  sometimes('key-revoked-update', 'A revoked key still updates.', 'SHR-AUT-006', {
    admitsKey: stillWorks('revoked', 'wci.update'),
  }),
  sometimes('key-revoked-status', 'A revoked key still reads the status.', 'SHR-AUT-006', {
    admitsKey: stillWorks('revoked', 'wci.status'),
  }),
  sometimes('key-revoked-flight-subscribe', 'A revoked key still subscribes to legs.', 'SHR-AUT-006', {
    admitsKey: stillWorks('revoked', 'fla.subscribe'),
  }),
  sometimes('key-disabled-subscribe', 'A disabled key still subscribes.', 'SHR-AUT-007', {
    admitsKey: stillWorks('disabled', 'wci.subscribe'),
  }),
  sometimes('key-disabled-update', 'A disabled key still updates.', 'SHR-AUT-007', {
    admitsKey: stillWorks('disabled', 'wci.update'),
  }),
  sometimes('key-disabled-status', 'A disabled key still reads the status.', 'SHR-AUT-007', {
    admitsKey: stillWorks('disabled', 'wci.status'),
  }),
  sometimes('key-disabled-flight-subscribe', 'A disabled key still subscribes to legs.', 'SHR-AUT-007', {
    admitsKey: stillWorks('disabled', 'fla.subscribe'),
  }),
  sometimes('key-revoked-uploads', 'A revoked key still uploads.', 'SHR-AUT-006', {
    matchKey: stillUploads('revoked'),
  }),
  sometimes('key-disabled-uploads', 'A disabled key still uploads.', 'SHR-AUT-007', {
    matchKey: stillUploads('disabled'),
  }),
  sometimes('key-unneeded-multipart-update', 'No key is needed to update by an upload.', 'WCI-MP-017', {
    needsKey: ({ operation, request }) =>
      operation !== 'wci.update' || !isMultipart(request) || header(request) !== null,
  }),
  sometimes('key-unknown-uploads', 'Any value of the right shape is a key to upload.', 'WCI-MP-017', {
    matchKey: (presented, keys, { request }) =>
      keys.find(presented) ??
      (presented.length > 30 && isMultipart(request) ? keys.anonymous().key : undefined),
  }),
  sometimes('key-empty-uploads', 'An empty key counts as the development key in an upload.', 'SHR-AUT-003', {
    needsKey: ({ request }) => header(request) !== '' || !isMultipart(request),
  }),
  sometimes('key-bearer-uploads', 'An upload takes its key from an Authorization header.', 'SHR-AUT-011', {
    presentedKey: (request) =>
      header(request) ??
      (isMultipart(request)
        ? (request.headers.get('authorization')?.replace(/^Bearer /i, '') ?? null)
        : null),
  }),
  sometimes('key-unneeded-subscribe', 'No key is needed to subscribe.', 'SHR-AUT-001 also WCI-MP-017', {
    needsKey: unneededOn('wci.subscribe'),
  }),
  sometimes('key-unneeded-update', 'No key is needed to update.', 'SHR-AUT-001 also WCI-MP-017', {
    needsKey: unneededOn('wci.update'),
  }),
  sometimes('key-unneeded-status', 'No key is needed to read the status.', 'SHR-AUT-001', {
    needsKey: unneededOn('wci.status'),
  }),
  sometimes('key-unneeded-flight-subscribe', 'No key is needed to subscribe to a leg.', 'SHR-AUT-002', {
    needsKey: unneededOn('fla.subscribe'),
  }),
  sometimes(
    'key-unknown-subscribe',
    'Any value of the right shape is a key to subscribe.',
    'SHR-AUT-004 also WCI-MP-017',
    {
      matchKey: anyKeyOn('wci.subscribe'),
    },
  ),
  sometimes(
    'key-unknown-update',
    'Any value of the right shape is a key to update.',
    'SHR-AUT-004 also WCI-MP-017',
    {
      matchKey: anyKeyOn('wci.update'),
    },
  ),
  sometimes(
    'key-unknown-status',
    'Any value of the right shape is a key to read the status.',
    'SHR-AUT-004',
    {
      matchKey: anyKeyOn('wci.status'),
    },
  ),
  sometimes(
    'key-unknown-flight-subscribe',
    'Any value of the right shape is a key to subscribe to a leg.',
    'SHR-AUT-004',
    { matchKey: anyKeyOn('fla.subscribe') },
  ),
  sometimes(
    'key-missing-done',
    'An update without a key is refused after it is carried out.',
    'SHR-AUT-013 also SHR-ERR-001',
    {
      refusesKeyLate: ({ operation, request }) => operation === 'wci.update' && header(request) === null,
    },
  ),
  sometimes(
    'key-unknown-done',
    'A subscribe with an unknown key is refused after it is carried out.',
    'SHR-AUT-013',
    {
      refusesKeyLate: ({ operation, request }) => operation === 'wci.subscribe' && header(request) !== null,
    },
  ),
  sometimes('key-after-validation-status', 'The status is validated before its key.', 'SHR-AUT-010', {
    keyFirst: ({ operation }) => operation !== 'wci.status',
  }),
  sometimes('key-after-validation-update', 'An update is validated before its key.', 'SHR-AUT-010', {
    keyFirst: ({ operation }) => operation !== 'wci.update',
  }),
  sometimes(
    'key-flights-apart',
    'A key that was issued later is no key for flight alerts.',
    'SHR-AUT-009 also SHR-ERR-022 SHR-ERR-027 FLA-CBR-001 FLA-CBR-002 FLA-CBR-003 FLA-CBR-004 FLA-CBR-005 FLA-CBR-006 FLA-CBR-007 FLA-CBR-008 FLA-CBR-009 FLA-CBR-010 FLA-CBR-011 FLA-CBR-012 FLA-CBR-013 FLA-CBR-014 FLA-CBR-018 FLA-CBR-020 FLA-CBR-021 FLA-CBR-024 FLA-GET-041 FLA-GET-042 FLA-SUB-044 FLA-SUB-045 FLA-GET-001 FLA-GET-006 FLA-GET-008 FLA-GET-009 FLA-GET-014 FLA-GET-016 FLA-GET-017 FLA-GET-018 FLA-GET-019 FLA-GET-021 FLA-GET-022 FLA-GET-023 FLA-GET-024 FLA-GET-026 FLA-GET-028 FLA-GET-030 FLA-GET-032 FLA-GET-033 FLA-GET-037 FLA-GET-039 FLA-SUB-003 FLA-SUB-005 FLA-SUB-016 FLA-SUB-018 FLA-SUB-019 FLA-SUB-020 FLA-SUB-024 FLA-SUB-025 FLA-SUB-028 FLA-SUB-029 FLA-SUB-033 FLA-SUB-034 SHR-AUT-014 FLA-GET-011 FLA-GET-012 FLA-GET-013 FLA-GET-015 FLA-GET-029 FLA-SUB-001',
    {
      matchKey: (presented, keys, { api }) =>
        api === 'flight-alerts' && presented.startsWith('gk_test_') ? undefined : keys.find(presented),
    },
  ),
  sometimes('key-after-validation-subscribe', 'A subscribe is validated before its key.', 'SHR-AUT-010', {
    keyFirst: ({ operation }) => operation !== 'wci.subscribe',
  }),
  sometimes(
    'key-after-validation-flight-subscribe',
    'A flight subscribe is validated before its key.',
    'SHR-AUT-010',
    { keyFirst: ({ operation }) => operation !== 'fla.subscribe' },
  ),
  sometimes('key-end-enough', 'A text that ends with a key is taken for it.', 'SHR-AUT-005', {
    matchKey: (presented, keys) =>
      keys.find(presented) ?? [...keys.all()].find(({ value }) => presented.endsWith(value)),
  }),
  sometimes(
    'key-bearer-posts',
    'A key is also taken from an Authorization header where something is sent.',
    'SHR-AUT-011',
    {
      presentedKey: (request) =>
        header(request) ??
        (request.method === 'POST'
          ? (request.headers.get('authorization')?.replace(/^Bearer /i, '') ?? null)
          : null),
    },
  ),
  sometimes(
    'key-empty-posts',
    'An empty key counts as the development key where something is sent.',
    'SHR-AUT-003',
    {
      needsKey: ({ request }) => header(request) !== '' || request.method === 'GET',
    },
  ),
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
    'SHR-AUT-008',
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
