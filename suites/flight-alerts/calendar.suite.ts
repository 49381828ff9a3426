import { type LegChanges, type Route, dayMs, suite, table, utcDate } from '../checks.ts';
import { leapYearAfter } from '../support/clocks.ts';
import { lookUp, put } from '../support/flights.ts';

const route: Route = ['DOH', 'SIN'];

/** Days over which programs stumble that know no turn of the year, no leap year or no change of the clocks. */
const days: readonly {
  readonly rule: string;
  readonly name: string;
  readonly of: (now: number) => string;
  /** The time of a departure that is in the hour that is left out then, somewhere else. */
  readonly skipped?: string;
}[] = [
  { name: 'the last day of a year', of: (now: number) => `${yearFor(now, '-12-31')}-12-31` },
  { name: 'the day before it', of: (now: number) => `${yearFor(now, '-12-30')}-12-30` },
  { name: 'the first day of a year', of: (now: number) => `${yearFor(now, '-01-01')}-01-01` },
  { name: 'the last day of February', of: (now: number) => `${yearFor(now, '-02-28')}-02-28` },
  { name: 'a leap day', of: (now: number) => `${leapYearAfter(now)}-02-29` },
  {
    name: 'a change of the clocks in spring',
    of: (now: number) => lastSunday(yearFor(now, '-03-25'), '03-31'),
    skipped: '02:30:00',
  },
  {
    name: 'a change of the clocks in America in spring',
    of: (now: number) => lastSunday(yearFor(now, '-03-08'), '03-14'),
    skipped: '02:30:00',
  },
  {
    name: 'a change of the clocks in autumn',
    of: (now: number) => lastSunday(yearFor(now, '-10-25'), '10-31'),
  },
].map((row) => ({ rule: 'FLA-GET-001', ...row }));

export default suite('GET /extPartner/api/flight-alerts: the calendar', [
  table({
    id: 'fla.lookup.calendar',
    title: 'a flight is found on every day of the calendar, and its times are not converted',
    verifies: ['FLA-GET-001', 'FLA-SNP-017'],
    needs: ['state:flights.put'],
    rows: days,
    run: (t, rows) =>
      t.each(rows, async ({ of, skipped }) => {
        const departureDate = of(t.now());
        const changes = skipped === undefined ? {} : departingAt(departureDate, skipped);
        await lookUp(t, await put(t, [{ route, changes }], { departureDate }));
      }),
  }),
]);

function departingAt(date: string, time: string): LegChanges {
  const departure = { scheduledTime: `${date} ${time}`, estimatedTime: `${date} 02:59:30` };
  return { departure, arrival: { scheduledTime: `${date} 06:30:00`, estimatedTime: `${date} 06:45:00` } };
}

/** The year in which that day comes next, two days ahead at least. */
function yearFor(now: number, day: string): number {
  const year = Number(utcDate(now).slice(0, 4));
  return `${year}${day}` > utcDate(now, 2) ? year : year + 1;
}

function lastSunday(year: number, lastDay: string): string {
  const last = Date.parse(`${year}-${lastDay}`);
  return utcDate(last - new Date(last).getUTCDay() * dayMs);
}
