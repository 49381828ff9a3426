import { alsoEnforcing, skipping } from './rules.ts';
import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('webcheckin');

/** Mistakes in judging the flights of a subscribe. */
export const checkinFlightDefects: readonly Defect[] = [
  always(
    'flights-empty',
    'A subscribe without any flight is accepted.',
    'WCI-SUB-025 also WCI-LST-018 WCI-LST-019 WCI-MP-005',
    { enforces: skipping('flights.least') },
  ),
  sometimes(
    'flights-empty-multipart',
    'A multipart body may hold no flight.',
    'WCI-MP-005 also WCI-LST-018 WCI-LST-019',
    { enforces: skipping('flights.least', ({ multipart }) => multipart) },
  ),
  always(
    'flights-missing',
    'A subscribe may leave the flights out.',
    'WCI-SUB-024 also WCI-LST-018 WCI-LST-019 WCI-MP-005',
    { enforces: skipping('flights.required') },
  ),
  sometimes(
    'flights-not-array',
    'flights that are no array count as none.',
    'WCI-SUB-026 also WCI-LST-018 WCI-LST-019',
    { enforces: skipping('flights.array') },
  ),
  sometimes(
    'flights-null-items',
    'Elements of flights that are no objects are passed over.',
    'WCI-SUB-026 also WCI-LST-018 WCI-LST-019',
    { enforces: skipping('flights.items') },
  ),
  sometimes('flights-null-500', 'A null among the flights is an internal error.', 'WCI-SUB-026', {
    breaksOn: (field, value) => field === 'flights[]' && value === null,
  }),
  sometimes(
    'flight-departure-missing',
    'A flight without departure is passed over.',
    'WCI-SUB-030 also WCI-LST-018 WCI-LST-019 WCI-SUB-033 WCI-LST-020',
    { enforces: skipping('flight.required', ({ field }) => field === 'departure_datetime') },
  ),
  sometimes('flight-number-missing', 'A flight may have no number.', 'WCI-SUB-030 also WCI-SUB-033', {
    enforces: skipping('flight.required', ({ field }) => field === 'flight_number'),
  }),
  sometimes('second-leg-number-missing', 'From the second leg a flight may have no number.', 'WCI-SUB-033', {
    enforces: skipping('flight.required', ({ field, index }) => field === 'flight_number' && index > 0),
  }),
  sometimes(
    'second-leg-destination-empty',
    'From the second leg a destination may be empty.',
    'WCI-SUB-033 also WCI-SUB-031',
    {
      enforces: skipping('flight.length', ({ field, index }) => field === 'destination' && index > 0),
    },
  ),
  sometimes('second-leg-airline-null', 'From the second leg an airline may be null.', 'WCI-SUB-033', {
    enforces: skipping('flight.required', ({ field, index }) => field === 'airline' && index > 0),
  }),
  sometimes(
    'flight-airline-null',
    'An airline of null is left to the journey rules.',
    'WCI-SUB-030 also WCI-SUB-033',
    {
      enforces: skipping('flight.required', ({ field, value }) => field === 'airline' && value === null),
    },
  ),
  sometimes('number-empty-in-parts', 'A flight number in a part may be empty.', 'WCI-SUB-033', {
    enforces: skipping('flight.length', ({ field, multipart }) => field === 'flight_number' && multipart),
  }),
  sometimes('arrival-unread-in-parts', 'An arrival in a part may be any text.', 'WCI-DT-023', {
    enforces: skipping(
      'flight.clock.format',
      ({ field, multipart }) => field === 'arrival_datetime' && multipart,
    ),
  }),
  sometimes('airline-cut', 'Of an airline code the first two characters are read.', 'WCI-SUB-073', {
    readAirline: (code) => code.slice(0, 2),
  }),
  sometimes(
    'second-leg-unchecked-origin',
    'From the second leg a missing origin is left to the journey rules.',
    'WCI-SUB-033',
    { enforces: skipping('flight.required', ({ field, index }) => field === 'origin' && index > 0) },
  ),
  sometimes(
    'flight-number-coerced',
    'A number is taken for a flight number.',
    'WCI-SUB-032 also WCI-SUB-033',
    { enforces: skipping('flight.type', ({ field }) => field === 'flight_number') },
  ),
  sometimes('flight-number-empty', 'A flight number may be empty.', 'WCI-SUB-031 also WCI-SUB-033', {
    enforces: skipping('flight.length', ({ field }) => field === 'flight_number'),
  }),
  sometimes('airline-digits-refused', 'Airline codes with a digit are malformed.', 'WCI-SUB-034', {
    isAirlineCode: (code) => /^[A-Za-z]{2}$/.test(code),
  }),
  sometimes(
    'airline-second-digit-refused',
    'Airline codes with a digit at the end are malformed.',
    'WCI-SUB-034',
    { isAirlineCode: (code) => /^[A-Za-z0-9][A-Za-z]$/.test(code) },
  ),
  sometimes('airport-unknown-accepted', 'An airport without timezone counts as UTC.', 'WCI-DT-021', {
    enforces: skipping('flight.airport.zone'),
  }),
  sometimes(
    'airport-unknown-stop',
    'Only the airport of the first departure needs a known timezone.',
    'WCI-DT-021',
    {
      enforces: skipping('flight.airport.zone', ({ index, field }) => index > 0 || field === 'destination'),
    },
  ),
  sometimes('arrival-required-later', 'From the second leg an arrival is required.', 'WCI-SUB-036', {
    enforces: alsoEnforcing('flight.arrival.required', ({ index }) => index > 0),
  }),
  sometimes('arrival-required-in-parts', 'In a part an arrival is required.', 'WCI-SUB-036', {
    enforces: alsoEnforcing('flight.arrival.required', ({ multipart }) => multipart),
  }),
  sometimes('arrival-required', 'arrival_datetime is required.', 'WCI-SUB-036', {
    enforces: alsoEnforcing('flight.arrival.required'),
  }),
  sometimes('flights-two-at-most', 'A trip has two legs at most.', 'WCI-SUB-070', {
    enforces: alsoEnforcing('flights.most'),
  }),
  sometimes(
    'flight-number-digits',
    'A flight number has digits only, without zeros in front.',
    'WCI-SUB-071',
    {
      enforces: alsoEnforcing('flight.number.digits'),
    },
  ),
  sometimes('flight-number-zero-missing', 'A flight number of 0 counts as missing.', 'WCI-SUB-071', {
    enforces: alsoEnforcing('flight.number.zero'),
  }),
  sometimes('airport-any-length', 'An airport code of any form is accepted.', 'WCI-SUB-035', {
    enforces: skipping('flight.airport.letters'),
  }),
];
