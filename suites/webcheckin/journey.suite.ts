import {
  type CheckContext,
  type JsonObject,
  accepted,
  answered,
  fixed,
  generate,
  hourMs,
  invalid,
  isAccepted,
  notAccepted,
  objectsAt,
  refusedEitherWay,
  rejectedJourney,
  sparing,
  subscribe,
  suite,
  table,
  textAt,
} from '../checks.ts';
import { corrupt, inFlights, twoLegRecord, withFreshPnr } from '../support/checkin.ts';
import { earliestNow } from '../support/clocks.ts';
import { bookingAhead, tooClose, tooNearMs } from '../support/departures.ts';
import { judgeNothingLeft, unassignedAirline, unsupportedAirline } from '../support/rejections.ts';

const oneLegRules = ['WCI-JRN-005', 'WCI-JRN-007'];
const twoLegRules = ['WCI-JRN-008', 'WCI-JRN-009', 'WCI-JRN-010'];

/** Legs that do not make one trip, out of the two of a booking. */
const twoLegRows: readonly {
  readonly rule: string;
  readonly name: string;
  readonly flightsOf: (t: CheckContext, body: JsonObject) => readonly JsonObject[];
}[] = [
  {
    rule: 'WCI-JRN-008',
    name: 'a third leg from elsewhere',
    flightsOf: (_, body) => [...legsOf(body), thirdLeg(legsOf(body)[1])],
  },
  {
    rule: 'WCI-JRN-009',
    name: 'another airline on the second of three legs',
    flightsOf: (_, body) => threeLegs(body).map((leg, index) => (index === 1 ? byAnother(leg) : leg)),
  },
  {
    rule: 'WCI-JRN-009',
    name: 'another airline on the third leg',
    flightsOf: (_, body) => threeLegs(body).map((leg, index) => (index === 2 ? byAnother(leg) : leg)),
  },
  {
    rule: 'WCI-JRN-010',
    name: 'the second leg two days before the first',
    flightsOf: (_, body) => [legsOf(body)[0], twoDaysBefore(...legsOf(body))],
  },
  {
    rule: 'WCI-JRN-010',
    name: 'the second leg two days before the first, neither with an arrival',
    flightsOf: (_, body) =>
      [legsOf(body)[0], twoDaysBefore(...legsOf(body))].map((leg) => ({ ...leg, arrival_datetime: null })),
  },
  {
    rule: 'WCI-JRN-010',
    name: 'the third leg before the second',
    flightsOf: (_, body) => {
      const legs = threeLegs(body);
      const [first, second, third] = legs;
      return second && third ? [first ?? {}, second, twoDaysBefore(second, third)] : legs;
    },
  },
  ...generate
    .journeyCorruptions(0)
    .filter(({ rule }) => twoLegRules.includes(rule))
    .map(({ rule, name }) => ({
      rule,
      name,
      flightsOf: (t: CheckContext, body: JsonObject) => {
        const row = generate.journeyCorruptions(earliestNow(t)).find((one) => one.name === name);
        return row === undefined ? [] : objectsAt(corrupt(t, row, body), 'flights');
      },
    })),
];

export default suite('Journey rules', [
  sparing({
    id: 'wci.journey.refused',
    title: 'a past departure and a route to its own origin are refused, and a payload error comes first',
    verifies: [...oneLegRules, 'WCI-JRN-016'],
    uses: ['complete-record'],
    needs: ['writes', 'quota'],
    run: async (t) => {
      const itinerary = await t.fixtures.itinerary('international');
      const body = await t.fixtures.booking();
      const rows = generate
        .journeyCorruptions(earliestNow(t))
        .filter(({ rule }) => oneLegRules.includes(rule));
      await t.each(rows, async (row) => {
        const exchange = await t.send(subscribe(corrupt(t, row, withFreshPnr(t, body))));
        const judge = row.rule === 'WCI-JRN-005' ? notAccepted : refusedEitherWay;
        t.judge(exchange, { [row.rule]: judge(exchange) });
      });
      const faulty = [
        { name: 'too close', trip: bookingAhead(t, itinerary, tooNearMs) },
        {
          name: 'of an airline that does not exist',
          trip: inFlights(body, (flight) => ({ ...flight, airline: unassignedAirline(itinerary) })),
        },
        {
          name: 'to its own origin',
          trip: inFlights(body, (flight) => ({ ...flight, destination: flight.origin ?? null })),
        },
      ];
      await t.each(t.isSparing ? faulty.slice(0, 1) : faulty, async ({ trip }) => {
        const exchange = await t.send(subscribe({ ...withFreshPnr(t, trip), passengers: [] }));
        t.judge(exchange, { 'WCI-JRN-016': answered(exchange, invalid) });
      });
    },
  }),

  fixed({
    id: 'wci.journey.unsupported-airline',
    title: 'an unsupported airline is rejected',
    verifies: ['WCI-JRN-006', 'WCI-JRN-014', 'WCI-OPN-025', 'WCI-OPN-046'],
    uses: ['complete-record'],
    needs: ['writes', 'quota'],
    run: async (t) => {
      const body = await t.fixtures.booking();
      const accepting = await t.fixtures.itinerary('international');
      const { airline, isKnown } = unsupportedAirline(t, accepting);
      const exchange = await t.send(subscribe(inFlights(body, (flight) => ({ ...flight, airline }))));
      t.observe('WCI-OPN-046', isAccepted(exchange) ? 'any' : 'restricted', exchange);
      if (!isKnown && isAccepted(exchange)) {
        t.skip(
          'no airline is known that the deployment does not support; name one as itineraries.unsupportedAirline',
        );
      }
      t.judge(exchange, { 'WCI-JRN-006': rejectedJourney(exchange) });
      if (!isAccepted(exchange)) await judgeNothingLeft(t, exchange, body.pnr);
    },
  }),

  fixed({
    id: 'wci.journey.two-legs',
    title: 'a connected itinerary of two legs is accepted',
    verifies: ['WCI-JRN-012'],
    uses: ['two-leg-record'],
    run: async (t) => {
      const record = await t.fixtures.itineraryRecord('twoLeg').catch(() => null);
      if (record) {
        t.judge(record.subscribed, { 'WCI-JRN-012': accepted(record.subscribed) });
        return;
      }
      // What refuses a connection of which it accepts each leg refuses the connection.
      const one = await t.fixtures.itinerary('international');
      const legs = [{ flightNumber: '353', origin: 'SIN', destination: 'DXB' }, ...one.legs];
      t.assume(
        one.legs[0]?.origin === 'DXB',
        'no itinerary of two legs was accepted, which may be for its route',
      );
      const feeder = await t.send(
        subscribe(bookingAhead(t, { ...one, legs: legs.slice(0, 1) }, 12 * 24 * hourMs)),
      );
      t.assume(isAccepted(feeder), 'no itinerary of two legs was accepted, which may be for its route');
      const both = await t.send(subscribe(bookingAhead(t, { ...one, legs }, 12 * 24 * hourMs)));
      t.judge([feeder, both], { 'WCI-JRN-012': accepted(both) });
    },
  }),

  table({
    id: 'wci.journey.refused-two-legs',
    title: 'legs that do not make one connected one-way trip are not accepted',
    verifies: [...twoLegRules, 'WCI-JRN-004', 'WCI-JRN-021'],
    uses: ['two-leg-record'],
    needs: ['writes', 'quota'],
    rows: twoLegRows,
    run: async (t, rows) => {
      const record = await twoLegRecord(t);
      const itinerary = await t.fixtures.itinerary('twoLeg');
      await t.each(rows, async ({ rule, flightsOf }) => {
        const flights = flightsOf(t, record.body);
        const exchange = await t.send(subscribe({ ...withFreshPnr(t, record.body), flights }));
        t.judge(exchange, { [rule]: notAccepted(exchange) });
      });
      await t.each(['too close, the second leg is not'], async () => {
        const exchange = await t.send(subscribe(bookingAhead(t, itinerary, tooNearMs)));
        if (isAccepted(exchange)) {
          const legs = itinerary.legs.slice(0, 1);
          const alone = await t.send(subscribe(bookingAhead(t, { ...itinerary, legs }, tooNearMs)));
          t.assume(
            !isAccepted(alone),
            'the first leg alone is accepted as well, so that is not for a later one',
          );
        }
        t.judge(exchange, { 'WCI-JRN-004': tooClose(t)(exchange) });
      });
      await t.each(['back to the first origin'], async () => {
        const [first = {}] = objectsAt(record.body, 'flights');
        const exchange = await t.send(
          subscribe(
            inFlights(withFreshPnr(t, record.body), (flight, index) =>
              // An arrival by the clock of another airport may be a reason of its own.
              index === 0 ? flight : { ...flight, destination: first.origin ?? null, arrival_datetime: null },
            ),
          ),
        );
        t.judge(exchange, { 'WCI-JRN-021': notAccepted(exchange) });
      });
    },
  }),
]);

function legsOf(body: JsonObject): [JsonObject, JsonObject] {
  const [one = {}, two = {}] = objectsAt(body, 'flights');
  return [one, two];
}

/** Later than the second leg, and from an airport that is not where it ends. */
function thirdLeg(second: JsonObject): JsonObject {
  const day = shiftedDay(second, 1);
  const [origin, destination] = textAt(second, 'destination') === 'CDG' ? ['FRA', 'AMS'] : ['CDG', 'AMS'];
  return {
    ...second,
    origin,
    destination,
    departure_datetime: `${day}T10:30:00`,
    arrival_datetime: `${day}T12:30:00`,
  };
}

/** The two legs of a booking, and a third one of the same airline from where they end. */
function threeLegs(body: JsonObject): readonly JsonObject[] {
  const [first, second] = legsOf(body);
  return [first, second, { ...thirdLeg(second), origin: second.destination ?? null }];
}

function byAnother(leg: JsonObject): JsonObject {
  const code = textAt(leg, 'airline');
  const [iata, icao] = ['EK', 'UAE'].includes(code) ? ['QR', 'QTR'] : ['EK', 'UAE'];
  return { ...leg, airline: code.length === 3 ? icao : iata };
}

function twoDaysBefore(first: JsonObject, second: JsonObject): JsonObject {
  return { ...second, departure_datetime: `${shiftedDay(first, -2)}T10:30:00`, arrival_datetime: null };
}

function shiftedDay(flight: JsonObject, days: number): string {
  const day = Date.parse(`${textAt(flight, 'departure_datetime').trim().slice(0, 10)}T00:00:00Z`);
  return new Date(day + days * 24 * hourMs).toISOString().slice(0, 10);
}
