import {
  type CheckContext,
  type Exchange,
  type JsonObject,
  type KeyChoice,
  type LegChanges,
  fixed,
  flightSubscribe,
  generate,
  isJsonObject,
  legAt,
  lookup,
  primaryKey,
  putFlight,
  suite,
  utcDate,
  valueAt,
} from '../checks.ts';
import { newEnterprise, withKey } from '../support/enterprises.ts';
import { unknownKey } from '../support/keys.ts';
import { type Flight, type LegToPut, legOn, lookUp, rendered } from '../support/flights.ts';
import { Patience } from '../support/latestLeg.ts';

const rows = [
  'FLA-SNP-004',
  'FLA-SNP-005',
  'FLA-SNP-009',
  'FLA-SNP-010',
  'FLA-SNP-017',
  'FLA-SNP-020',
  'FLA-SNP-030',
  'FLA-SNP-033',
] as const;

export default suite('Leg snapshot: whoever asks, and whatever came before', [
  fixed({
    id: 'fla.snapshot.everywhere',
    title:
      'every value of a leg is shown to every caller, by lookup and subscribe, also after refusals and changes',
    verifies: [...rows, 'FLA-GET-035'],
    needs: ['state:flights.put', 'state:enterprise.create'],
    run: async (t) => {
      const date = utcDate(t.now(), 40);
      const flight = await putWhole(t, date, 0);
      const [fresh] = await newEnterprise(t, 1);
      const other = t.keys.other[0];
      const callers = [
        primaryKey,
        primaryKey,
        ...[fresh, other].flatMap((key) => (key ? [withKey(key)] : [])),
      ];
      // Refused requests, after which nothing may differ.
      await askAll(t, flight, unknownKey(t));
      for (const key of callers) await askAll(t, flight, key);
      // The same again with other values, as upstream reports them from now on.
      await putWhole(t, date, 1, flight);
      const patience = new Patience(t);
      for (const key of callers.slice(1)) {
        await patience.askedUntil(() => lookUp(t, flight, { key }), areLatest);
        await askAll(t, flight, key);
      }
    },
  }),
]);

/** Two legs, of which every value differs from that of any other leg, member and turn. */
function legs(date: string, turn: number): readonly LegToPut[] {
  return (['SIN', 'LHR'] as const).map((to, index) => ({
    route: ['DOH', to],
    changes: changesOf(date, 2 * turn + index),
  }));
}

/** The last one without its blank is not what the same leg had before, so that it is not taken for a stale one. */
const statuses = ['delay', 'schedule', 'New thing', 'delay '];

/** Offsets that are no whole hours, on both sides of Greenwich. */
const partHours = [19_800, -12_600, 20_700, -34_200];

const gateOf = (nth: number) => `B${nth + 1}`;

function changesOf(date: string, nth: number): LegChanges {
  const at = (hour: number) => `${date} ${String(hour + nth).padStart(2, '0')}`;
  const airports = ['BKK', 'ZRH', 'AMS', 'FRA'];
  const place = airports[nth] ?? 'BKK';
  const alternate = (airport: string, hour: number) => ({
    airport,
    city: `City of ${airport}`,
    scheduledTime: `${at(hour)}:10:17`,
    actualTime: `${at(hour)}:20:53`,
    utcOffsetSeconds: 3600 * (nth + 2),
  });
  return {
    status: statuses[nth] ?? null,
    isCodeshare: nth % 2,
    codeshareFlightNumber: `EK ${31 + nth}`,
    airline: { name: `Gatecheck Air ${nth + 1}`, code: null },
    stopover: { airportIata: place, city: `City of ${place}` },
    departure: {
      ...{
        terminal: `T${nth}a`,
        gate: gateOf(nth),
        boardingStatus: ['boarding', 'last call', 'gate closed', 'check-in'][nth] ?? null,
        utcOffsetSeconds: partHours[nth] ?? null,
      },
      ...{ scheduledTime: `${at(6)}:05:11`, estimatedTime: `${at(6)}:15:29`, actualTime: `${at(6)}:25:43` },
    },
    arrival: {
      // An offset may be a text as well.
      ...{ terminal: `T${nth}b`, baggageBelt: `c${nth + 5}`, utcOffsetSeconds: String(partHours[3 - nth]) },
      ...{
        scheduledTime: `${at(14)}:05:11`,
        estimatedTime: `${at(14)}:15:29`,
        actualTime: `${at(14)}:25:43`,
      },
    },
    alternateInfo: [0, 1].map((item) => ({
      status: `alternate ${nth}.${item}`,
      departure: alternate(place, 8 + item),
      arrival: alternate(airports[(nth + 1) % 4] ?? 'ZRH', 16 + item),
    })),
  };
}

function putWhole(t: CheckContext, departureDate: string, turn: number, known?: Flight): Promise<Flight> {
  const options = { state: t.state, identities: t.identities, now: () => t.now() };
  const given = known ?? { departureDate };
  return putFlight(options, (flight) => legs(departureDate, turn).map((leg) => whole(flight, leg)), given);
}

/** The airline code is that of the number. */
function whole(flight: Flight, leg: LegToPut): JsonObject {
  const given = rendered(flight, leg);
  const airline = isJsonObject(given.airline) ? given.airline : {};
  return { ...given, airline: { ...airline, code: flight.flightNumber.slice(0, 2) } };
}

/** By lookup and by subscribe, of each leg. */
async function askAll(t: CheckContext, flight: Flight, key: KeyChoice): Promise<void> {
  await t.send(lookup({ ...flight }, { key }));
  for (const { route } of legs(flight.departureDate, 0))
    await t.send(flightSubscribe(generate.renderFlightSubscription(legOn(flight, route), 'absent'), { key }));
}

/** Whether both legs have the gates that they were put anew with. */
function areLatest(seen: Exchange): boolean {
  const shown = legs('', 1).map(({ route }) => valueAt(legAt(seen, route) ?? {}, 'departure.gate'));
  return shown.every((gate, index) => gate === gateOf(2 + index));
}
