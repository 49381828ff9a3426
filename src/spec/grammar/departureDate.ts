import {
  impossibleDatesAfter,
  isCalendarDay,
  oneDigitDateAfter,
  parseDate,
  renderShortDate,
} from '../kit/impossibleDates.ts';
import { dayMs, minuteMs, renderDate, utcDate } from '../kit/localTime.ts';
import { always, type Make, mapped, oneOf, rewriteBy } from '../kit/mutation.ts';
import { dated, doubtful, fault, free, isText, texts, type Asked, type Form } from './form.ts';

/** The forms of a departure date, by the rows of the lookup; past dates are made from `now`, which should be the target's own clock. */
export function departureDateForms(now: number, rowOf: (lookupRow: string) => string): readonly Form[] {
  const family = (row: string, name: string, pattern: RegExp, ...renders: readonly Render[]) =>
    of(fault, row, name, like(pattern), oneOf(...renders));
  const of = (form: typeof fault, row: string, name: string, fits: Form['fits'], text: Make<Render>) =>
    form(rowOf(row), name, fits, rewriteBy('departureDate', text));
  return [
    of(
      doubtful,
      'FLA-GET-041',
      'date-with-white-space',
      texts((text) => text !== text.trim() && isCalendarDay(text.trim())),
      oneOf<Render>(
        (valid) => ` ${valid}`,
        (valid) => `${valid} `,
        // The end of a line also satisfies the $ of some regular expressions.
        (valid) => `${valid}\n`,
      ),
    ),
    family(
      'FLA-GET-022',
      'date-with-time',
      /^\d{4}-\d\d-\d\d[T ]/,
      (valid) => `${valid}T00:00:00`,
      (valid) => `${valid} 00:00`,
    ),
    family(
      'FLA-GET-022',
      'date-with-zone',
      /^\d{4}-\d\d-\d\d\D/,
      (valid) => `${valid}Z`,
      (valid) => `${valid}+00:00`,
    ),
    family(
      'FLA-GET-023',
      'date-month-13',
      /^\d{4}-(?:1[3-9]|[2-9]\d)-\d\d$/,
      (valid) => `${valid.slice(0, 4)}-13-01`,
    ),
    family(
      'FLA-GET-023',
      'date-month-00',
      /^\d{4}-00-\d\d$/,
      (valid) => `${Number(valid.slice(0, 4)) + 1}-00-10`,
    ),
    of(
      fault,
      'FLA-GET-023',
      'date-nonexistent-day',
      texts((text) => isDate(text.trim()) && !isCalendarDay(text.trim())),
      nonexistentDay,
    ),
    dated(of(fault, 'FLA-GET-024', 'date-past', isPast, past(now))),
    of(
      free,
      'FLA-GET-038',
      'date-on-a-leap-day',
      texts((text) => isCalendarDay(text) && text.endsWith('-02-29')),
      always<Render>(() => '2096-02-29'),
    ),
    family('FLA-GET-021', 'date-one-digit', /^\d{4}-\d{1,2}-\d{1,2}$/, (valid) =>
      renderShortDate(oneDigitDateAfter(parseDate(valid))),
    ),
    family('FLA-GET-021', 'date-compact', /^\d{8}$/, (valid) => valid.replaceAll('-', '')),
    family('FLA-GET-021', 'date-two-digit-year', /^\d\d-\d\d-\d\d$/, (valid) => valid.slice(2)),
    family('FLA-GET-021', 'date-slashes', /^\d{4}\//, (valid) => valid.replaceAll('-', '/')),
    family('FLA-GET-021', 'date-day-first', /\d{4}$/, (valid) => valid.split('-').toReversed().join('/')),
    // And any other text.
    family('FLA-GET-021', 'date-without-day', /^/, (valid) => valid.slice(0, 7)),
  ];
}

type Render = (valid: string) => string;

const isDate = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text);

/** Fits a text that, but for white space around it, is no date and like this. */
function like(pattern: RegExp): Form['fits'] {
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
