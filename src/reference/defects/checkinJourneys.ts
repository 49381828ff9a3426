import { wallAsUtc } from '../shared/localTime.ts';
import { documentedWebCheckinPolicy } from '../webcheckin/policy.ts';
import { isBlank } from '../webcheckin/readiness.ts';
import { unjudged, unneeded } from './rules.ts';
import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('webcheckin');
const HOUR = 3_600_000;

let draws = 0;

/** Mistakes in journey rules, quota, booking identity and readiness. */
export const checkinJourneyDefects: readonly Defect[] = [
  sometimes(
    'airline-any',
    'Any airline code is taken for a supported airline.',
    { supportsAirline: () => true },
    ['WCI-JRN-006'],
  ),
  always(
    'lead-time-ignored',
    'A departure may be at any time in the future.',
    { leadTimeMet: (leadMs) => leadMs > 0 },
    ['WCI-JRN-001'],
  ),
  sometimes(
    'lead-time-five-hours',
    'Five hours of lead are enough.',
    { leadTimeMet: (leadMs) => leadMs >= 5 * HOUR },
    ['WCI-JRN-001'],
    ['WCI-JRN-003'],
  ),
  sometimes(
    'lead-time-eight-hours',
    'Eight hours of lead are demanded.',
    { leadTimeMet: (leadMs) => leadMs >= 8 * HOUR },
    ['WCI-JRN-002'],
  ),
  sometimes(
    'lead-time-absolute',
    'A departure six hours ago is as good as one in six hours.',
    { leadTimeMet: (leadMs) => Math.abs(leadMs) >= 6 * HOUR },
    ['WCI-JRN-005'],
    ['WCI-LST-026'],
  ),
  sometimes(
    'lead-time-last-leg',
    'The lead time is that of the last departure.',
    { judges: (rule, index, legs) => (rule === 'leadTime' ? index === legs - 1 : rule !== 'backwards') },
    ['WCI-JRN-004'],
  ),
  sometimes('route-to-itself', 'A flight may lead to where it starts.', { judges: unjudged('route') }, [
    'WCI-JRN-007',
  ]),
  always('disconnected-accepted', 'Legs need not connect.', { judges: unjudged('connected') }, [
    'WCI-JRN-008',
  ]),
  sometimes(
    'disconnected-third-leg',
    'From the third leg connections are not checked.',
    { judges: unjudged('connected', (index) => index > 1) },
    ['WCI-JRN-008'],
  ),
  always(
    'two-airlines-accepted',
    'Legs may be operated by different airlines.',
    { judges: unjudged('oneAirline') },
    ['WCI-JRN-009'],
  ),
  sometimes(
    'travel-order-ignored',
    'Connected legs may be out of order in time.',
    { judges: unjudged('order') },
    ['WCI-JRN-010'],
  ),
  sometimes(
    'order-by-wall-clock',
    'Legs are ordered by their clocks.',
    { clockOrder: ({ leg }) => wallAsUtc(leg.departure) },
    ['WCI-JRN-011'],
  ),
  sometimes(
    'short-horizon',
    'Departures more than two weeks ahead are rejected.',
    { bookingHorizonDays: 14 },
    ['WCI-JRN-020'],
  ),
  sometimes(
    'rejection-stored',
    'A rejected journey is stored as scheduled.',
    { recordsRejected: 'scheduled' },
    ['WCI-JRN-014'],
  ),
  sometimes(
    'rejection-charged',
    'A rejected journey takes a quota unit.',
    { consumes: (outcome) => (outcome === 'repeated' ? 0 : 1) },
    ['WCI-JRN-015'],
  ),
  sometimes(
    'journey-before-quota',
    'The journey is judged before the quota.',
    { steps: ['journey', 'quota', 'reuse'] },
    ['WCI-JRN-018'],
  ),
  sometimes('quota-before-payload', 'The quota is judged before the payload.', { stageOf: () => 'journey' }, [
    'WCI-JRN-017',
  ]),
  sometimes(
    'quota-none-ignored',
    'No entitlement is needed.',
    {
      quotaAllows: ({ status, included_units, consumed_units }) =>
        status === 'none' || (status === 'active' && consumed_units < included_units),
    },
    ['WCI-QTA-003'],
    ['WCI-QTA-009'],
  ),
  sometimes(
    'quota-suspended-ignored',
    'A suspended entitlement is as good as an active one.',
    {
      quotaAllows: ({ status, included_units, consumed_units }) =>
        status !== 'none' && consumed_units < included_units,
    },
    ['WCI-QTA-004'],
    ['WCI-QTA-016'],
  ),
  sometimes(
    'quota-one-too-many',
    'One unit more than included can be used.',
    {
      quotaAllows: ({ status, included_units, consumed_units }) =>
        status === 'active' && consumed_units <= included_units,
    },
    ['WCI-QTA-005', 'WCI-QTA-011'],
    ['WCI-QTA-009', 'WCI-QTA-010', 'WCI-QTA-007', 'SHR-ERR-008', 'WCI-JRN-018'],
  ),
  sometimes(
    'quota-last-unit-withheld',
    'The last unit cannot be used.',
    {
      quotaAllows: ({ status, included_units, consumed_units }) =>
        status === 'active' && consumed_units + 1 < included_units,
    },
    ['WCI-QTA-011'],
    ['WCI-QTA-010'],
  ),
  always(
    'quota-two-units',
    'A subscribe takes two units.',
    { consumes: (outcome) => (outcome === 'complete' || outcome === 'incomplete' ? 2 : 0) },
    ['WCI-QTA-001'],
    ['WCI-QTA-012', 'WCI-QTA-009'],
  ),
  always(
    'quota-untouched',
    'A subscribe takes no unit.',
    { consumes: () => 0 },
    ['WCI-QTA-001'],
    ['WCI-QTA-002', 'WCI-QTA-010', 'WCI-QTA-011', 'WCI-QTA-012'],
  ),
  sometimes(
    'quota-untouched-multipart',
    'A multipart subscribe takes no unit.',
    {
      consumes: (outcome, { multipart }) =>
        !multipart && (outcome === 'complete' || outcome === 'incomplete') ? 1 : 0,
    },
    ['WCI-QTA-001'],
  ),
  always(
    'quota-as-text',
    'Quota units are strings.',
    {
      quotaShown: ({ included_units, consumed_units }) => ({
        included_units: String(included_units),
        consumed_units: String(consumed_units),
      }),
    },
    ['WCI-SUB-011'],
  ),
  sometimes(
    'entitlement-for-list',
    'The list asks for an entitlement.',
    { needsEntitlement: (operation) => operation === 'subscribe' || operation === 'list' },
    ['WCI-QTA-006'],
    ['SHR-ERR-017'],
  ),
  sometimes(
    'entitlement-for-update',
    'An update asks for an entitlement.',
    { needsEntitlement: (operation) => operation === 'subscribe' || operation === 'update' },
    ['WCI-QTA-006'],
    ['SHR-ERR-015'],
  ),
  sometimes(
    'subscribe-racy',
    'Looking for a booking, judging the quota and storing are separate steps.',
    { serializesSubscribes: false },
    ['WCI-SUB-021', 'WCI-QTA-010'],
    ['WCI-QTA-009'],
  ),
  sometimes('pnrless-all-one', 'All bookings without record locator are one.', { pnrlessKey: () => '-' }, [
    'WCI-SUB-002',
  ]),
  always(
    'repeat-creates',
    'A repeated subscribe creates another attempt.',
    { bookingKey: ({ pnr }) => `${pnr ?? ''} ${String((draws += 1))}` },
    ['WCI-SUB-015', 'WCI-SUB-016', 'WCI-SUB-019'],
    ['WCI-SUB-020', 'WCI-SUB-021', 'WCI-MP-018'],
  ),
  always(
    'repeat-unnamed',
    'A repeated subscribe answers SCHEDULED.',
    { repeatMessage: 'SCHEDULED' },
    ['WCI-SUB-015'],
    ['WCI-SUB-020'],
  ),
  sometimes(
    'repeat-scoped-to-key',
    'A booking is known only to the key that made it.',
    { bookingScope: ({ enterprise, apiKey }, key) => `${enterprise.id} ${apiKey} ${key}` },
    ['WCI-SUB-020'],
  ),
  sometimes(
    'repeat-across-enterprises',
    'A booking of another enterprise is reused.',
    { bookingScope: (_owner, key) => key },
    ['WCI-SCP-007'],
    ['WCI-SCP-008', 'WCI-SCP-009', 'WCI-CB-022'],
  ),
  sometimes(
    'repeat-degrades',
    'A repeated subscribe with less data makes the attempt incomplete.',
    {
      onRepeat: (attempt, { passengers }) => {
        if (passengers.some(({ passport }) => isBlank(passport)))
          attempt.progress = { ...attempt.progress, subStatus: 'MISSING_INFO', missing: ['passport'] };
      },
    },
    ['WCI-SUB-018'],
  ),
  sometimes(
    'repeat-restarts',
    'A repeated subscribe puts an attempt under way back to the start.',
    {
      onRepeat: (attempt) => {
        if (attempt.progress.status === 'SCHEDULED') return;
        attempt.progress = {
          ...attempt.progress,
          status: 'SCHEDULED',
          subStatus: 'COMPLETE_INFO',
          boardingPasses: [],
        };
      },
    },
    ['WCI-SUB-017'],
    ['WCI-CB-015'],
  ),
  always(
    'complete-info-renamed',
    'A complete request has another sub-status.',
    { completeSubStatus: 'READY' },
    ['WCI-SUB-004'],
    ['WCI-RDY-019', 'WCI-UPD-046'],
  ),
  always(
    'incomplete-as-complete',
    'An incomplete request has sub-status COMPLETE_INFO.',
    { missingSubStatus: () => 'COMPLETE_INFO' },
    ['WCI-SUB-013'],
    ['WCI-RDY-017'],
  ),
  sometimes('ready-without-pnr', 'A missing pnr is not missing information.', { needs: unneeded('pnr') }, [
    'WCI-RDY-014',
    'WCI-RDY-020',
  ]),
  sometimes(
    'ready-without-passport-number',
    'A passport number is not needed.',
    { needs: unneeded('passport.number') },
    ['WCI-RDY-002'],
  ),
  sometimes(
    'ready-without-date-of-issue',
    "A passport's date of issue is not needed.",
    { needs: unneeded('passport.date_of_issue') },
    ['WCI-RDY-003'],
  ),
  sometimes(
    'ready-without-expiry-date',
    "A passport's expiry date is not needed.",
    { needs: unneeded('passport.expiry_date') },
    ['WCI-RDY-004'],
  ),
  sometimes(
    'ready-without-place-of-issue',
    "A passport's place of issue is not needed.",
    { needs: unneeded('passport.place_of_issue') },
    ['WCI-RDY-005'],
  ),
  sometimes('ready-without-nationality', 'A nationality is not needed.', { needs: unneeded('nationality') }, [
    'WCI-RDY-006',
  ]),
  sometimes(
    'ready-by-first-passenger',
    "Only the first passenger's passport is looked at.",
    { needs: (rule, passenger) => !(rule.startsWith('passport') && passenger > 0) },
    ['WCI-RDY-009'],
    ['WCI-UPD-028'],
  ),
  sometimes(
    'ready-by-last-passenger',
    "Only the last passenger's passport is looked at.",
    {
      needs: (rule, passenger, { passengers }) =>
        !(rule.startsWith('passport') && passenger < passengers.length - 1),
    },
    ['WCI-RDY-009'],
  ),
  sometimes(
    'nationality-of-passport-only',
    "The passenger's nationality does not serve.",
    { nationalityOf: (passport) => passport },
    ['WCI-RDY-007'],
  ),
  sometimes(
    'nationality-of-passenger-only',
    "The passport's nationality does not serve.",
    { nationalityOf: (_passport, passenger) => passenger },
    ['WCI-RDY-008'],
  ),
  sometimes(
    'email-of-everyone',
    'Every passenger needs a valid email.',
    { emailRule: (valid) => valid.every(Boolean) },
    ['WCI-RDY-012'],
    ['WCI-RDY-013'],
  ),
  sometimes(
    'email-of-the-first',
    'The first passenger needs the valid email.',
    { emailRule: (valid) => valid[0] === true },
    ['WCI-RDY-012'],
    ['WCI-RDY-013'],
  ),
  sometimes(
    'email-unneeded',
    'No email is needed.',
    { emailRule: () => true },
    ['WCI-RDY-010'],
    ['WCI-RDY-011'],
  ),
  sometimes('email-any-text', 'Any text is a valid email.', { isEmail: (text) => text !== '' }, [
    'WCI-RDY-011',
  ]),
  sometimes(
    'scan-replaces-metadata',
    'A passport scan stands in for its data.',
    { scanReplacesPassport: ({ file_field }) => !isBlank(file_field) },
    ['WCI-MP-011'],
  ),
  sometimes(
    'document-url-replaces-metadata',
    "A passport's document_url stands in for its data.",
    { scanReplacesPassport: ({ document_url }) => !isBlank(document_url) && document_url !== undefined },
    ['WCI-RDY-016'],
  ),
  sometimes(
    'international-by-first-leg',
    'Only the first leg decides whether a journey is international.',
    { isInternational: (countries) => documentedWebCheckinPolicy.isInternational(countries.slice(0, 1)) },
    ['WCI-RDY-001'],
  ),
  always(
    'passports-never-needed',
    'No journey is international.',
    { isInternational: () => false },
    ['WCI-RDY-001'],
    [
      'WCI-RDY-002',
      'WCI-RDY-003',
      'WCI-RDY-004',
      'WCI-RDY-005',
      'WCI-RDY-006',
      'WCI-RDY-009',
      'WCI-RDY-016',
      'WCI-MP-011',
      'WCI-SUB-013',
      'WCI-SUB-014',
      'WCI-UPD-027',
    ],
  ),
  sometimes(
    'window-of-months',
    'Automation starts long before the check-in window.',
    { windowMs: 60 * 24 * HOUR },
    ['WCI-SUB-065'],
    ['WCI-SUB-003', 'WCI-STS-007'],
  ),

  sometimes(
    'email-spoilt',
    'A malformed email spoils the valid one of another passenger.',
    {
      emailRule: (valid, given) =>
        valid.includes(true) && !given.some((one, index) => one && valid[index] !== true),
    },
    ['WCI-RDY-013'],
  ),
];
