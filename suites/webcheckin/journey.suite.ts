import {
  type CheckContext,
  type Corruption,
  type JsonObject,
  fixed,
  generate,
  hourMs,
  isAccepted,
  objectsAt,
  rejectedJourney,
  rulesOf,
  sparing,
  subscribe,
  suite,
  table,
  textAt,
} from '../checks.ts';
import { corrupt, inFlights, twoLegRecord, withFreshPnr } from '../support/checkin.ts';
import { earliestNow } from '../support/clocks.ts';
import { bookingAhead, tooNearMs } from '../support/departures.ts';
import { observeNothingLeft, unassignedAirline, unsupportedAirline } from '../support/rejections.ts';

const isOfOneLeg = ({ applicable }: Corruption) => applicable({ flights: [{}] });
const oneLegRules = rulesOf(generate.journeyCorruptions(0).filter(isOfOneLeg));

/** Legs that do not make one trip, out of the two of a booking. */
const twoLegRows: readonly {
  readonly rule: string;
  readonly name: string;
  readonly flightsOf: (t: CheckContext, body: JsonObject) => readonly JsonObject[];
}[] = [
  ...generate
    .journeyCorruptions(0)
    .filter((row) => !isOfOneLeg(row))
    .map(({ rule, name }) => ({
      rule,
      name,
      flightsOf: (t: CheckContext, body: JsonObject) => {
        const row = generate.journeyCorruptions(earliestNow(t)).find((one) => one.name === name);
        return row === undefined ? [] : objectsAt(corrupt(t, row, body), 'flights');
      },
    })),
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
      const rows = generate.journeyCorruptions(earliestNow(t)).filter(isOfOneLeg);
      await t.each(rows, async (row) => {
        await t.send(subscribe(corrupt(t, row, withFreshPnr(t, body))));
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
        await t.send(subscribe({ ...withFreshPnr(t, trip), passengers: [] }));
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
      if (!isAccepted(exchange)) await observeNothingLeft(t, exchange, body.pnr);
    },
  }),

  fixed({
    id: 'wci.journey.two-legs',
    title: 'a connected itinerary of two legs is accepted',
    verifies: ['WCI-JRN-012'],
    uses: ['two-leg-record'],
    run: async (t) => {
      const record = await t.fixtures.itineraryRecord('twoLeg').catch(() => null);
      if (record) return;
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
      await t.send(subscribe(bookingAhead(t, { ...one, legs }, 12 * 24 * hourMs)));
    },
  }),

  table({
    id: 'wci.journey.refused-two-legs',
    title: 'legs that do not make one connected one-way trip are not accepted',
    verifies: [...rulesOf(twoLegRows), 'WCI-JRN-004', 'WCI-JRN-021'],
    uses: ['two-leg-record'],
    needs: ['writes', 'quota'],
    rows: twoLegRows,
    run: async (t, rows) => {
      const record = await twoLegRecord(t);
      const itinerary = await t.fixtures.itinerary('twoLeg');
      await t.each(rows, async ({ flightsOf }) => {
        const flights = flightsOf(t, record.body);
        await t.send(subscribe({ ...withFreshPnr(t, record.body), flights }));
      });
      await t.each(['too close, the second leg is not'], async () => {
        await t.send(subscribe(bookingAhead(t, itinerary, tooNearMs)));
      });
      await t.each(['back to the first origin'], async () => {
        const [first = {}] = objectsAt(record.body, 'flights');
        const destination = first.origin ?? null;
        // An arrival by the clock of another airport may be a reason of its own.
        const back = inFlights(withFreshPnr(t, record.body), (flight, index) =>
          index === 0 ? flight : { ...flight, destination, arrival_datetime: null },
        );
        await t.send(subscribe(back));
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
