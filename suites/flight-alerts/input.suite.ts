import {
  type CheckContext,
  type Corruption,
  type JsonObject,
  type LookupQuery,
  fc,
  fixed,
  generate,
  lookup,
  primaryKey,
  property,
  responseOf,
  suite,
  utcDate,
} from '../checks.ts';
import { earliestNow, pastDate } from '../support/clocks.ts';
import {
  anyFlight,
  awayFromMidnight,
  lookUp,
  sendSubscribe,
  subscribeTo,
  unknownFlight,
} from '../support/flights.ts';

// Which corruptions there are does not depend on the time.
const lookupRows = generate.lookupCorruptions(0).filter(({ rule }) => rule !== 'FLA-GET-010');
const subscribeRows = generate.flightSubscribeCorruptions(0);
const isCallbackRow = ({ rule }: { readonly rule: string }) => rule.startsWith('FLA-CBR-');
/** What a reader may tolerate, as another reading of the document. */
const tolerable: readonly string[] = ['FLA-SUB-044', 'FLA-SUB-045'];
const isTolerableRow = ({ rule }: { readonly rule: string }) => tolerable.includes(rule);
/** On which stores and parsers break. */
const isOddRow = ({ name }: { readonly name: string }) =>
  /(zero-character|breaking-character|quote|very-long|hundreds-of-digits|(wide|other)-digits|century)$/.test(
    name,
  );
const isOwnRow = (row: { readonly rule: string }) => !isCallbackRow(row) && !isTolerableRow(row);
const isLegRow = (row: Corruption) => isOwnRow(row) && !isOddRow(row);
const isOddLegRow = (row: Corruption) => isOwnRow(row) && isOddRow(row);
const rulesOf = (rows: readonly { readonly rule: string }[]) => [...new Set(rows.map(({ rule }) => rule))];

/** Parameters sent twice, and as the arrays of some query parsers; each contains no scalar of that name, or two. */
const repeated: readonly {
  readonly name: string;
  readonly rule: string;
  readonly query: (number: string, date: string) => readonly (readonly [string, string])[];
}[] = [
  {
    name: 'flightNumber twice, first the known one',
    rule: 'FLA-GET-010',
    query: (number, date) => [
      ['flightNumber', number],
      ['flightNumber', 'ZZ9999'],
      ['departureDate', date],
    ],
  },
  {
    name: 'flightNumber twice, last the known one',
    rule: 'FLA-GET-010',
    query: (number, date) => [
      ['flightNumber', 'ZZ9999'],
      ['departureDate', date],
      ['flightNumber', number],
    ],
  },
  {
    name: 'departureDate twice the same',
    rule: 'FLA-GET-010',
    query: (number, date) => [
      ['flightNumber', number],
      ['departureDate', date],
      ['departureDate', date],
    ],
  },
  {
    // Read as an array it is not a scalar, and read literally flightNumber is missing.
    name: 'flightNumber as an array, written with brackets',
    rule: 'FLA-GET-010',
    query: (number, date) => [
      ['flightNumber[]', number],
      ['flightNumber[]', 'ZZ9999'],
      ['departureDate', date],
    ],
  },
];

export default suite('Flight alerts: what is refused', [
  fixed({
    id: 'fla.input.repeated',
    title: 'a query parameter that is sent twice or as an array is refused',
    verifies: ['FLA-GET-010'],
    tags: ['smoke'],
    run: async (t) => {
      const { flightNumber, departureDate } = await anyFlight(t);
      await t.each(repeated, async ({ query }) => {
        await t.send(lookup(query(flightNumber, departureDate)));
      });
    },
  }),

  property({
    id: 'fla.input.lookup',
    title: 'a lookup that breaks one rule of its parameters is refused as invalid',
    verifies: rulesOf(lookupRows),
    maxCases: 5,
    run: async (t) => {
      const { flightNumber, departureDate } = await anyFlight(t);
      const valid = fc.constant<LookupQuery>({ flightNumber, departureDate });
      const rows = generate.lookupCorruptions(earliestNow(t)).filter(({ rule }) => rule !== 'FLA-GET-010');
      for (const row of rows) {
        await t.forAll(row.name, generate.corrupted(row, valid), async (query) => {
          const ask = () => t.send(lookup(pairs(query)));
          if (responseOf(await ask())?.status !== 500) return;
          // An accident, unless it fails again after another answer.
          await lookUp(t, { flightNumber, departureDate });
          await ask();
        });
      }
    },
  }),

  property({
    id: 'fla.input.subscribe',
    title: 'a flight subscribe that breaks one rule of its leg is refused as invalid',
    verifies: rulesOf(subscribeRows.filter(isLegRow)),
    needs: ['writes', 'subscriptions'],
    uses: ['polling-subscription'],
    maxCases: 5,
    run: (t) => refuseAll(t, isLegRow),
  }),

  property({
    id: 'fla.input.subscribe-odd',
    title:
      'a flight subscribe with odd characters, digits, lengths or leap days in its leg is refused as invalid',
    verifies: rulesOf(subscribeRows.filter(isOddLegRow)),
    needs: ['writes', 'subscriptions'],
    uses: ['polling-subscription'],
    maxCases: 5,
    run: (t) => refuseAll(t, isOddLegRow),
  }),

  property({
    id: 'fla.input.subscribe-tolerated',
    title: 'white space around the date of a subscribe and characters beyond ASCII in its number are refused',
    verifies: [...tolerable],
    needs: ['writes', 'subscriptions'],
    uses: ['polling-subscription'],
    maxCases: 5,
    run: (t) => refuseAll(t, isTolerableRow),
  }),

  property({
    id: 'fla.input.callback',
    title: 'callbackData that breaks one rule is refused as invalid',
    verifies: rulesOf(subscribeRows.filter(isCallbackRow)),
    needs: ['writes', 'subscriptions'],
    uses: ['polling-subscription'],
    maxCases: 5,
    run: (t) => refuseAll(t, isCallbackRow),
  }),

  fixed({
    id: 'fla.input.subscribe-today',
    title: 'a subscribe for today in UTC is not refused as malformed or past, and one for yesterday is',
    verifies: ['FLA-SUB-034', 'FLA-SUB-035'],
    needs: ['writes', 'subscriptions'],
    run: async (t) => {
      await awayFromMidnight(t);
      const leg = {
        flightNumber: unknownFlight(t),
        departureDate: utcDate(t.now()),
        departure: 'DOH',
        arrival: 'SIN',
      };
      // The flight does not exist, so no subscription is left behind.
      await subscribeTo(t, leg);
      await subscribeTo(t, { ...leg, departureDate: pastDate(t) });
    },
  }),
]);

/** Sends each corruption for the leg that is subscribed without a callback: nothing else about it is wrong. */
async function refuseAll(t: CheckContext, isWanted: (row: Corruption) => boolean): Promise<void> {
  const { leg } = await t.fixtures.pollingSubscription();
  const valid = fc.constantFrom<JsonObject>(
    generate.renderFlightSubscription(leg, 'absent'),
    generate.renderFlightSubscription(leg, null),
  );
  for (const row of generate.flightSubscribeCorruptions(earliestNow(t)).filter(isWanted)) {
    await t.forAll(row.name, generate.corrupted(row, valid), async (body) => {
      // Refused requests have no owner, so any key will do.
      const ask = () => sendSubscribe(t, body, primaryKey);
      if (responseOf(await ask())?.status !== 500) return;
      // An accident, unless it fails again after another answer.
      await lookUp(t, leg);
      await ask();
    });
  }
}

function pairs(query: LookupQuery): readonly (readonly [string, string])[] {
  return Object.entries(query).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, value] as const),
  );
}
