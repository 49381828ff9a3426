import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('flight-alerts');

/** Mistakes in registering callbacks, their keys and conflicts. */
export const flightConflictDefects: readonly Defect[] = [
  always('key-again', 'The callback key comes with every retry.', 'FLA-SUB-006 also FLA-SUB-004', {
    keyOnRetry: (key) => key || undefined,
  }),
  sometimes('key-for-polling', 'A polling-only subscribe gets a key.', 'FLA-SUB-004', {
    keyOnRetry: (key, polling) => (polling && key === '' ? 'fac_unused' : undefined),
  }),
  always('key-missing', 'The callback key is not returned.', 'FLA-SUB-005 also FLA-SUB-013 FLA-CB-003', {
    keyOnFirst: () => undefined,
  }),
  always('key-is-api-key', 'The callback key is the API key.', 'FLA-CB-028', {
    newKey: (_random, apiKey) => apiKey,
  }),
  sometimes('conflict-url-ignored', 'Another callbackUrl is accepted silently.', 'FLA-SUB-008', {
    conflicts: (fidDiffers) => (fidDiffers ? ['EXTERNAL_FID_ALREADY_REGISTERED'] : []),
  }),
  sometimes('conflict-fid-ignored', 'Another fid is accepted silently.', 'FLA-SUB-009', {
    conflicts: (_fidDiffers, urlDiffers) => (urlDiffers ? ['CALLBACK_ALREADY_REGISTERED'] : []),
  }),
  sometimes('conflict-fid-as-number', 'Fids that are the same number count as the same.', 'FLA-SUB-009', {
    sameFid: (one, other) => one === other || Number(one) === Number(other),
  }),
  sometimes('conflict-fid-blank', 'A fid of blanks counts as the one that is registered.', 'FLA-SUB-009', {
    sameFid: (one, other) => one === other || [one, other].some((fid) => fid.trim() === ''),
  }),
  sometimes('fid-compared-trimmed', 'White space at the end of a fid is not compared.', 'FLA-SUB-009', {
    sameFid: (one, other) => one.trim() === other.trim(),
  }),
  sometimes('conflict-fid-normalized', 'Fids that look the same count as one.', 'FLA-SUB-009', {
    sameFid: (one, other) => one.normalize() === other.normalize(),
  }),
  sometimes(
    'conflict-both-ignored',
    'A new fid with a new callbackUrl is accepted silently.',
    'FLA-SUB-010',
    {
      conflicts: (fidDiffers, urlDiffers) =>
        fidDiffers && urlDiffers
          ? []
          : [
              ...(urlDiffers ? (['CALLBACK_ALREADY_REGISTERED'] as const) : []),
              ...(fidDiffers ? (['EXTERNAL_FID_ALREADY_REGISTERED'] as const) : []),
            ],
    },
  ),
  sometimes(
    'conflict-codes-swapped',
    "The two conflicts have each other's code.",
    'FLA-SUB-008 FLA-SUB-009',
    {
      conflicts: (fidDiffers, urlDiffers) => [
        ...(fidDiffers ? (['CALLBACK_ALREADY_REGISTERED'] as const) : []),
        ...(urlDiffers ? (['EXTERNAL_FID_ALREADY_REGISTERED'] as const) : []),
      ],
    },
  ),
  always(
    'conflict-as-400',
    'Conflicts are validation errors by status.',
    'FLA-SUB-008 FLA-SUB-009 also FLA-SUB-010 SHR-ERR-022',
    { conflictStatus: 400 },
  ),
  sometimes('conflict-overwrites', 'A refused callbackUrl is used all the same.', 'FLA-SUB-011', {
    onConflict: (subscription, sent) => {
      if (subscription.callback) subscription.callback.url = sent.url;
    },
  }),
  sometimes('conflict-ends-notifications', 'After a refused callback no change is reported.', 'FLA-SUB-011', {
    // It is found by its name still, and no leg that changes is its own.
    onConflict: (subscription) => {
      Object.assign(subscription, { leg: { ...subscription.leg, date: '' } });
    },
  }),
  sometimes(
    'conflict-overwrites-fid',
    'A refused fid is used all the same.',
    'FLA-SUB-011 also FLA-SUB-012 FLA-CB-006',
    {
      onConflict: (subscription, sent) => {
        if (subscription.callback) subscription.callback.fid = sent.fid;
      },
    },
  ),
  sometimes(
    'polling-drops-callback',
    'A later subscribe without callbackData removes the callback.',
    'FLA-SUB-012 also FLA-CB-019 FLA-SUB-006',
    {
      onPolling: (subscription) => {
        subscription.callback = null;
      },
    },
  ),
  sometimes(
    'callback-removed-by-other-key',
    'A later subscribe without callbackData by another key removes the callback.',
    'FLA-SUB-012',
    {
      onPolling: (subscription, apiKey) => {
        if (subscription.callback?.partnerKey !== apiKey) subscription.callback = null;
      },
    },
  ),
  sometimes(
    'callback-not-attached',
    'A polling-only subscription stays so.',
    'FLA-SUB-013 FLA-SUB-005 also FLA-CB-001 FLA-CB-018 FLA-SUB-030',
    { attaches: false },
  ),
];
