import {
  type JsonObject,
  fixed,
  generate,
  isAccepted,
  objectsAt,
  responseOf,
  rulesOf,
  subscribe,
  suite,
  table,
  textAt,
} from '../checks.ts';
import { corrupt, inFlights, twoLegRecord, withFreshPnr, withThirdLeg } from '../support/checkin.ts';

// The other spellings of these faults are sent with the corrupted bookings.
const refusedRows = generate.clockCorruptions.filter(({ name }) => !/^(one-digit-(day|minute))$/.test(name));
const corners = generate.dateTimeCorners.filter(({ name }) =>
  ['hour-24', 'second-60', 'fraction-without-seconds', 'space-before-suffix'].includes(name),
);
const cornersNamed = (...names: readonly string[]) =>
  generate.dateTimeCorners.filter(({ name }) => names.includes(name));
const spaced = cornersNamed('tabs-around', 'newline-after');
const outside = cornersNamed('lower-case-t', 'lower-case-z', 'offset-hours-only');
/** Digits of what clocks show beyond milliseconds. */
const longFractions = ['2500', '250000', '250000000'].map((digits) => ({
  name: `a fraction of ${digits.length} digits`,
  digits,
}));
const laterLegNames = ['fraction-too-long', 'free-text', 'nonexistent-day'];
/** Faults of several rules on the first leg, and of one on the second. */
const laterLegRows = refusedRows
  .filter(({ name }) => laterLegNames.includes(name))
  .map((row) => ({ ...row, rule: 'WCI-DT-032' }));

export default suite('Wall clocks of flights: refusals', [
  table({
    id: 'wci.datetime.refused',
    title: 'a clock outside the tolerated forms is refused',
    verifies: [...rulesOf(generate.clockCorruptions), 'WCI-DT-031'],
    uses: ['complete-record'],
    needs: ['writes', 'quota'],
    rows: refusedRows,
    run: async (t, rows) => {
      const body = await t.fixtures.booking();
      await t.each(rows, async (row) => {
        await t.send(subscribe(corrupt(t, row, withFreshPnr(t, body))));
      });
      await t.each(
        // The table has a long fraction of its own.
        t.isSparing ? [] : longFractions,
        async ({ digits }) => {
          await t.send(
            subscribe(
              inFlights(withFreshPnr(t, body), (flight) => ({
                ...flight,
                departure_datetime: `${textAt(flight, 'departure_datetime')}.${digits}`,
              })),
            ),
          );
        },
      );
      await t.each(['arrival on a day that does not exist'], async () => {
        await t.send(subscribe(inFlights(withFreshPnr(t, body), onImpossibleArrival)));
      });
    },
  }),

  table({
    id: 'wci.datetime.refused-later-leg',
    title: 'the clock of a later leg keeps to the same rules',
    verifies: ['WCI-DT-032', 'WCI-DT-021'],
    uses: ['two-leg-record'],
    needs: ['writes', 'quota'],
    rows: laterLegRows,
    run: async (t, rows) => {
      const record = await twoLegRecord(t);
      const [first = {}, ...later] = objectsAt(record.body, 'flights');
      const send = (flights: readonly JsonObject[]) =>
        t.send(subscribe({ ...withFreshPnr(t, record.body), flights }));
      await t.each(rows, async (row) => {
        await send([first, ...objectsAt(corrupt(t, row, { flights: later }), 'flights')]);
      });
      await t.each(t.isSparing ? [] : ['free text on the third leg'], async () => {
        await send(withThirdLeg(record.body, (leg) => ({ ...leg, departure_datetime: 'tomorrow' })));
      });
      await t.each(['a stop whose airport has no timezone'], async () => {
        const onward = later.map((flight) => ({ ...flight, origin: 'QQQ' }));
        await send([{ ...first, destination: 'QQQ' }, ...onward]);
      });
    },
  }),

  fixed({
    id: 'wci.datetime.corners',
    title: 'corner forms of a clock',
    verifies: ['WCI-DT-033', 'WCI-DT-034', 'WCI-OPN-036'],
    uses: ['complete-record'],
    needs: ['writes', 'quota'],
    run: async (t) => {
      // In the arrival, which is less likely to make it another booking.
      const { body } = await t.fixtures.completeRecord();
      const send = ({ text }: (typeof corners)[number], booking = body) =>
        t.send(
          subscribe(
            inFlights(booking, (flight) => ({
              ...flight,
              arrival_datetime: text(generate.parseLocal(textAt(flight, 'arrival_datetime'))),
            })),
          ),
        );
      await t.each(spaced, async (corner) => {
        await send(corner);
      });
      // What is known already need not be looked at.
      await t.each(outside, async (corner) => {
        await send(corner, withFreshPnr(t, body));
      });
      const taken: boolean[] = [];
      for (const corner of corners) {
        const exchange = await send(corner);
        if ([200, 400, 422].includes(responseOf(exchange)?.status ?? 0)) taken.push(isAccepted(exchange));
      }
      t.assume(taken.length > 0, 'no answer was conclusive');
      t.observe(
        'WCI-OPN-036',
        taken.every(Boolean) ? 'accepted' : taken.some(Boolean) ? 'by-form' : 'refused',
      );
    },
  }),
]);

function onImpossibleArrival(flight: JsonObject): JsonObject {
  const local = generate.parseLocal(textAt(flight, 'departure_datetime'));
  const [date = local] = generate.impossibleDatesAfter(local, 4);
  return {
    ...flight,
    arrival_datetime: generate.renderDateTime({ ...local, ...date }, generate.preferredForm),
  };
}
