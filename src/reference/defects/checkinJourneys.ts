import { wallAsUtc } from '../shared/localTime.ts';
import { documentedJourneyRules, documentedWebCheckinPolicy } from '../webcheckin/documented.ts';
import { isObject } from '../webcheckin/inspection.ts';
import { isBlank } from '../webcheckin/readiness.ts';
import { withoutJudging, unneeded } from './rules.ts';
import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('webcheckin');
const HOUR = 3_600_000;

/** Mistakes in journey rules, quota, booking identity and readiness. */
export const checkinJourneyDefects: readonly Defect[] = [
  sometimes('airline-any', 'Any airline code is taken for a supported airline.', 'WCI-JRN-006', {
    supportsAirline: () => true,
  }),
  always('lead-time-ignored', 'A departure may be at any time in the future.', 'WCI-JRN-001', {
    leadTimeMet: (leadMs) => leadMs > 0,
  }),
  sometimes('lead-time-five-hours', 'Five hours of lead are enough.', 'WCI-JRN-001 also WCI-JRN-003', {
    leadTimeMet: (leadMs) => leadMs >= 5 * HOUR,
  }),
  sometimes('lead-time-two-minutes-short', 'Five hours and 58 minutes of lead are enough.', 'WCI-JRN-001', {
    leadTimeMet: (leadMs) => leadMs >= 6 * HOUR - 2 * 60_000,
  }),
  sometimes('lead-time-eight-hours', 'Eight hours of lead are demanded.', 'WCI-JRN-002', {
    leadTimeMet: (leadMs) => leadMs >= 8 * HOUR,
  }),
  sometimes(
    'lead-time-absolute',
    'A departure six hours ago is as good as one in six hours.',
    'WCI-JRN-005 also WCI-LST-026',
    { leadTimeMet: (leadMs) => Math.abs(leadMs) >= 6 * HOUR },
  ),
  sometimes('lead-time-last-leg', 'The lead time is that of the last departure.', 'WCI-JRN-004', {
    judges: (rule, index, legs) => (rule === 'leadTime' ? index === legs - 1 : rule !== 'backwards'),
  }),
  sometimes('route-to-itself', 'A flight may lead to where it starts.', 'WCI-JRN-007', {
    judges: withoutJudging('route'),
  }),
  always('disconnected-accepted', 'Legs need not connect.', 'WCI-JRN-008', {
    judges: withoutJudging('connected'),
  }),
  sometimes('disconnected-third-leg', 'From the third leg connections are not checked.', 'WCI-JRN-008', {
    judges: withoutJudging('connected', (index) => index > 1),
  }),
  always('two-airlines-accepted', 'Legs may be operated by different airlines.', 'WCI-JRN-009', {
    judges: withoutJudging('oneAirline'),
  }),
  sometimes('third-airline-accepted', 'From the third leg airlines are not compared.', 'WCI-JRN-009', {
    judges: withoutJudging('oneAirline', (index) => index > 1),
  }),
  sometimes('airlines-of-many-legs', 'Airlines of more than two legs are not compared.', 'WCI-JRN-009', {
    judges: (rule, index, legs) => documentedJourneyRules(rule, index) && (rule !== 'oneAirline' || legs < 3),
  }),
  sometimes('travel-order-ignored', 'Connected legs may be out of order in time.', 'WCI-JRN-010', {
    judges: withoutJudging('order'),
  }),
  sometimes('order-by-arrivals-only', 'The order of legs without arrivals is not judged.', 'WCI-JRN-010', {
    clockOrder: ({ departsAt, arrivesAt }) => (arrivesAt === null ? Number.NaN : departsAt),
  }),
  sometimes('order-by-wall-clock', 'Legs are ordered by their clocks.', 'WCI-JRN-011', {
    clockOrder: ({ leg }) => wallAsUtc(leg.departure),
  }),
  sometimes('short-horizon', 'Departures more than two weeks ahead are rejected.', 'WCI-JRN-020', {
    bookingHorizonDays: 14,
  }),
  sometimes('rejection-stored', 'A rejected journey is stored as scheduled.', 'WCI-JRN-014', {
    recordsRejected: 'scheduled',
  }),
  sometimes('rejection-charged', 'A rejected journey takes a quota unit.', 'WCI-JRN-015', {
    consumes: (outcome) => (outcome === 'repeated' || outcome === 'raced' ? 0 : 1),
  }),
  sometimes('journey-before-quota', 'The journey is judged before the quota.', 'WCI-JRN-018', {
    steps: ['journey', 'quota', 'reuse'],
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
  sometimes(
    'journey-airline-first',
    'An unsupported airline is reported before the payload is judged.',
    'WCI-JRN-016',
    { journeyFirst: (rule) => rule === 'airline' },
  ),
  sometimes(
    'journey-route-first',
    'A route to its own origin is reported before the payload is judged.',
    'WCI-JRN-016',
    { journeyFirst: (rule) => rule === 'route' },
  ),
  sometimes(
    'journey-lead-time-first',
    'A departure that is too close is reported before the payload is judged.',
    'WCI-JRN-016 also WCI-JRN-018',
    { journeyFirst: (rule) => rule === 'leadTime' },
  ),
  sometimes('quota-before-payload', 'The quota is judged before the payload.', 'WCI-JRN-017', {
    stageOf: () => 'journey',
  }),
  sometimes('repeat-moves-last-updated', 'A repeated subscribe counts as an update.', 'WCI-SUB-072', {
    onRepeat: (attempt) => {
      attempt.updatedAt += 1;
    },
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
  sometimes('callback-fault-400', 'A callback that fails validation is a 400.', 'WCI-CBR-020', {
    statusOf: (kind) => (kind === 'itinerary' || kind === 'timezone' ? 422 : 400),
  }),
  sometimes('quota-incomplete-free', 'An incomplete attempt takes no unit.', 'WCI-QTA-002', {
    consumes: (outcome) => (outcome === 'complete' ? 1 : 0),
  }),
  sometimes('quota-untouched-multipart', 'A multipart subscribe takes no unit.', 'WCI-QTA-001', {
    consumes: (outcome, { multipart }) =>
      !multipart && (outcome === 'complete' || outcome === 'incomplete') ? 1 : 0,
  }),
  always('quota-as-text', 'Quota units are strings.', 'WCI-SUB-011', {
    quotaShown: ({ included_units, consumed_units }) => ({
      included_units: String(included_units),
      consumed_units: String(consumed_units),
    }),
  }),
  sometimes('entitlement-for-list', 'The list asks for an entitlement.', 'WCI-QTA-006 also SHR-ERR-017', {
    needsEntitlement: (asking) => documentedWebCheckinPolicy.needsEntitlement(asking) || asking === 'list',
  }),
  sometimes('entitlement-for-update', 'An update asks for an entitlement.', 'WCI-QTA-006 also SHR-ERR-015', {
    needsEntitlement: (asking) => documentedWebCheckinPolicy.needsEntitlement(asking) || asking === 'update',
  }),
  sometimes(
    'subscribe-racy',
    'Looking for a booking, judging the quota and storing are separate steps.',
    'WCI-SUB-021 WCI-QTA-010 also WCI-QTA-009',
    { serializesSubscribes: false },
  ),
  sometimes('pnrless-all-one', 'All bookings without record locator are one.', 'WCI-SUB-002', {
    pnrlessKey: () => '-',
  }),
  always(
    'repeat-creates',
    'A repeated subscribe creates another attempt.',
    'WCI-SUB-015 WCI-SUB-016 WCI-SUB-019 also WCI-SUB-020 WCI-SUB-021 WCI-MP-018',
    { bookingKey: ({ pnr }, serial) => `${pnr ?? ''} ${serial}` },
  ),
  always('repeat-unnamed', 'A repeated subscribe answers SCHEDULED.', 'WCI-SUB-015 also WCI-SUB-020', {
    repeatMessage: () => 'SCHEDULED',
  }),
  sometimes('repeat-scoped-to-key', 'A booking is known only to the key that made it.', 'WCI-SUB-020', {
    bookingScope: ({ enterprise, apiKey }, key) => `${enterprise.id} ${apiKey} ${key}`,
  }),
  sometimes(
    'repeat-across-enterprises',
    'A booking of another enterprise is reused.',
    'WCI-SCP-007 also WCI-SCP-008 WCI-SCP-009 WCI-CB-022',
    { bookingScope: (_owner, key) => key },
  ),
  sometimes(
    'repeat-degrades',
    'A repeated subscribe with less data makes the attempt incomplete.',
    'WCI-SUB-018',
    {
      onRepeat: (attempt, { passengers }) => {
        if (passengers.some(({ passport }) => isBlank(passport)))
          attempt.progress = { ...attempt.progress, subStatus: 'MISSING_INFO', missing: ['passport'] };
      },
    },
  ),
  sometimes(
    'repeat-ended-unnamed',
    'A repeated subscribe of a failed attempt answers SCHEDULED.',
    'WCI-SUB-015',
    {
      repeatMessage: ({ progress }) => (progress.status === 'FAILED' ? 'SCHEDULED' : 'ALREADY_SUBSCRIBED'),
    },
  ),
  sometimes(
    'repeat-restarts-completed',
    'A repeated subscribe starts a completed attempt anew.',
    'WCI-SUB-017',
    {
      onRepeat: (attempt) => {
        if (attempt.progress.status !== 'COMPLETED') return;
        attempt.progress = {
          ...attempt.progress,
          status: 'SCHEDULED',
          subStatus: 'COMPLETE_INFO',
          boardingPasses: [],
        };
      },
    },
  ),
  sometimes(
    'repeat-restarts',
    'A repeated subscribe puts an attempt under way back to the start.',
    'WCI-SUB-017 also WCI-CB-015',
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
  ),
  always(
    'complete-info-renamed',
    'A complete request has another sub-status.',
    'WCI-SUB-004 also WCI-RDY-019 WCI-UPD-046',
    { completeSubStatus: 'READY' },
  ),
  always(
    'incomplete-as-complete',
    'An incomplete request has sub-status COMPLETE_INFO.',
    'WCI-SUB-013 also WCI-RDY-017',
    { missingSubStatus: () => 'COMPLETE_INFO' },
  ),
  sometimes(
    'incomplete-started',
    'Inside the check-in window an incomplete booking is started.',
    'WCI-SUB-012',
    { startsIncomplete: true },
  ),
  sometimes('ready-without-pnr', 'A missing pnr is not missing information.', 'WCI-RDY-014 WCI-RDY-020', {
    needs: unneeded('pnr'),
  }),
  sometimes('ready-with-blank-number', 'A passport number of no characters is one.', 'WCI-RDY-022', {
    needs: unneeded('passport.number', (passenger, { passengers }) => {
      const passport = passengers[passenger]?.passport;
      return isObject(passport) && passport.number === '';
    }),
  }),
  sometimes(
    'ready-without-passport-number',
    'A passport number is not needed.',
    'WCI-RDY-002 also WCI-RDY-022',
    {
      needs: unneeded('passport.number'),
    },
  ),
  sometimes('ready-without-date-of-issue', "A passport's date of issue is not needed.", 'WCI-RDY-003', {
    needs: unneeded('passport.date_of_issue'),
  }),
  sometimes('ready-without-expiry-date', "A passport's expiry date is not needed.", 'WCI-RDY-004', {
    needs: unneeded('passport.expiry_date'),
  }),
  sometimes('ready-without-place-of-issue', "A passport's place of issue is not needed.", 'WCI-RDY-005', {
    needs: unneeded('passport.place_of_issue'),
  }),
  sometimes('ready-without-nationality', 'A nationality is not needed.', 'WCI-RDY-006', {
    needs: unneeded('nationality'),
  }),
  sometimes(
    'ready-by-first-passenger',
    "Only the first passenger's passport is looked at.",
    'WCI-RDY-009 also WCI-UPD-028',
    { needs: (rule, passenger) => !(rule.startsWith('passport') && passenger > 0) },
  ),
  sometimes('ready-by-last-passenger', "Only the last passenger's passport is looked at.", 'WCI-RDY-009', {
    needs: (rule, passenger, { passengers }) =>
      !(rule.startsWith('passport') && passenger < passengers.length - 1),
  }),
  sometimes('nationality-of-passport-only', "The passenger's nationality does not serve.", 'WCI-RDY-007', {
    nationalityOf: (passport) => passport,
  }),
  sometimes('resume-conflict', 'A check-in that cannot be resumed is a conflict.', 'WCI-UPD-042', {
    resumeStatus: 409,
  }),
  sometimes('nationality-not-beside-null', 'A null in the passport rules the passenger out.', 'WCI-RDY-007', {
    nationalityOf: (passport, passenger) => (passport === undefined ? passenger : passport),
  }),
  sometimes('nationality-of-passenger-only', "The passport's nationality does not serve.", 'WCI-RDY-008', {
    nationalityOf: (_passport, passenger) => passenger,
  }),
  sometimes('email-of-everyone', 'Every passenger needs a valid email.', 'WCI-RDY-012 also WCI-RDY-013', {
    emailRule: (valid) => valid.every(Boolean),
  }),
  sometimes(
    'email-of-the-first',
    'The first passenger needs the valid email.',
    'WCI-RDY-012 also WCI-RDY-013',
    { emailRule: (valid) => valid[0] === true },
  ),
  sometimes('email-unneeded', 'No email is needed.', 'WCI-RDY-010 also WCI-RDY-011', {
    emailRule: () => true,
  }),
  sometimes('email-any-text', 'Any text is a valid email.', 'WCI-RDY-011', {
    isEmail: (text) => text !== '',
  }),
  sometimes('scan-replaces-metadata', 'A passport scan stands in for its data.', 'WCI-MP-011', {
    scanReplacesPassport: ({ file_field }) => !isBlank(file_field),
  }),
  sometimes(
    'document-url-replaces-metadata',
    "A passport's document_url stands in for its data.",
    'WCI-RDY-016',
    { scanReplacesPassport: ({ document_url }) => !isBlank(document_url) && document_url !== undefined },
  ),
  sometimes(
    'international-by-first-leg',
    'Only the first leg decides whether a journey is international.',
    'WCI-RDY-001',
    { isInternational: (countries) => documentedWebCheckinPolicy.isInternational(countries.slice(0, 1)) },
  ),
  always(
    'passports-never-needed',
    'No journey is international.',
    'WCI-RDY-001 also WCI-RDY-002 WCI-RDY-003 WCI-RDY-004 WCI-RDY-005 WCI-RDY-006 WCI-RDY-009 WCI-RDY-016 WCI-RDY-022 WCI-MP-011 WCI-SUB-013 WCI-SUB-014 WCI-UPD-027',
    { isInternational: () => false },
  ),
  sometimes(
    'window-of-months',
    'Automation starts long before the check-in window.',
    'WCI-SUB-065 also WCI-SUB-003 WCI-STS-007',
    { windowMs: 60 * 24 * HOUR },
  ),

  sometimes('email-spoilt', 'A malformed email spoils the valid one of another passenger.', 'WCI-RDY-013', {
    emailRule: (valid, given) =>
      valid.includes(true) && !given.some((one, index) => one && valid[index] !== true),
  }),
];
