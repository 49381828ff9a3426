import { otherDigits } from '../kit/characters.ts';
import {
  impossibleDatesAfter,
  isCalendarDay,
  oneDigitDateAfter,
  parseDate,
  renderShortDate,
} from '../kit/impossibleDates.ts';
import { dayMs, minuteMs, renderDate, utcDate } from '../kit/localTime.ts';
import { type Make, mapped, oneOf, rewriteBy, setTo } from '../kit/mutation.ts';
import { dated, doubtful, fault, free, isText, texts, type Asked, type Form } from './form.ts';

type Render = (valid: string) => string;

const yearOf = (valid: string) => valid.slice(0, 4);

export const day = /^\d{4}-\d{2}-\d{2}$/;

/** Texts that are no date, by the rows of the lookup and in the order in which they are read. */
const families: readonly (readonly [
  row: string,
  name: string,
  pattern: RegExp,
  ...made: readonly Render[],
])[] = [
  [
    'FLA-GET-022',
    'with-time',
    /^\d{4}-\d\d-\d\d[T ]/,
    (valid) => `${valid}T00:00:00`,
    (valid) => `${valid} 00:00`,
  ],
  ['FLA-GET-022', 'with-zone', /^\d{4}-\d\d-\d\d\D/, (valid) => `${valid}Z`, (valid) => `${valid}+00:00`],
  ['FLA-GET-023', 'month-13', /^\d{4}-(?:1[3-9]|[2-9]\d)-\d\d$/, (valid) => `${yearOf(valid)}-13-01`],
  // No leap years, although four divides them.
  ['FLA-GET-023', 'leap-day-of-a-century', /^\d\d00-02-29$/, () => '2100-02-29', () => '2200-02-29'],
  ['FLA-GET-023', 'month-00', /^\d{4}-00-\d\d$/, (valid) => `${Number(yearOf(valid)) + 1}-00-10`],
];

const shapes: typeof families = [
  ['FLA-GET-021', 'wide-digits', /[\uff10-\uff19]/, otherDigits.wide],
  ['FLA-GET-021', 'other-digits', /(?![0-9])\p{Nd}/u, otherDigits.arabic],
  [
    'FLA-GET-021',
    'one-digit',
    /^\d{4}-\d{1,2}-\d{1,2}$/,
    (valid) => renderShortDate(oneDigitDateAfter(parseDate(valid))),
  ],
  ['FLA-GET-021', 'compact', /^\d{8}$/, (valid) => valid.replaceAll('-', '')],
  ['FLA-GET-021', 'two-digit-year', /^\d\d-\d\d-\d\d$/, (valid) => valid.slice(2)],
  ['FLA-GET-021', 'slashes', /^\d{4}\//, (valid) => valid.replaceAll('-', '/')],
  ['FLA-GET-021', 'day-first', /\d{4}$/, (valid) => valid.split('-').toReversed().join('/')],
  // And any other text.
  ['FLA-GET-021', 'without-day', /^/, (valid) => valid.slice(0, 7)],
];

/** The forms of a departure date, by the rows of the lookup; past dates are made from `now`, which should be the target's own clock. */
export function departureDateForms(now: number, rowOf: (lookupRow: string) => string): readonly Form[] {
  const of = (form: typeof fault, row: string, name: string, fits: Form['fits'], text: Make<Render>) =>
    form(rowOf(row), `date-${name}`, fits, rewriteBy('departureDate', text));
  const refused = ([row, name, pattern, ...made]: (typeof families)[number]) =>
    of(fault, row, name, noDay(pattern), oneOf(...made));
  const isLeapDay = texts((text) => isCalendarDay(text) && text.endsWith('-02-29'));
  return [
    // The end of a line satisfies the $ of some regular expressions.
    of(
      doubtful,
      'FLA-GET-041',
      'with-line-end',
      texts((text) => hasSpace(text) && text.endsWith('\n')),
      oneOf<Render>((valid) => `${valid}\n`),
    ),
    of(
      doubtful,
      'FLA-GET-041',
      'with-white-space',
      texts(hasSpace),
      oneOf<Render>(
        (valid) => ` ${valid}`,
        (valid) => `${valid} `,
      ),
    ),
    ...families.map(refused),
    of(fault, 'FLA-GET-023', 'nonexistent-day', noDay(day), nonexistentDay),
    dated(of(fault, 'FLA-GET-024', 'past', isPast, past(now))),
    free(rowOf('FLA-GET-038'), 'date-on-a-leap-day', isLeapDay, setTo('departureDate', '2096-02-29')),
    ...shapes.map(refused),
  ];
}

function hasSpace(text: string): boolean {
  return text !== text.trim() && isCalendarDay(text.trim());
}

/** Fits a text that, but for white space around it, is no date and like this. */
function noDay(pattern: RegExp): Form['fits'] {
  return texts((text) => !isCalendarDay(text.trim()) && pattern.test(text.trim()));
}

const nonexistentDay = mapped(
  (fc) => fc.nat({ max: 30 }),
  (index) => (valid: string) => {
    const dates = impossibleDatesAfter(parseDate(valid), 13);
    return renderDate(dates[index % dates.length] ?? parseDate(valid));
  },
);

function isPast(value: unknown, { now }: Asked): boolean {
  return (
    now !== undefined &&
    isText(value) &&
    isCalendarDay(value.trim()) &&
    value.trim() <= utcDate(now, -daysPast(now))
  );
}

/** Near midnight the target may still be on the day before. */
function daysPast(now: number): number {
  const sinceMidnight = now % dayMs;
  return Math.min(sinceMidnight, dayMs - sinceMidnight) < 10 * minuteMs ? 2 : 1;
}

function past(now: number): Make<Render> {
  return mapped(
    (fc) => fc.integer({ min: daysPast(now), max: 400 }),
    (days) => () => utcDate(now, -days),
  );
}
