import * as fc from 'fast-check';
import type { ExpectedRefusal } from '../kit/corruption.ts';
import { dateTimeForm, preferredForm, renderDateTime } from './dateTimeForms.ts';
import { impossibleDatesAfter, oneDigitDateAfter, renderShortDate } from '../kit/impossibleDates.ts';
import { digits, renderDate, type LocalDateTime } from '../kit/localTime.ts';

/** A family of texts just outside the format of a flight clock, made from a wall clock that would be valid. */
export interface DateTimeViolation {
  readonly rule: string;
  readonly name: string;
  readonly refusal: ExpectedRefusal;
  /** A lenient reader takes it for a later date, which only the last leg of a trip can have. */
  readonly later: boolean;
  readonly text: fc.Arbitrary<(local: LocalDateTime) => string>;
}

type Render = (local: LocalDateTime) => string;

const clock = (local: LocalDateTime) =>
  `${digits(local.hour, 2)}:${digits(local.minute, 2)}:${digits(local.second, 2)}`;
const withClock = (date: string, local: LocalDateTime) => `${date}T${clock(local)}`;
const withTime = (time: string) => (local: LocalDateTime) => `${renderDate(local)}T${time}`;
const suffix = fc.constantFrom('', 'Z', '+04:00');

const longFraction = fc
  .tuple(fc.string({ unit: fc.constantFrom(...'0123456789'.split('')), minLength: 4, maxLength: 9 }), suffix)
  .map(
    ([fraction, end]) =>
      (local: LocalDateTime) =>
        `${withClock(renderDate(local), local)}.${fraction}${end}`,
  );

const bareDot = suffix.map(
  (end) => (local: LocalDateTime) => `${withClock(renderDate(local), local)}.${end}`,
);

const nonexistentDay = fc
  .tuple(fc.nat({ max: 3 }), dateTimeForm)
  .map(([index, form]) => (local: LocalDateTime) => {
    const dates = impossibleDatesAfter(local, 4);
    return renderDateTime({ ...local, ...dates[index % dates.length] }, form);
  });

/** Read as the last day of the month before, it is a date that is yet to come. */
const dayZero = dateTimeForm.map((form) => (local: LocalDateTime) => {
  const [year, month] = local.month < 11 ? [local.year, local.month + 2] : [local.year + 1, local.month - 10];
  return renderDateTime({ ...local, year, month, day: 0 }, form);
});

/** Read as the December before, it is not over yet. */
const monthZero = dateTimeForm.map(
  (form) => (local: LocalDateTime) => renderDateTime({ ...local, year: local.year + 1, month: 0 }, form),
);

/** Texts that are violations under every reading; corners of the format are in `dateTimeCorners`. */
export const dateTimeViolations: readonly DateTimeViolation[] = [
  family('WCI-DT-005', 'fraction-too-long', longFraction),
  family('WCI-DT-005', 'fraction-bare-dot', bareDot),
  family('WCI-DT-015', 'date-only', fixed(renderDate)),
  family('WCI-DT-016', 'day-first', fixed(dayFirst), 'validation'),
  // What parsers of many languages take for a date as well.
  family(
    'WCI-DT-016',
    'slashes',
    fixed((local) => withClock(renderDate(local).replaceAll('-', '/'), local)),
    'validation',
  ),
  family('WCI-DT-016', 'epoch-digits', fixed(epochSeconds, epochMilliseconds), 'validation'),
  family(
    'WCI-DT-016',
    'free-text',
    fixed(
      () => 'tomorrow',
      () => 'not a date',
    ),
    'validation',
  ),
  family(
    'WCI-DT-016',
    'empty',
    fixed(() => ''),
    'validation',
  ),
  family(
    'WCI-DT-016',
    'other-separator',
    fixed((local) => `${renderDate(local)}_${clock(local)}`),
    'validation',
  ),
  family(
    'WCI-DT-016',
    'zone-name',
    fixed((local) => `${withClock(renderDate(local), local)} GMT`),
    'validation',
  ),
  later('WCI-DT-017', 'one-digit-month', fixed(oneDigitMonth)),
  later('WCI-DT-017', 'one-digit-day', fixed(oneDigitDay)),
  family('WCI-DT-017', 'one-digit-hour', fixed(withTime('9:05'), withTime('9:05:00'))),
  family('WCI-DT-017', 'one-digit-minute', fixed(withTime('10:5'), withTime('10:5:00'))),
  later('WCI-DT-018', 'nonexistent-day', nonexistentDay),
  family('WCI-DT-018', 'month-13', calendar({ month: 13 })),
  later('WCI-DT-018', 'day-00', dayZero),
  later('WCI-DT-018', 'month-00', monthZero),
  family('WCI-DT-020', 'hour-25', calendar({ hour: 25, minute: 0 })),
  family('WCI-DT-020', 'minute-60', calendar({ minute: 60 })),
  family(
    'WCI-DT-020',
    'second-61',
    fixed((local) => renderDateTime({ ...local, second: 61 }, preferredForm)),
  ),
];

/** The three kinds that the catalogue names for an arrival clock. */
export const arrivalViolations: readonly DateTimeViolation[] = [
  family('WCI-DT-023', 'arrival-fraction-too-long', longFraction),
  family('WCI-DT-023', 'arrival-date-only', fixed(renderDate)),
  family(
    'WCI-DT-023',
    'arrival-free-text',
    fixed(() => 'tomorrow'),
  ),
];

function family(
  rule: string,
  name: string,
  text: fc.Arbitrary<Render>,
  refusal: ExpectedRefusal = 'any',
): DateTimeViolation {
  return { rule, name, refusal, later: false, text };
}

function later(rule: string, name: string, text: fc.Arbitrary<Render>): DateTimeViolation {
  return { ...family(rule, name, text), later: true };
}

function fixed(...renders: readonly Render[]): fc.Arbitrary<Render> {
  return fc.constantFrom(...renders);
}

function calendar(part: Partial<LocalDateTime>): fc.Arbitrary<Render> {
  return dateTimeForm.map((form) => (local: LocalDateTime) => renderDateTime({ ...local, ...part }, form));
}

function dayFirst({ year, month, day, hour, minute }: LocalDateTime): string {
  return `${digits(day, 2)}/${digits(month, 2)}/${year} ${digits(hour, 2)}:${digits(minute, 2)}`;
}

function epochSeconds(local: LocalDateTime): string {
  return String(Date.parse(`${withClock(renderDate(local), local)}Z`) / 1000);
}

function epochMilliseconds(local: LocalDateTime): string {
  return `${epochSeconds(local)}000`;
}

function oneDigitMonth(local: LocalDateTime): string {
  const { year, month, day } = oneDigitDateAfter(local);
  return withClock(`${year}-${month}-${digits(day, 2)}`, local);
}

function oneDigitDay(local: LocalDateTime): string {
  const { year, month, day } = oneDigitDateAfter(local);
  return withClock(renderShortDate({ year, month, day }).replace(/-(\d)-/, '-0$1-'), local);
}
