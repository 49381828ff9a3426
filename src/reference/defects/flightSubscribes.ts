import { documentedCleaning } from '../flightAlerts/flightNumber.ts';
import { lenient } from './rules.ts';
import { defectsOf, type Defect } from './row.ts';

const { sometimes } = defectsOf('flight-alerts');

const inSubscribe = ({ operation }: { operation: string }) => operation === 'subscribe';

/** Mistakes in subscribing to legs. */
export const flightSubscribeDefects: readonly Defect[] = [
  sometimes(
    'subscribe-needs-units',
    'A flight subscribe asks for a quota that is not used up.',
    'WCI-QTA-014 also SHR-ERR-019',
    {
      refusesFlights: ({ included_units, consumed_units }, operation) =>
        operation === 'subscribe' && consumed_units >= included_units,
    },
  ),
  sometimes(
    'subscribe-needs-entitlement',
    'A flight subscribe asks for an entitlement.',
    'WCI-QTA-014 also SHR-ERR-019',
    { refusesFlights: ({ status }, operation) => operation === 'subscribe' && status !== 'active' },
  ),
  sometimes('subscribe-takes-unit', 'A flight subscribe takes a unit of web check-in.', 'WCI-QTA-017', {
    flightUnits: (operation) => (operation === 'subscribe' ? 1 : 0),
  }),
  sometimes('lookup-takes-unit', 'A lookup takes a unit of web check-in.', 'WCI-QTA-017', {
    flightUnits: (operation) => (operation === 'lookup' ? 1 : 0),
  }),
  sometimes('subscribe-number-uncleaned', 'A subscribe does not remove zeros.', 'FLA-SUB-017', {
    cleaning: (operation) =>
      operation === 'subscribe' ? { ...documentedCleaning, zeros: /^(?!)/ } : documentedCleaning,
  }),
  sometimes('subscribe-number-any', 'A subscribe takes any flight number.', 'FLA-SUB-018 also FLA-SUB-045', {
    enforcesFlight: lenient(['flightNumber.grammar'], inSubscribe),
  }),
  sometimes('subscribe-date-past', 'A subscribe takes past dates.', 'FLA-SUB-034', {
    enforcesFlight: lenient(['date.past'], inSubscribe),
  }),
  sometimes('subscribe-airport-missing', 'A missing arrival airport is left to the search.', 'FLA-SUB-016', {
    enforcesFlight: lenient(
      ['airport.required', 'airport.letters'],
      ({ field, value }) => field === 'arrivalAirportIata' && typeof value !== 'string',
    ),
  }),
  sometimes('subscribe-fields-coerced', 'An array is read as the text that it holds.', 'FLA-SUB-016', {
    enforcesFlight: lenient(['date.required', 'airport.required'], ({ value }) => Array.isArray(value)),
  }),
  sometimes('subscribe-airport-any', 'An airport code of any form is left to the search.', 'FLA-SUB-020', {
    enforcesFlight: lenient(['airport.letters']),
  }),
  sometimes('subscribe-airport-digits', 'An airport code may hold digits.', 'FLA-SUB-020', {
    enforcesFlight: lenient(['airport.letters'], ({ value }) => /^[A-Z0-9]{3}$/.test(String(value))),
  }),
  sometimes('subscribe-status-cancelled', 'A subscribe shows cancel as cancelled.', 'FLA-SNP-009', {
    subscribedSnapshot: (snapshot) => ({
      ...snapshot,
      status: snapshot.status === 'cancel' ? 'cancelled' : snapshot.status,
    }),
  }),
  sometimes('subscribe-airport-untrimmed', 'Airport codes are not trimmed.', 'FLA-SUB-021', {
    cleanAirport: (code) => code.toUpperCase(),
  }),
  sometimes('subscribe-airport-spaces-only', 'Only spaces are trimmed from airport codes.', 'FLA-SUB-021', {
    cleanAirport: (code) => code.replace(/^ +| +$/g, '').toUpperCase(),
  }),
  sometimes('subscribe-arrival-case', 'The arrival airport must be in upper case.', 'FLA-SUB-021', {
    cleanAirport: (code, field) => (field === 'arrivalAirportIata' ? code.trim() : code.trim().toUpperCase()),
  }),
  sometimes(
    'subscribe-wrong-leg',
    'The arrival airport is not looked at.',
    'FLA-SUB-022 also FLA-SUB-002 FLA-SUB-015 FLA-SUB-001',
    {
      selects: (leg, wanted) => leg.from === wanted.from,
    },
  ),
  sometimes(
    'subscribe-swapped-leg',
    'A leg is found in either direction.',
    'FLA-SUB-022 also FLA-SUB-002 FLA-SUB-015',
    {
      selects: (leg, wanted) =>
        (leg.from === wanted.from && leg.to === wanted.to) ||
        (leg.from === wanted.to && leg.to === wanted.from),
    },
  ),
  sometimes('subscribe-ambiguous-first', 'Of several matching legs the first is taken.', 'FLA-SUB-024', {
    ambiguity: 'first',
  }),
  sometimes('subscribe-cancelled-unknown', 'A leg that is cancelled cannot be subscribed.', 'FLA-SUB-041', {
    departedLegs: 'cancelled-too',
  }),
  sometimes(
    'subscribed-alternates-empty',
    'A subscribe shows alternateInfo as an empty array where none was received.',
    'FLA-SNP-003',
    { subscribedSnapshot: (snapshot) => ({ alternateInfo: [], ...snapshot }) },
  ),
  sometimes(
    'subscription-per-flight',
    'A subscription is to the flight, not to the leg.',
    'FLA-SUB-015 also FLA-SUB-013 FLA-CB-001 FLA-CB-017 FLA-CB-009',
    { subscriptionName: ({ flightNumber, date }) => `${flightNumber} ${date}` },
  ),
  sometimes('subscription-per-departure', 'A subscription is to all legs from one airport.', 'FLA-SUB-015', {
    subscriptionName: ({ flightNumber, date, from }) => `${flightNumber} ${date} ${from}`,
  }),
  sometimes('subscription-per-arrival', 'A subscription is to all legs to one airport.', 'FLA-SUB-015', {
    subscriptionName: ({ flightNumber, date, to }) => `${flightNumber} ${date} ${to}`,
  }),
  sometimes('subscription-either-way', 'A subscription is to a leg and to the way back.', 'FLA-SUB-015', {
    subscriptionName: ({ flightNumber, date, from, to }) =>
      [flightNumber, date, ...[from, to].sort()].join(' '),
  }),
  sometimes('subscription-without-date', 'A subscription is to the leg of every day.', 'FLA-SUB-013', {
    subscriptionName: ({ flightNumber, from, to }) => `${flightNumber} ${from} ${to}`,
  }),
  sometimes(
    'subscription-shared',
    'Enterprises share the subscription to a leg.',
    'FLA-SUB-028 also FLA-CB-021',
    { subscriptionOwner: () => 'everyone' },
  ),
  sometimes(
    'subscription-racy',
    'Looking for a subscription and storing it are separate steps.',
    'FLA-SUB-029',
    { serializesFlightSubscribes: false },
  ),
  sometimes(
    'subscribe-snapshot-flat',
    'The snapshot of a subscribe names its airports at the top.',
    'FLA-SNP-022 also FLA-SNP-013 FLA-SNP-014 FLA-SNP-017 FLA-SNP-020 FLA-SNP-030',
    {
      subscribedSnapshot: ({ departure, arrival, ...snapshot }) => ({
        ...snapshot,
        departureAirport: departure,
        arrivalAirport: arrival,
      }),
    },
  ),
  sometimes(
    'subscribe-snapshot-swapped',
    'The snapshot of a subscribe has its two ends swapped.',
    'FLA-SUB-002 also FLA-SNP-026 FLA-SNP-017 FLA-SNP-020 FLA-SNP-030',
    {
      subscribedSnapshot: (snapshot) => ({
        ...snapshot,
        departure: snapshot.arrival,
        arrival: snapshot.departure,
      }),
    },
  ),
  sometimes(
    'subscription-failed-stuck',
    'A leg whose tracking was not confirmed once is never asked to be tracked again.',
    'FLA-SUB-026',
    { failedSubscription: 'stuck' },
  ),
  sometimes(
    'subscribed-snapshot-first',
    'A subscribe shows the gate that its leg had first.',
    'FLA-SUB-040 also FLA-SNP-004 FLA-SNP-005 FLA-SNP-010 FLA-SNP-017 FLA-SNP-020 FLA-SNP-030',
    {
      upstreamKept: (place) => (inSubscribe(place) ? 'by-date' : 'never'),
    },
  ),
  sometimes(
    'subscribed-snapshot-for-two-minutes',
    'A subscribe shows for two minutes what it showed of its leg before.',
    'FLA-SUB-040 also FLA-SNP-004 FLA-SNP-005 FLA-SNP-010 FLA-SNP-017 FLA-SNP-020 FLA-SNP-030',
    { upstreamKept: (place) => (inSubscribe(place) ? ['by-date', 120_000] : 'never') },
  ),
  sometimes(
    'subscribed-alternates-lost',
    'A subscribe shows no alternate routes.',
    'FLA-SNP-030 also FLA-SNP-005 FLA-SNP-017',
    {
      subscribedSnapshot: ({ alternateInfo: _, ...snapshot }) => snapshot,
    },
  ),
  sometimes(
    'subscription-failed-keeps-callback',
    'A callback is registered although its leg could not be tracked, with a key that no answer contains.',
    'FLA-CB-003',
    { failedSubscription: 'kept' },
  ),
  sometimes(
    'subscription-ambiguous-stored',
    'A subscribe that several flights match is refused, and stored.',
    'FLA-SUB-043',
    { storesRefused: (code) => code === 'AMBIGUOUS_FLIGHT' },
  ),
  sometimes(
    'subscription-unknown-stored',
    'A subscribe of a leg that is not found is refused, and stored.',
    'FLA-SUB-043',
    { storesRefused: (code) => code === 'FLIGHT_NOT_FOUND' },
  ),
];
