import {
  type CheckContext,
  type Itinerary,
  type JsonObject,
  dayMs,
  fc,
  fixed,
  generate,
  isAccepted,
  notApplicable,
  objectsAt,
  property,
  refused,
  sparing,
  subscribe,
  suite,
  table,
  textAt,
  without,
} from '../checks.ts';
import { firstPassenger, inFlights, twoLegRecord, withFreshPnr } from '../support/checkin.ts';
import { clockForms, clockPairs, withClocks } from '../support/clockForms.ts';
import { bookingAhead, spelledLike } from '../support/departures.ts';
import { judgeLacking } from '../support/passengerUpdates.ts';

const arrivalSuffixes = ['-12:00', '+14:00'].map((suffix) => ({ rule: 'WCI-DT-024', name: suffix }));
/** Converted, the clock of a later leg would lie before the first leg, wherever it departs. */
const farOffset = { rule: 'WCI-DT-007', name: 'an offset +14:00', form: { suffix: '+14:00' } };
const noArrivals = ['absent', 'null'].map((arrival) => ({
  rule: 'WCI-SUB-036',
  name: `arrival ${arrival}`,
  arrival,
}));

export default suite('Wall clocks of flights', [
  property({
    id: 'wci.datetime.forms',
    title: 'every tolerated form of a clock is accepted, and its suffix changes nothing',
    verifies: [
      ...new Set(clockForms.map(({ rule }) => rule)),
      ...['WCI-DT-010', 'WCI-DT-022', 'WCI-SUB-036'],
    ],
    uses: ['complete-record'],
    tags: ['smoke'],
    needs: ['writes'],
    rows: { forms: clockForms, combinations: clockPairs, noArrivals },
    run: async (t, rows) => {
      // A repeat is refused or taken by its form alone, and costs nothing.
      const { body: booking } = await t.fixtures.completeRecord();
      const send = async (body: JsonObject): Promise<void> => {
        await t.send(subscribe(body));
      };
      await t.each(rows.forms, ({ form }) => send(withClocks(booking, form)));
      await t.each(rows.combinations, ({ form }) => send(withClocks(booking, form)));
      await t.each(rows.noArrivals, ({ arrival }) =>
        send(inFlights(booking, (flight) => withArrival(flight, arrival))),
      );
      const combined = { separator: ' ', time: 'minutes', suffix: '-0330', spacesBefore: 1 } as const;
      await send(withClocks(booking, combined));
      await send(withClocks(booking, {}, combined));
      const anyForm = fc.record(
        { of: fc.constantFrom('departure', 'arrival'), form: generate.dateTimeForm },
        { noNullPrototype: true },
      );
      await t.forAll('a clock in any tolerated form', anyForm, ({ of, form }) =>
        send(of === 'departure' ? withClocks(booking, form) : withClocks(booking, {}, form)),
      );
    },
  }),

  table({
    id: 'wci.datetime.later-leg',
    title: 'the clocks of a second leg are accepted in every tolerated form, and its arrival may be left out',
    verifies: [...new Set(clockForms.map(({ rule }) => rule)), 'WCI-SUB-036'],
    uses: ['two-leg-record'],
    needs: ['writes'],
    rows: { forms: [...clockForms, farOffset], noArrivals },
    run: async (t, rows) => {
      // A repeat is refused or taken by its form alone, and costs nothing.
      const { body } = await twoLegRecord(t);
      const sendLater = async (change: (leg: JsonObject) => JsonObject) => {
        await t.send(subscribe(inFlights(body, (leg, index) => (index === 0 ? leg : change(leg)))));
      };
      await t.each(rows.forms, ({ form }) =>
        sendLater((leg) => objectsAt(withClocks({ flights: [leg] }, form), 'flights')[0] ?? leg),
      );
      await t.each(rows.noArrivals, ({ arrival }) => sendLater((leg) => withArrival(leg, arrival)));
    },
  }),

  table({
    id: 'wci.datetime.arrival-suffix',
    title: 'the suffix of an arrival is not converted when the next leg is compared with it',
    verifies: ['WCI-DT-024'],
    uses: ['two-leg-record'],
    needs: ['writes', 'quota'],
    rows: arrivalSuffixes,
    run: async (t, rows) => {
      const record = await twoLegRecord(t);
      // Converted, the first arrival would lie behind the second departure, or before the first.
      await t.each(rows, async ({ name: suffix }) => {
        await t.send(
          subscribe(
            inFlights(record.body, (flight) => ({
              ...flight,
              arrival_datetime: `${textAt(flight, 'arrival_datetime')}${suffix}`,
            })),
          ),
        );
      });
    },
  }),

  sparing({
    id: 'wci.datetime.date-line',
    title: 'clocks that run backwards over time zones are accepted, and a first leg abroad needs passports',
    verifies: ['WCI-DT-025', 'WCI-JRN-011', 'WCI-RDY-001'],
    uses: ['date-line-record'],
    run: async (t) => {
      const record = await t.fixtures.itineraryRecord('dateLine').catch(() => null);
      if (!record) return sendDateLineApart(t);
      // Its last leg is a domestic one.
      if (!t.isSparing)
        await judgeLacking(t, record, {
          rule: 'WCI-RDY-001',
          passengers: [without(firstPassenger(record.body), 'passport')],
        });
    },
  }),

  fixed({
    id: 'wci.datetime.leap-day',
    title: '29 February of a leap year is accepted',
    verifies: ['WCI-DT-019'],
    uses: ['complete-record'],
    run: async (t) => {
      const leapDay = nextLeapDay(t.now());
      if (leapDay - t.now() < 2 * dayMs) return t.skip('29 February is too near');
      const body = await t.fixtures.booking();
      const sendOn = (day: number) =>
        t.send(
          subscribe(
            inFlights(withFreshPnr(t, body), (flight) => ({
              ...flight,
              departure_datetime: `${new Date(day).toISOString().slice(0, 10)}T10:30:00`,
              arrival_datetime: null,
            })),
          ),
        );
      const exchange = await sendOn(leapDay);
      if (isAccepted(exchange)) return;
      // It may be too far ahead to be booked, as the day after it is then.
      const answers = [exchange, await sendOn(leapDay + dayMs)];
      if (answers.every((one) => refused(one).status === 'holds'))
        t.judge(answers, { 'WCI-DT-019': notApplicable });
    },
  }),
]);

function withArrival({ arrival_datetime, ...flight }: JsonObject, arrival: string): JsonObject {
  return arrival === 'null' && arrival_datetime !== undefined
    ? { ...flight, arrival_datetime: null }
    : flight;
}

function nextLeapDay(now: number): number {
  let year = new Date(now).getUTCFullYear();
  for (;;) {
    const day = Date.UTC(year, 1, 29, 12);
    if (new Date(day).getUTCMonth() === 1 && day > now) return day;
    year += 1;
  }
}

/** A refusal may be for airline or route: the legs by themselves, and without arrivals, tell. */
async function sendDateLineApart(t: CheckContext): Promise<void> {
  if (!t.fixtures.mayTryAnother()) t.skip('the budget leaves no room to search for more than was refused');
  const [itinerary] = generate.itinerariesToTry('dateLine', null);
  if (!itinerary) return;
  const spelled = spelledLike(await t.fixtures.itinerary('international'), itinerary);
  const send = (legs: Itinerary['legs'], change: (flight: JsonObject) => JsonObject) =>
    t.send(subscribe(inFlights(bookingAhead(t, { ...spelled, legs }, 12 * dayMs), change)));
  const withoutArrival = (flight: JsonObject) => ({ ...flight, arrival_datetime: null });
  const [first, second] = spelled.legs;
  if (!first || !second) return;
  const plain = await send([first], withoutArrival);
  const onward = await send([second], withoutArrival);
  if (!isAccepted(plain) || !isAccepted(onward)) {
    t.skip('no itinerary over the date line was accepted, which may be for its airline');
  }
  await send([first], (flight) => flight);
  await send(spelled.legs, withoutArrival);
}
