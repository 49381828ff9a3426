import * as fc from 'fast-check';
import { impossibleDatesAfter, oneDigitDateAfter, parseDate, renderShortDate } from './impossibleDates.ts';
import { dayMs, minuteMs, renderDate, utcDate } from './localTime.ts';

/** A family of texts that are no departure date under any reading, with the lookup's rule. */
interface DepartureDateViolation {
  readonly lookupRule: string;
  readonly name: string;
  /** Made from a valid date. */
  readonly text: fc.Arbitrary<(valid: string) => string>;
}

/** Every family; past dates are counted from `now`, which should be the target's own clock. */
export function departureDateViolations(now: number): readonly DepartureDateViolation[] {
  return [
    family('FLA-GET-021', 'date-one-digit', (valid) => renderShortDate(oneDigitDateAfter(parseDate(valid)))),
    family('FLA-GET-021', 'date-compact', (valid) => valid.replaceAll('-', '')),
    family('FLA-GET-021', 'date-two-digit-year', (valid) => valid.slice(2)),
    family('FLA-GET-021', 'date-day-first', (valid) => valid.split('-').toReversed().join('/')),
    family('FLA-GET-021', 'date-slashes', (valid) => valid.replaceAll('-', '/')),
    family('FLA-GET-021', 'date-without-day', (valid) => valid.slice(0, 7)),
    family(
      'FLA-GET-022',
      'date-with-time',
      (valid) => `${valid}T00:00:00`,
      (valid) => `${valid} 00:00`,
    ),
    family(
      'FLA-GET-022',
      'date-with-zone',
      (valid) => `${valid}Z`,
      (valid) => `${valid}+00:00`,
    ),
    family(
      'FLA-GET-041',
      'date-with-white-space',
      (valid) => ` ${valid}`,
      (valid) => `${valid} `,
      // The end of a line also satisfies the $ of some regular expressions.
      (valid) => `${valid}\n`,
    ),
    { lookupRule: 'FLA-GET-023', name: 'date-nonexistent-day', text: nonexistentDay },
    family('FLA-GET-023', 'date-month-13', (valid) => `${valid.slice(0, 4)}-13-01`),
    family('FLA-GET-023', 'date-month-00', (valid) => `${Number(valid.slice(0, 4)) + 1}-00-10`),
    { lookupRule: 'FLA-GET-024', name: 'date-past', text: past(now) },
  ];
}

const nonexistentDay = fc.nat({ max: 30 }).map((index) => (valid: string) => {
  const dates = impossibleDatesAfter(parseDate(valid), 13);
  return renderDate(dates[index % dates.length] ?? parseDate(valid));
});

// Near midnight the target may still be on the day before.
function past(now: number): fc.Arbitrary<() => string> {
  const sinceMidnight = now % dayMs;
  const nearMidnight = Math.min(sinceMidnight, dayMs - sinceMidnight) < 10 * minuteMs;
  return fc.integer({ min: nearMidnight ? 2 : 1, max: 400 }).map((days) => () => utcDate(now, -days));
}

function family(
  lookupRule: string,
  name: string,
  ...renders: readonly ((valid: string) => string)[]
): DepartureDateViolation {
  return { lookupRule, name, text: fc.constantFrom(...renders) };
}
