import { documentedCleaning, type FlightNumberCleaning } from '../flightAlerts/flightNumber.ts';
import { lenient } from './rules.ts';
import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('flight-alerts');

/** The cleaning of flight numbers with one property changed. */
const cleaning = (change: Partial<FlightNumberCleaning>) => ({
  cleaning: () => ({ ...documentedCleaning, ...change }),
});

const DAY = 86_400_000;
const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Mistakes in what a lookup is asked: flight numbers and dates. */
export const flightQueryDefects: readonly Defect[] = [
  sometimes(
    'number-case-sensitive',
    'A lower-case flight number is refused.',
    'FLA-GET-011 also FLA-GET-014',
    cleaning({ upperCases: false }),
  ),
  sometimes(
    'number-hyphen-after-digit-code',
    'A hyphen or space between a code with a digit and the number is not removed.',
    'FLA-GET-012',
    cleaning({ removes: /(?<!^.\d)[ -]/g }),
  ),
  sometimes(
    'number-hyphens-kept',
    'Hyphens are not removed.',
    'FLA-GET-012 also FLA-GET-014',
    cleaning({ removes: / /g }),
  ),
  sometimes(
    'number-one-space-removed',
    'Only the first space or hyphen is removed.',
    'FLA-GET-012 also FLA-GET-014',
    cleaning({ removes: /[ -]/ }),
  ),
  sometimes(
    'number-zeros-kept',
    'Leading zeros are not removed.',
    'FLA-GET-013 also FLA-GET-014 FLA-GET-015',
    cleaning({ zeros: /^(?!)/ }),
  ),
  sometimes(
    'number-one-zero-removed',
    'Only one leading zero is removed.',
    'FLA-GET-013 also FLA-GET-014 FLA-GET-015',
    cleaning({ zeros: /^([A-Z]{2})0(?=\d)/ }),
  ),
  sometimes(
    'number-zeros-counted',
    'Digits are counted before all zeros are removed.',
    'FLA-GET-015 also FLA-GET-014',
    cleaning({ zeros: /^([A-Z]{2})0{1,3}(?=\d)/ }),
  ),
  sometimes(
    'number-five-digits',
    'Flight numbers may have more digits.',
    'FLA-GET-017 also FLA-SUB-018',
    cleaning({ grammar: /^[A-Z0-9]{2,3}\d{1,6}$/ }),
  ),
  sometimes(
    'number-without-digits',
    'Flight numbers may have no digits.',
    'FLA-GET-016 also FLA-SUB-018 FLA-GET-018',
    cleaning({ grammar: /^[A-Z0-9]{2,3}\d{0,4}$/ }),
  ),
  sometimes(
    'number-short-prefix',
    'The prefix may have one character.',
    'FLA-GET-018 also FLA-SUB-018',
    cleaning({ grammar: /^[A-Z0-9]{1,3}\d{1,4}$/ }),
  ),
  sometimes(
    'number-long-prefix',
    'The prefix may have four characters.',
    'FLA-GET-018 also FLA-GET-017 FLA-SUB-018',
    cleaning({ grammar: /^[A-Z0-9]{2,4}\d{1,4}$/ }),
  ),
  sometimes(
    'number-letters-only-prefix',
    'The prefix must be of letters.',
    'FLA-GET-020',
    cleaning({ grammar: /^[A-Z]{2,3}\d{1,4}$/ }),
  ),
  sometimes(
    'number-two-character-prefix',
    'The prefix must have two characters.',
    'FLA-GET-020',
    cleaning({ grammar: /^[A-Z0-9]{2}\d{1,4}$/ }),
  ),
  sometimes(
    'number-punctuation-removed',
    'All punctuation is removed.',
    'FLA-GET-019 also FLA-SUB-018 FLA-GET-042 FLA-SUB-045',
    cleaning({ removes: /[^A-Z0-9]/g }),
  ),
  sometimes('number-repeated', 'Of a repeated flightNumber the first counts.', 'FLA-GET-010', {
    enforcesFlight: lenient(['flightNumber.scalar']),
  }),
  sometimes('date-repeated', 'Of a repeated departureDate the first counts.', 'FLA-GET-010', {
    enforcesFlight: lenient(['date.scalar']),
  }),
  sometimes(
    'date-with-time',
    'A date may carry a time or timezone.',
    'FLA-GET-022 also FLA-SUB-019 FLA-GET-041 FLA-SUB-044',
    {
      enforcesFlight: lenient(['date.format', 'date.calendar'], ({ value }) =>
        /^\d{4}-\d{2}-\d{2}[TZ+ ]/.test(String(value)),
      ),
    },
  ),
  sometimes(
    'date-short-forms',
    'A date may have another form.',
    'FLA-GET-021 also FLA-SUB-019 FLA-GET-041 FLA-SUB-044',
    {
      enforcesFlight: lenient(
        ['date.format', 'date.calendar', 'date.past'],
        ({ value }) => !/^\d{4}-\d{2}-\d{2}/.test(String(value)) && String(value) !== '',
      ),
    },
  ),
  sometimes('date-trimmed', 'White space around a date is removed.', 'FLA-GET-041 also FLA-SUB-044', {
    enforcesFlight: lenient(['date.format', 'date.calendar', 'date.past'], ({ value }) =>
      /^\s|\s$/.test(String(value)),
    ),
  }),
  sometimes('date-line-end', 'A date may end with the end of a line.', 'FLA-GET-041 also FLA-SUB-044', {
    enforcesFlight: lenient(['date.format', 'date.calendar', 'date.past'], ({ value }) =>
      /\d\n$/.test(String(value)),
    ),
  }),
  sometimes('date-trimmed-subscribe', 'A subscribe removes white space around a date.', 'FLA-SUB-044', {
    enforcesFlight: lenient(
      ['date.format', 'date.calendar', 'date.past'],
      ({ value, operation }) => operation === 'subscribe' && /^\s|\s$/.test(String(value)),
    ),
  }),
  sometimes('date-unreal', 'A date need not exist.', 'FLA-GET-023 also FLA-SUB-033', {
    enforcesFlight: lenient(['date.calendar']),
  }),
  always('date-past', 'A date may lie in the past.', 'FLA-GET-024 also FLA-GET-026 FLA-SUB-034', {
    enforcesFlight: lenient(['date.past']),
  }),
  sometimes('date-yesterday', 'Yesterday counts as today.', 'FLA-GET-024 also FLA-GET-026 FLA-SUB-034', {
    today: (now) => dateOf(now - DAY),
  }),
  sometimes(
    'date-tomorrow',
    'Today counts as past.',
    'FLA-GET-025 also FLA-GET-001 FLA-GET-026 FLA-SUB-035',
    {
      today: (now) => dateOf(now + DAY),
    },
  ),
  sometimes(
    'date-of-a-zone-east',
    'Today is that of a timezone nine hours ahead.',
    'FLA-GET-026 also FLA-GET-001',
    {
      today: (now) => dateOf(now + 9 * 3_600_000),
    },
  ),
  sometimes('date-of-a-zone-west', 'Today is that of a timezone eight hours behind.', 'FLA-GET-026', {
    today: (now) => dateOf(now - 8 * 3_600_000),
  }),

  sometimes(
    'number-missing-404',
    'A lookup without flightNumber finds nothing.',
    'FLA-GET-008 also FLA-GET-010',
    {
      enforcesFlight: lenient(
        ['flightNumber.required', 'flightNumber.grammar'],
        ({ value, operation }) => operation === 'lookup' && (value === null || value === ''),
      ),
    },
  ),
  sometimes('date-missing-404', 'A lookup without departureDate finds nothing.', 'FLA-GET-009', {
    enforcesFlight: lenient(
      ['date.required', 'date.format', 'date.calendar', 'date.past'],
      ({ value, operation }) => operation === 'lookup' && (value === null || value === ''),
    ),
  }),
  sometimes('date-leap-century', 'Every fourth year is a leap year.', 'FLA-GET-023 FLA-SUB-033', {
    enforcesFlight: lenient(['date.calendar'], ({ value }) => /^\d\d00-02-29$/.test(String(value))),
  }),
  sometimes('date-leap-day', 'The 29th of February is no date.', 'FLA-GET-038', {
    enforcesFlight: (rule, place) => rule === 'date.leapDay' || lenient([])(rule, place),
  }),
  sometimes('subscribe-digit-prefix', 'A subscribe takes airline codes of letters alone.', 'FLA-SUB-017', {
    cleaning: (operation) =>
      operation === 'subscribe'
        ? { ...documentedCleaning, grammar: /^[A-Z]{2,3}\d{1,4}$/ }
        : documentedCleaning,
  }),
  sometimes(
    'number-letter-suffix',
    'A letter after the digits is taken.',
    'FLA-GET-039 also FLA-SUB-018',
    cleaning({ grammar: /^[A-Z0-9]{2,3}\d{1,4}[A-Z]?$/ }),
  ),
  sometimes(
    'number-other-digits',
    'Digits of any script are taken.',
    'FLA-GET-042 also FLA-SUB-045',
    cleaning({ grammar: /^[A-Z0-9]{2,3}\p{Nd}{1,4}$/u }),
  ),
  sometimes(
    'number-other-letters',
    'Letters of any script are taken.',
    'FLA-GET-042 also FLA-SUB-045',
    cleaning({ grammar: /^[\p{L}\d]{2,3}\d{1,4}$/u }),
  ),
  sometimes('subscribe-other-digits', 'A subscribe takes digits of any script.', 'FLA-SUB-045', {
    cleaning: (operation) =>
      operation === 'subscribe'
        ? { ...documentedCleaning, grammar: /^[A-Z0-9]{2,3}\p{Nd}{1,4}$/u }
        : documentedCleaning,
  }),
];
