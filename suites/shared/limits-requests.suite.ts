import {
  type ApiKey,
  type ApiRequest,
  type CheckContext,
  type Exchange,
  type Judgement,
  fixed,
  flightSubscribe,
  generate,
  isAccepted,
  limits,
  list,
  lookup,
  recordOf,
  status,
  subscribe,
  suite,
  update,
  utcDate,
} from '../checks.ts';
import { withKey } from '../support/enterprises.ts';
import { legOn, put, unknownFlight } from '../support/flights.ts';
import { flightProbes, judgeFull } from '../support/limitProbes.ts';
import { someFlight } from '../support/limits.ts';
import { multipart, scalarForm, updateParts } from '../support/multipart.ts';
import { countedOnce, measured, sendAll, takenAfter, takenBy } from '../support/takenPlaces.ts';

/**
 * Requests of a kind that are sent before the rest of a key's budget is used up: enough that half of them left uncounted is no
 * coincidence.
 */
const some = 6;

export default suite('Limits: what counts', [
  fixed({
    id: 'shared.limits.operations',
    title: 'every operation takes its place in the one budget of its key',
    verifies: ['SHR-LIM-002', 'SHR-LIM-013', 'SHR-LIM-014', 'SHR-LIM-017'],
    needs: ['fillable-limits', 'state:enterprise.create'],
    uses: ['complete-record'],
    tags: ['limits'],
    exclusive: true,
    run: async (t) => {
      if (!t.apis.includes('webcheckin')) t.skip('the target has no web check-in');
      const { keys, room } = await measured(t, 5, listOf);
      const [making, reading, subscribing, looking] = keys;
      const seen: Exchange[] = [];
      const flight = t.apis.includes('flight-alerts') ? await someFlight(t) : null;
      const made = await Promise.all([1, 2, 3, 4].map(() => t.fixtures.booking()));
      const said: Record<string, Judgement> = {};
      await t.each(
        [
          // In the order of the keys: if something is counted for the next one as well, it shows there.
          {
            name: 'SHR-LIM-013',
            key: reading,
            requests: (key: ApiKey) => readsAndUpdates(t, key, making ?? key),
          },
          {
            name: 'SHR-LIM-017',
            key: subscribing,
            requests: (key: ApiKey) =>
              Promise.resolve(made.map((body) => subscribe(body, { key: withKey(key) }))),
          },
          ...(flight === null
            ? []
            : [
                {
                  name: 'SHR-LIM-014',
                  key: looking,
                  requests: (key: ApiKey) => Promise.resolve(repeated(some, () => lookUp(flight, key))),
                },
              ]),
        ],
        async ({ name: row, key, requests }) => {
          if (!key) return;
          const taken = await takenBy(t, await requests(key), { fill: () => listOf(key), room });
          seen.push(...taken.exchanges);
          Object.assign(said, countedOnce(t, row, taken));
        },
      );
      nameScope(t, seen);
      // Over all rows: requests of one may have been counted for the key of another, so all are repeated.
      t.judge(seen, said);
    },
  }),

  fixed({
    id: 'shared.limits.flights',
    title: 'a lookup counts once however many legs it shows, and a flight subscribe counts once',
    verifies: ['SHR-LIM-002', 'SHR-LIM-015', 'SHR-LIM-016', 'SHR-LIM-020', 'SHR-LIM-029'],
    needs: ['fillable-limits', 'state:enterprise.create', 'state:flights.put'],
    tags: ['limits'],
    exclusive: true,
    run: async (t) => {
      if (!t.apis.includes('flight-alerts')) t.skip('the target has no flight alerts');
      const single = await put(t, [{ route: ['DXB', 'LHR'] }]);
      const several = await put(t, [
        { route: ['DXB', 'SIN'] },
        { route: ['SIN', 'BNE'], hour: 13 },
        { route: ['BNE', 'AKL'], hour: 17 },
      ]);
      const fill = (key: ApiKey) => lookUp(single, key);
      const { keys, room } = await measured(t, 3, fill);
      const [looking, subscribing] = keys;
      let filled: readonly Exchange[] = [];
      await t.each(
        [
          {
            name: 'SHR-LIM-015',
            key: looking,
            send: (key: ApiKey) =>
              sendAll(
                t,
                repeated(some, () => lookUp(several, key)),
              ),
          },
          { name: 'SHR-LIM-016', key: subscribing, send: (key: ApiKey) => subscribedAgain(t, key, single) },
        ],
        async ({ name: row, key, send }) => {
          if (!key) return;
          const taken = await takenAfter(t, await send(key), { fill: () => fill(key), room });
          const said = countedOnce(t, row, taken);
          // Only a budget of its own, and not one of another number, leaves them uncounted.
          if (key === subscribing && said[row]?.status === 'violated') nameScope(t, taken.exchanges);
          t.judge(taken.exchanges, said);
          if (key === looking) filled = taken.exchanges;
        },
      );
      if (looking) await judgeFull(t, flightProbes(single, looking), filled);
    },
  }),

  fixed({
    id: 'shared.limits.refused-requests',
    title: 'whether requests that fail count is seen by what they leave of the budget',
    verifies: ['SHR-OPN-001', 'SHR-OPN-003'],
    needs: ['fillable-limits', 'state:enterprise.create'],
    tags: ['limits'],
    exclusive: true,
    run: async (t) => {
      if (!t.apis.includes('webcheckin')) t.skip('the target has no web check-in');
      const { keys, room } = await measured(t, 3, listOf);
      const [reading, looking] = keys;
      if (!reading || !looking) return;
      const missing = await takenBy(
        t,
        repeated(some, () => status({ checkin_id: t.identities.token() }, { key: withKey(reading) })),
        { fill: () => listOf(reading), room },
      );
      const reads = missing.places >= some / 2;
      if (!t.apis.includes('flight-alerts')) {
        t.observe('SHR-OPN-001', reads ? 'every-request' : 'successful-only', missing.exchanges.at(-1));
        return;
      }
      const flight = { flightNumber: unknownFlight(t), departureDate: utcDate(t.now(), 1) };
      const unknown = await takenBy(
        t,
        repeated(some, () => lookUp(flight, looking)),
        { fill: () => listOf(looking), room },
      );
      const lookups = unknown.places >= some / 2;
      const variant = reads ? (lookups ? 'every-request' : 'successful-lookups-only') : 'successful-only';
      t.observe('SHR-OPN-001', variant, unknown.exchanges.at(-1));
      // The documents say that a successful GET counts once: if failed ones count as well, that is another meter.
      if (reads)
        t.observe('SHR-OPN-003', lookups ? 'separate-meter' : 'rate-limit', unknown.exchanges.at(-1));
    },
  }),
]);

/**
 * Many operations with one key distinguish budgets per operation from budgets per API. Sent one after another, so that no race
 * explains the result.
 */
function nameScope(t: CheckContext, seen: readonly Exchange[]): void {
  const decisions = seen.flatMap(
    (exchange) => limits.decisionOf(exchange, 0, { address: 'this machine' }) ?? [],
  );
  const window = { limit: t.settings.limits.perMinute, windowMs: 60_000 };
  const identification = limits.identify(decisions, window);
  const fitting = (id: limits.ModelId) =>
    identification.models.find((model) => model.id === id && model.fits === true);
  const route = fitting('per-route');
  if (identification.isDocumented || !route || fitting('per-api')) return;
  const named = { ...identification, model: route.id, name: `${route.title} of ${window.limit}`, like: null };
  t.limitsBook.note({ title: 'Minute limit over all operations', window, decisions, identification: named });
}

function listOf(key: ApiKey): ApiRequest {
  return list({ limit: '1' }, { key: withKey(key) });
}

function lookUp(
  { flightNumber, departureDate }: { readonly flightNumber: string; readonly departureDate: string },
  key: ApiKey,
): ApiRequest {
  return lookup({ flightNumber, departureDate }, { key: withKey(key) });
}

function repeated<T>(count: number, make: () => T): readonly T[] {
  return Array.from({ length: count }, make);
}

/**
 * Reads and updates of a record that another key of the enterprise made: half of each in the form that is easily forgotten, and
 * more of each form than a limiter may be off by.
 */
async function readsAndUpdates(t: CheckContext, key: ApiKey, maker: ApiKey): Promise<readonly ApiRequest[]> {
  const body = await t.fixtures.booking();
  const subscribed = await t.send(subscribe(body, { key: withKey(maker), wantsRefusal: true }));
  t.assume(isAccepted(subscribed), `${subscribed.id}: no record could be made`);
  const record = recordOf(body, subscribed);
  const { checkinId } = record;
  const form = await scalarForm(t, record, withKey(maker));
  const options = { key: withKey(key) };
  const half = some / 2;
  const change = () =>
    update({ checkin_id: checkinId, type: 'pnr', payload: { pnr: t.identities.pnr() } }, options);
  const replacing = { checkin_id: checkinId, passengers: body.passengers ?? [] };
  return [
    ...repeated(half, () => status({ checkin_id: checkinId }, options)),
    ...repeated(half, () => status({ checkinId }, options)),
    ...repeated(half, change),
    ...repeated(half, () =>
      form === null ? change() : multipart(t, 'wci.update', updateParts(replacing, form), options),
    ),
  ];
}

/** A subscribe to a leg, and the same again, which leaves nothing new behind. */
async function subscribedAgain(
  t: CheckContext,
  key: ApiKey,
  flight: Parameters<typeof legOn>[0],
): Promise<readonly Exchange[]> {
  const leg = legOn(flight, ['DXB', 'LHR']);
  const exchanges: Exchange[] = [];
  for (let count = 0; count < some; count += 1) {
    const body = generate.renderFlightSubscription(leg, 'absent');
    const exchange = await t.send(flightSubscribe(body, { key: withKey(key), wantsRefusal: true }));
    t.assume(isAccepted(exchange), `${exchange.id}: the subscribe was not accepted`);
    exchanges.push(exchange);
  }
  return exchanges;
}
