import type { Policy } from '../policy.ts';
import { documentedWebCheckinPolicy } from '../webcheckin/documented.ts';
import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('webcheckin');

/** What asks for an entitlement besides subscribes. */
function neededAlsoFor(asks: Policy['needsEntitlement']): Policy['needsEntitlement'] {
  return (asking, entitlement) =>
    documentedWebCheckinPolicy.needsEntitlement(asking, entitlement) || asks(asking, entitlement);
}

/** Mistakes in what a subscribe takes of the quota, and in who may subscribe at all. */
export const checkinQuotaDefects: readonly Defect[] = [
  sometimes('rejection-charged', 'A rejected journey takes a quota unit.', 'WCI-JRN-015', {
    consumes: (outcome) => (outcome === 'repeated' || outcome === 'raced' ? 0 : 1),
  }),
  sometimes(
    'quota-inactive-first',
    'A suspended or missing entitlement is reported before the payload is judged.',
    'WCI-JRN-017',
    { quotaJudged: 'inactive-first' },
  ),
  sometimes('quota-suspended-multipart', 'A multipart subscribe works while suspended.', 'WCI-QTA-004', {
    quotaAllows: ({ status, included_units, consumed_units }, asking) =>
      (status === 'active' || (status === 'suspended' && asking === 'multipart subscribe')) &&
      consumed_units < included_units,
  }),
  sometimes('quota-none-multipart', 'A multipart subscribe needs no entitlement.', 'WCI-QTA-003', {
    quotaAllows: ({ status, included_units, consumed_units }, asking) =>
      (status === 'none' && asking === 'multipart subscribe') ||
      (status === 'active' && consumed_units < included_units),
  }),
  sometimes(
    'quota-used-up-multipart',
    'A multipart subscribe works with no units left.',
    'WCI-QTA-005 also WCI-QTA-009',
    {
      quotaAllows: ({ status, included_units, consumed_units }, asking) =>
        status === 'active' && (consumed_units < included_units || asking === 'multipart subscribe'),
    },
  ),
  sometimes('quota-before-payload', 'The quota is judged before the payload.', 'WCI-JRN-017', {
    stageOf: () => 'journey',
  }),
  sometimes('quota-none-ignored', 'No entitlement is needed.', 'WCI-QTA-003 also WCI-QTA-009', {
    quotaAllows: ({ status, included_units, consumed_units }) =>
      status === 'none' || (status === 'active' && consumed_units < included_units),
  }),
  sometimes(
    'quota-suspended-ignored',
    'A suspended entitlement is as good as an active one.',
    'WCI-QTA-004 also WCI-QTA-016',
    {
      quotaAllows: ({ status, included_units, consumed_units }) =>
        status !== 'none' && consumed_units < included_units,
    },
  ),
  sometimes(
    'quota-one-too-many',
    'One unit more than included can be used.',
    'WCI-QTA-005 WCI-QTA-011 also WCI-QTA-009 WCI-QTA-010 WCI-QTA-007 SHR-ERR-008 WCI-JRN-018',
    {
      quotaAllows: ({ status, included_units, consumed_units }) =>
        status === 'active' && consumed_units <= included_units,
    },
  ),
  sometimes('quota-last-unit-withheld', 'The last unit cannot be used.', 'WCI-QTA-011 also WCI-QTA-010', {
    quotaAllows: ({ status, included_units, consumed_units }) =>
      status === 'active' && consumed_units + 1 < included_units,
  }),
  always(
    'quota-two-units',
    'A subscribe takes two units.',
    'WCI-QTA-001 also WCI-QTA-002 WCI-QTA-012 WCI-QTA-009',
    {
      consumes: (outcome) => (outcome === 'complete' || outcome === 'incomplete' ? 2 : 0),
    },
  ),
  always(
    'quota-untouched',
    'A subscribe takes no unit.',
    'WCI-QTA-001 also WCI-QTA-002 WCI-QTA-005 WCI-QTA-010 WCI-QTA-011 WCI-QTA-012',
    { consumes: () => 0 },
  ),
  sometimes('quota-incomplete-free', 'An incomplete attempt takes no unit.', 'WCI-QTA-002', {
    consumes: (outcome) => (outcome === 'complete' ? 1 : 0),
  }),
  sometimes('quota-untouched-multipart', 'A multipart subscribe takes no unit.', 'WCI-QTA-001', {
    consumes: (outcome, { multipart }) =>
      !multipart && (outcome === 'complete' || outcome === 'incomplete') ? 1 : 0,
  }),
  sometimes('quota-one-more-included', 'The quota shows one unit more than is included.', 'WCI-QTA-080', {
    quotaShown: ({ included_units, consumed_units }) => ({
      included_units: included_units + 1,
      consumed_units,
    }),
  }),
  always('quota-as-text', 'Quota units are strings.', 'WCI-SUB-011', {
    quotaShown: ({ included_units, consumed_units }) => ({
      included_units: String(included_units),
      consumed_units: String(consumed_units),
    }),
  }),
  sometimes(
    'entitlement-for-list',
    'The list asks for an entitlement.',
    'WCI-QTA-006 also SHR-ERR-017 WCI-LST-001',
    {
      needsEntitlement: neededAlsoFor((asking) => asking === 'list'),
    },
  ),
  sometimes('entitlement-for-update', 'An update asks for an entitlement.', 'WCI-QTA-006 also SHR-ERR-015', {
    needsEntitlement: neededAlsoFor((asking) => asking.endsWith('update')),
  }),
  sometimes(
    'entitlement-suspended-update',
    'A suspended entitlement refuses updates.',
    'WCI-QTA-006 also SHR-ERR-015',
    {
      needsEntitlement: neededAlsoFor(
        (asking, { status }) => status === 'suspended' && asking.endsWith('update'),
      ),
    },
  ),
  sometimes(
    'entitlement-suspended-status',
    'A suspended entitlement refuses to show the status.',
    'WCI-QTA-006 also SHR-ERR-016',
    {
      needsEntitlement: neededAlsoFor((asking, { status }) => status === 'suspended' && asking === 'status'),
    },
  ),
  sometimes(
    'entitlement-for-pnr-update',
    'An update of the pnr asks for units that are left.',
    'WCI-QTA-006 also SHR-ERR-015',
    { needsEntitlement: neededAlsoFor((asking) => asking === 'pnr update') },
  ),
  sometimes(
    'entitlement-for-multipart-update',
    'A multipart update asks for an entitlement.',
    'WCI-QTA-006 also SHR-ERR-015',
    { needsEntitlement: neededAlsoFor((asking) => asking === 'multipart update') },
  ),
  sometimes(
    'rejection-of-airline-charged',
    'A booking of an unsupported airline takes a unit.',
    'WCI-JRN-015',
    {
      consumes: (outcome, { legs }) => {
        const isUnknown = legs.some(({ airline }) => !documentedWebCheckinPolicy.supportsAirline(airline));
        return ['complete', 'incomplete'].includes(outcome) || (outcome === 'rejected' && isUnknown) ? 1 : 0;
      },
    },
  ),
  sometimes('refused-webhook-charged', 'A refused callbackData takes a unit.', 'WCI-CBR-021', {
    refusedPayload: (operation, kind) =>
      operation === 'subscribe' && kind === 'callback' ? 'charged' : 'nothing',
  }),
];
