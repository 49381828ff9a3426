import { dayMs, digits, isAccepted, subscribe, suite, table } from '../checks.ts';
import { inFlights, withFreshPnr } from '../support/checkin.ts';

/** First and last things of a year: month, day, hour, minute and second at their bounds. */
const edges = [
  { rule: 'WCI-DT-001', name: 'the first second of a year', month: 1, day: 1, clock: '00:00:00' },
  { rule: 'WCI-DT-001', name: 'the last second of a year', month: 12, day: 31, clock: '23:59:59' },
] as const;

export default suite('Wall clocks of flights: the bounds of the calendar', [
  table({
    id: 'wci.datetime.bounds',
    title: 'the first and the last second of a year are clocks like any other',
    verifies: ['WCI-DT-001'],
    uses: ['complete-record'],
    needs: ['writes', 'quota'],
    rows: edges,
    run: async (t, rows) => {
      const body = await t.fixtures.booking();
      const sendOn = (departure: string) =>
        t.send(
          subscribe(
            inFlights(withFreshPnr(t, body), (flight) => ({
              ...flight,
              departure_datetime: departure,
              arrival_datetime: null,
            })),
          ),
        );
      await t.each(rows, async ({ month, day, clock }) => {
        const year = nextYearOf(month, day, t.now());
        const exchange = await sendOn(`${year}-${digits(month, 2)}-${digits(day, 2)}T${clock}`);
        if (isAccepted(exchange)) return;
        // It may be too far ahead to be booked, as a month later is then.
        const later = new Date(Date.UTC(year, month - 1, day + 35));
        await sendOn(`${later.toISOString().slice(0, 10)}T10:30:00`);
      });
    },
  }),
]);

/** The year in which that day comes next, two days ahead at least. */
function nextYearOf(month: number, day: number, now: number): number {
  const year = new Date(now).getUTCFullYear();
  return Date.UTC(year, month - 1, day) > now + 2 * dayMs ? year : year + 1;
}
