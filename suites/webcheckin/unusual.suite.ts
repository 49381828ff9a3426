import {
  type ApiRequest,
  type CheckContext,
  type JsonObject,
  type JsonValue,
  answeredOtherThan,
  status,
  generate,
  holds,
  isAccepted,
  list,
  objectsAt,
  rawRequest,
  subscribe,
  suite,
  table,
  textAt,
  update,
  utcDate,
} from '../checks.ts';
import { inFlights } from '../support/checkin.ts';
import { bookingOfItsOwn } from '../support/departures.ts';

interface Unusual {
  readonly rule: string;
  readonly name: string;
  readonly change: (body: JsonObject) => JsonObject;
}

/** A letter of Japanese names that is beyond the first 65,536 characters, which some columns of text do not hold. */
const rareName = '\u{20bb7}\u7530';

/** Bookings at which an invented upper bound or form shows. */
const unusual: readonly Unusual[] = [
  { rule: 'WCI-SUB-070', name: 'ten passengers', change: (body) => ({ ...body, passengers: tenOf(body) }) },
  { rule: 'WCI-SUB-070', name: 'three legs', change: (body) => ({ ...body, flights: threeLegsOf(body) }) },
  ...['123A', '0042', '0', '12345'].map((flight_number) => ({
    rule: 'WCI-SUB-071',
    name: `flight_number ${flight_number}`,
    change: (body: JsonObject) => inFlights(body, (leg) => ({ ...leg, flight_number })),
  })),
  ...[
    { name: 'a rare letter in a name', last_name: rareName },
    { name: 'a name of 90 letters', last_name: 'gatecheck'.repeat(10) },
    { name: 'a name of 4,000 letters', last_name: 'gatecheck-'.repeat(400) },
  ].map(({ name, last_name }) => ({
    rule: 'WCI-SUB-080',
    name,
    change: (body: JsonObject) => ({
      ...body,
      passengers: objectsAt(body, 'passengers').map((one) => ({ ...one, last_name })),
    }),
  })),
  // Another member than above, so that both are sent together.
  ...['Gate\0check', 'Gatecheck\ud83d'].map((first_name) => ({
    rule: 'SHR-ERR-007',
    name: `a name ${JSON.stringify(first_name)}`,
    change: (body: JsonObject) => ({
      ...body,
      passengers: objectsAt(body, 'passengers').map((one) => ({ ...one, first_name })),
    }),
  })),
  {
    rule: 'WCI-SUB-081',
    name: 'two passengers of one name',
    change: (body) => ({ ...body, passengers: [...objectsAt(body, 'passengers'), namesakeIn(body)] }),
  },
];

/** A place where texts stand that name something or nothing. */
interface Place {
  readonly rule: string;
  readonly name: string;
  readonly ask: (text: string) => ApiRequest;
}

const nobody = [{ first_name: 'Gatecheck', last_name: 'Nobody' }];
const rule = 'SHR-ERR-007';

const readPlaces: readonly Place[] = [
  { rule, name: 'checkin_id', ask: (text) => status({ checkin_id: text }) },
  { rule, name: 'checkinId', ask: (text) => status({ checkinId: text }) },
  { rule: 'WCI-LST-014', name: 'status', ask: (text) => list({ limit: '1', status: text }) },
  { rule: 'WCI-LST-010', name: 'page', ask: (text) => list({ limit: '1', page: text }) },
];

const writePlaces: readonly Place[] = ['checkin_id', 'webcheckin_id', 'booking_id'].map((name) => ({
  ...{ rule, name },
  ask: (text) => update({ [name]: text, passengers: nobody }),
}));

/** Every odd text in each of these places. */
const inPlaces = (places: readonly Place[]) =>
  places.flatMap(({ rule, name: place, ask }) =>
    generate.oddTexts.map(({ name, text }) => ({
      ...{ rule, name: `${name} in ${place}` },
      request: () => ask(text),
    })),
  );

/** What programs stumble over that take a member for what it ought to be. */
const oddMembers: readonly { readonly name: string; readonly members: JsonObject }[] = [
  { name: 'a number as checkin_id', members: { checkin_id: 5 } },
  { name: 'an object as checkin_id', members: { checkin_id: {} } },
  {
    name: 'a member __proto__',
    members: Object.fromEntries<JsonValue>([
      ['checkin_id', 'gatecheck-nobody'],
      ['__proto__', {}],
    ]),
  },
  { name: 'letters as booking_id', members: { booking_id: 'abc' } },
  ...['9'.repeat(17), '9'.repeat(20), `1${'0'.repeat(400)}`].map((digits) => ({
    name: `${digits.length} digits as booking_id`,
    members: { booking_id: digits },
  })),
  ...[2 ** 53 + 2, 2 ** 64, 1e30, 1.5, -1].map((number) => ({
    name: `the number ${number} as booking_id`,
    members: { booking_id: number },
  })),
  { name: 'a text as payload', members: { checkin_id: 'gatecheck-nobody', payload: 'x' } },
  { name: 'null as payload', members: { checkin_id: 'gatecheck-nobody', payload: null } },
  { name: 'null as type', members: { checkin_id: 'gatecheck-nobody', type: null } },
  { name: 'a number as operation', members: { checkin_id: 'gatecheck-nobody', operation: 1 } },
];

const memberRows = [
  ...oddMembers.map(({ name, members }) => ({
    ...{ rule, name },
    request: () => update({ passengers: nobody, ...members }),
  })),
  {
    ...{ rule, name: 'a key twice' },
    request: () =>
      rawRequest(
        'wci.update',
        `{"checkin_id":"gatecheck-nobody","checkin_id":"gatecheck-none","passengers":${JSON.stringify(nobody)}}`,
        'application/json',
      ),
  },
  ...inPlaces(writePlaces),
];

export default suite('Web check-in: unusual values', [
  table({
    id: 'wci.unusual.bookings',
    title:
      'many passengers, two of one name, three legs and any flight number are not refused as malformed, and no name is an internal error',
    verifies: ['WCI-SUB-070', 'WCI-SUB-071', 'WCI-SUB-080', 'WCI-SUB-081', 'WCI-SUB-005', 'SHR-ERR-007'],
    uses: ['complete-record'],
    needs: ['writes', 'quota'],
    rows: unusual,
    run: async (t, rows) => {
      for (const some of together(rows)) {
        // What is taken together is taken by itself.
        if (some.length > 1 && (await takesTogether(t, some))) continue;
        await t.each(some, async ({ rule, change }) => {
          const x = await t.send(subscribe(change(await bookingOfItsOwn(t))));
          // On a route of its own, so that no accepted request is like it.
          if (rule === 'WCI-SUB-070') t.judge(x, { [rule]: answeredOtherThan(x, 400) });
        });
      }
    },
  }),

  table({
    id: 'wci.unusual.members',
    title: 'a member of an update that is of another type, or an odd text, is no internal error',
    verifies: ['SHR-ERR-007'],
    needs: ['writes'],
    rows: memberRows,
    run: (t, rows) =>
      t.each(rows, async ({ request }) => {
        await t.send(request());
      }),
  }),

  table({
    id: 'wci.unusual.ids',
    title: 'an odd text in the query of a read names nothing, and is no internal error',
    verifies: ['SHR-ERR-007', 'WCI-LST-010', 'WCI-LST-014'],
    rows: inPlaces(readPlaces),
    run: (t, rows) =>
      t.each(rows, async ({ request }) => {
        await t.send(request());
      }),
  }),
]);

/** Rows that one request can carry: one of each rule. */
function together(rows: readonly Unusual[]): readonly (readonly Unusual[])[] {
  const byRule = [...Map.groupBy(rows, ({ rule }) => rule).values()];
  const most = Math.max(...byRule.map(({ length }) => length));
  return Array.from({ length: most }, (_, at) => byRule.flatMap((some) => some.slice(at, at + 1)));
}

/** Sends what several rows change in one request, and judges them where it is accepted. */
async function takesTogether(t: CheckContext, rows: readonly Unusual[]): Promise<boolean> {
  let isTaken = false;
  const one = { name: rows.map(({ name }) => name).join(' and ') };
  await t.each([one], async () => {
    const body = rows.reduce((changed, { change }) => change(changed), await bookingOfItsOwn(t));
    const x = await t.send(subscribe(body));
    isTaken = isAccepted(x);
    const several = rows.find((row) => row.rule === 'WCI-SUB-070');
    if (isTaken && several) t.judge(x, { [several.rule]: holds });
  });
  return isTaken;
}

/** A parent and a child may have the same names. */
function namesakeIn(body: JsonObject): JsonObject {
  const [first = {}] = objectsAt(body, 'passengers');
  const { first_name = '' } = first;
  return { ...generate.companionOf(first), first_name, date_of_birth: '2016-03-08' };
}

function tenOf(body: JsonObject): readonly JsonObject[] {
  const all = [...objectsAt(body, 'passengers').slice(0, 1)];
  while (all.length < 10) all.push(generate.companionOf(all.at(-1) ?? {}));
  return all.map((one, index) => ({ ...one, first_name: `Tessa${'abcdefghij'.charAt(index)}` }));
}

/** A trip onward over two more airports, with days between the legs. */
function threeLegsOf(body: JsonObject): readonly JsonObject[] {
  const [first = {}] = objectsAt(body, 'flights');
  const start = Date.parse(`${textAt(first, 'departure_datetime').trim().slice(0, 10)}T00:00:00Z`);
  const [second = '', third = ''] = ['SIN', 'BKK', 'HKG', 'NRT'].filter(
    (code) => code !== first.origin && code !== first.destination,
  );
  const leg = (origin: JsonValue, destination: string, days: number): JsonObject => ({
    ...first,
    origin,
    destination,
    departure_datetime: `${utcDate(start, days)}T10:00:00`,
    arrival_datetime: `${utcDate(start, days)}T23:00:00`,
  });
  return [first, leg(first.destination ?? '', second, 3), leg(second, third, 6)];
}
