import {
  type AnswerObject,
  type CheckContext,
  type Exchange,
  type JsonObject,
  type Judgement,
  type KeyChoice,
  type LegChanges,
  asGiven,
  differs,
  fixed,
  flightSubscribe,
  generate,
  holds,
  is,
  isAccepted,
  isJsonObject,
  isObject,
  legAt,
  lookup,
  memberOf,
  primaryKey,
  putFlight,
  responseOf,
  suite,
  utcDate,
  valueAt,
} from '../checks.ts';
import { newEnterprise, withKey } from '../support/enterprises.ts';
import { unknownKey } from '../support/keys.ts';
import { type Flight, type LegToPut, legOn, rendered } from '../support/flights.ts';
import { Patience } from '../support/latestLeg.ts';

const times = ['scheduledTime', 'estimatedTime', 'actualTime'].flatMap((time) => [
  `departure.${time}`,
  `arrival.${time}`,
]);
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
      await refuse(t, flight);
      for (const key of callers) await judgeShown(t, await askAll(t, flight, key), 0);
      // The same again with other values, as upstream reports them from now on.
      await putWhole(t, date, 1, flight);
      const patience = new Patience(t);
      for (const key of callers.slice(1)) {
        await patience.askedUntil(
          () => look(t, flight, key, 1),
          (seen) => areLatest(seen, flight),
        );
        const seen = await askAll(t, flight, key, 1);
        const [looked] = seen;
        if (looked) t.judge(looked.x, { 'FLA-GET-035': isLatest(looked, formerOf(flight)) });
        await judgeShown(t, seen.slice(1), 1);
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
        gate: `B${nth + 1}`,
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

/** What one answer shows of a leg, and what upstream has. */
interface Seen {
  readonly x: Exchange;
  readonly leg: AnswerObject | null;
  readonly given: JsonObject;
}

/** Refused requests about the flight, after which nothing may differ. */
async function refuse(t: CheckContext, flight: Flight): Promise<void> {
  const key = unknownKey(t);
  await t.send(lookup({ ...flight }, { key }));
  for (const leg of legs(flight.departureDate, 0))
    await t.send(
      flightSubscribe(generate.renderFlightSubscription(legOn(flight, leg.route), 'absent'), { key }),
    );
}

async function look(t: CheckContext, flight: Flight, key: KeyChoice, turn: number): Promise<readonly Seen[]> {
  const x = await t.send(lookup({ ...flight }, { key }));
  t.assume(responseOf(x)?.status === 200, `${x.id}: the lookup found nothing`);
  return legs(flight.departureDate, turn).map((leg) => ({
    ...{ x, leg: legAt(x, leg.route), given: whole(flight, leg) },
  }));
}

async function askAll(t: CheckContext, flight: Flight, key: KeyChoice, turn = 0): Promise<readonly Seen[]> {
  const seen = [...(await look(t, flight, key, turn))];
  for (const leg of legs(flight.departureDate, turn)) {
    const body = generate.renderFlightSubscription(legOn(flight, leg.route), 'absent');
    const x = await t.send(flightSubscribe(body, { key }));
    // A leg that has departed may be subscribed no more.
    if (!isAccepted(x)) continue;
    const shown = memberOf(x, 'latest_status_snapshot');
    seen.push({ x, leg: isObject(shown) ? shown : null, given: whole(flight, leg) });
  }
  return seen;
}

async function judgeShown(t: CheckContext, seen: readonly Seen[], turn: number): Promise<void> {
  const name = turn === 0 ? 'as first put' : 'as put anew';
  await t.each(
    seen.map((one, index) => ({ name: `${name}, ${index + 1}`, ...one })),
    ({ x, leg, given }) => {
      t.judge(x, Object.fromEntries(rows.map((rule) => [rule, asGiven(leg, given, rule)])));
      return Promise.resolve();
    },
  );
}

/** What upstream had of the legs before they were put anew. */
function formerOf(flight: Flight): readonly JsonObject[] {
  return legs(flight.departureDate, 0).map((leg) => whole(flight, leg));
}

const changing = ['status', 'codeshareFlightNumber', 'departure.gate', 'departure.terminal', ...times];

function areLatest(seen: readonly Seen[], flight: Flight): boolean {
  const former = formerOf(flight);
  return seen.every((one, index) => isLatest(one, former.slice(index)).status === 'holds');
}

/** Nothing is shown as it was before; what is shown wrongly in another way is no matter of its age. */
function isLatest({ leg, given }: Seen, [former = {}]: readonly JsonObject[]): Judgement {
  const old = changing.find((path) => {
    const shown = valueAt(leg ?? {}, path);
    return shown === valueAt(former, path) && shown !== valueAt(given, path);
  });
  if (old === undefined) return holds;
  return differs('stale', old, is.value(valueAt(given, old)), is.value(valueAt(former, old), 'as before'));
}
