import { wallAsUtc } from '../shared/localTime.ts';
import type { Policy } from '../policy.ts';
import { documentedJourneyRules } from '../webcheckin/documented.ts';
import type { JourneyRule } from '../webcheckin/policyTerms.ts';
import { withoutJudging } from './rules.ts';
import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('webcheckin');
const HOUR = 3_600_000;

/** Judges a rule of the journey for bookings in JSON alone. */
function unlessInParts(skipped: JourneyRule): Policy['judges'] {
  return (rule, index, _, form) =>
    documentedJourneyRules(rule, index) && !(rule === skipped && form?.multipart === true);
}

/** Mistakes in the rules that a journey has to meet, and in what becomes of one that does not. */
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
  sometimes(
    'lead-time-last-leg',
    'The lead time is that of the last departure.',
    'WCI-JRN-004 also WCI-JRN-005 WCI-LST-026',
    {
      judges: (rule, index, legs) => (rule === 'leadTime' ? index === legs - 1 : rule !== 'backwards'),
    },
  ),
  sometimes(
    'lead-time-in-parts',
    'The lead time of a multipart booking is not judged.',
    'WCI-JRN-001 also WCI-JRN-005 WCI-LST-026',
    { judges: unlessInParts('leadTime') },
  ),
  sometimes(
    'lead-time-of-complete-bookings',
    'The lead time of a booking that lacks information is not judged, as its automation cannot start yet.',
    'WCI-JRN-001',
    {
      judges: (rule, index, _, form) =>
        documentedJourneyRules(rule, index) && !(rule === 'leadTime' && form?.incomplete === true),
    },
  ),
  sometimes('disconnected-in-parts', 'Legs in a part need not connect.', 'WCI-JRN-008', {
    judges: unlessInParts('connected'),
  }),
  sometimes('two-airlines-in-parts', 'Legs in a part may be of different airlines.', 'WCI-JRN-009', {
    judges: unlessInParts('oneAirline'),
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
    recordsRejected: () => 'scheduled',
  }),
  sometimes('journey-before-quota', 'The journey is judged before the quota.', 'WCI-JRN-018', {
    steps: ['journey', 'quota', 'reuse'],
  }),
  sometimes(
    'journey-airline-first',
    'An unsupported airline is reported before the payload is judged.',
    'WCI-JRN-016 also WCI-SUB-028',
    { journeyFirst: (rule) => rule === 'airline' },
  ),
  sometimes(
    'journey-route-first',
    'A route to its own origin is reported before the payload is judged.',
    'WCI-JRN-016 also WCI-SUB-028',
    { journeyFirst: (rule) => rule === 'route' },
  ),
  sometimes(
    'journey-lead-time-first',
    'A departure that is too close is reported before the payload is judged.',
    'WCI-JRN-016 also WCI-JRN-018 WCI-SUB-028',
    { journeyFirst: (rule) => rule === 'leadTime' },
  ),
  sometimes('callback-fault-400', 'A callback that fails validation is a 400.', 'WCI-CBR-020', {
    statusOf: (kind) => (kind === 'itinerary' || kind === 'timezone' ? 422 : 400),
  }),
  sometimes(
    'rejection-of-airline-stored',
    'A booking of an unsupported airline is kept as scheduled.',
    'WCI-JRN-014',
    { recordsRejected: (rule) => (rule === 'airline' ? 'scheduled' : 'no') },
  ),
];
