import {
  flightSubscribe,
  lookup,
  noKey,
  rawRequest,
  type ApiRequest,
  type RequestOptions,
} from '../../send/request.ts';
import type { Home } from '../book.ts';
import { badKeys } from '../webcheckin/keys.ts';
import { bodyOf, type FlightStage } from './flightStage.ts';
import { hasFlights, queryOf, type Fla } from './lookups.ts';
import { maySubscribe } from './subscribes.ts';

type Ask = (stage: FlightStage, options: RequestOptions) => ApiRequest;

const anyQuery = (stage: FlightStage) => {
  const flight = stage.oneOf(stage.known);
  return flight ? queryOf(flight) : { flightNumber: 'ZZ9999', departureDate: stage.date() };
};
const anyBody = (stage: FlightStage) => {
  const flight = stage.oneOf(stage.known);
  const leg = flight?.legs[0];
  return flight && leg ? bodyOf({ flight, leg }, stage.flightCallback()) : { ...anyQuery(stage) };
};

/** What is asked with a key that opens nothing: valid and not, since the key comes first. */
const asks: Readonly<Record<string, Ask>> = {
  lookup: (stage, options) => lookup(anyQuery(stage), options),
  'lookup of no flight': (stage, options) =>
    lookup({ ...anyQuery(stage), flightNumber: `ZZ${1000 + stage.roll(9000)}` }, options),
  subscribe: (stage, options) => flightSubscribe(anyBody(stage), options),
  'invalid lookup': (_stage, options) => lookup({}, options),
  'invalid subscribe': (_stage, options) => flightSubscribe({}, options),
  'broken subscribe': (_stage, options) => rawRequest('fla.subscribe', '{', 'application/json', options),
};

/** Keys, entitlements and enterprises. */
export function partners(): readonly Fla[] {
  return [...badKeys(asks), ...specialKeys, ...entitlements, revoked];
}

type Special = 'noEntitlement' | 'suspended' | 'exhausted';

/** An entitlement of web check-in is none of the flights' business. */
const specialKeys: readonly Fla[] = (['noEntitlement', 'suspended', 'exhausted'] as const).flatMap((name) =>
  (['lookup', 'subscribe'] as const).map((what): Fla => ({
    name: `${what} with the ${name} key`,
    family: 'entitlements',
    cells: ['entitlement', `entitlement ${what}`, `entitlement ${name} ${what}`],
    price: 1,
    worth: 1,
    isPossible: (stage) =>
      stage.bench.keys.special(name) !== null && hasFlights(stage) && maySubscribe(stage),
    bring: (stage) => askWith(stage, name, what),
  })),
);

async function askWith(stage: FlightStage, name: Special, what: 'lookup' | 'subscribe'): Promise<void> {
  const key = stage.bench.keys.special(name);
  if (!key) return;
  const home: Home = { keys: [key] };
  if (what === 'subscribe') return subscribeAs(stage, home);
  const flight = stage.oneOf(stage.known);
  if (flight) await stage.look(flight, { key: stage.keyOf(home) });
}

async function subscribeAs(stage: FlightStage, home: Home): Promise<void> {
  const where = await stage.freeLeg(home);
  if (!where) return;
  await stage.subscribeTo(where, bodyOf(where, stage.flightCallback()), {
    home,
    what: 'subscribe of another',
  });
}

const statuses = ['active', 'suspended', 'none', 'used up'] as const;

/** What an enterprise may do with each entitlement, and what it takes of it. */
const entitlements: readonly Fla[] = statuses.map((status) => ({
  name: `flights with an entitlement that is ${status}`,
  family: 'entitlements',
  cells: ['entitlement', `entitlement ${status}`],
  price: 3,
  worth: 2,
  isPossible: (stage) =>
    stage.offers('enterprise.create', 'entitlement.set', 'flights.put') &&
    hasFlights(stage) &&
    maySubscribe(stage),
  bring: async (stage) => {
    const home = await enterprise(stage, 3);
    const key = home?.keys[0];
    const flight = stage.oneOf(stage.known);
    if (!home || !key || !flight) return;
    await stage.look(flight, { key: stage.keyOf(home) });
    const [to, consumed_units] = status === 'used up' ? (['active', 3] as const) : ([status, 0] as const);
    await stage.step('entitlement.set', { key: key.value, status: to, included_units: 3, consumed_units });
    await meter(stage, key.value);
    await stage.look(flight, { key: stage.keyOf(home) });
    await meter(stage, key.value);
    await subscribeAs(stage, home);
    await meter(stage, key.value);
  },
}));

async function meter(stage: FlightStage, key: string): Promise<void> {
  if (stage.offers('entitlement.get')) await stage.step('entitlement.get', { key });
}

/** An enterprise of its own, with its keys. */
async function enterprise(stage: FlightStage, units: number): Promise<Exclude<Home, string> | null> {
  const told = await stage.step('enterprise.create', { included_units: units, keys: 2 });
  const values = Array.isArray(told?.keys) ? (told.keys as readonly unknown[]) : [];
  const texts = values.filter((value) => typeof value === 'string');
  if (texts.length === 0) return null;
  return { keys: stage.bench.adoptKeys(`new-${stage.bench.identities.token()}`, texts) };
}

/** How long a revoked key may still be known. */
const revokedMs = 11_000;

/** A key is revoked: it opens nothing any more, and what it subscribed stays with its enterprise. */
const revoked: Fla = {
  name: 'a revoked key that had subscribed',
  family: 'entitlements',
  cells: ['revoked', 'revoked key'],
  price: 5,
  worth: 1,
  isPossible: (stage) =>
    stage.offers('enterprise.create', 'keys.revoke', 'flights.put') &&
    hasFlights(stage) &&
    maySubscribe(stage) &&
    stage.mayWait(revokedMs),
  bring: async (stage) => {
    const home = await enterprise(stage, 3);
    const [first, second] = home?.keys ?? [];
    if (!home || !first || !second) return;
    await subscribeAs(stage, { keys: [second, first] });
    await stage.step('keys.revoke', { key: second.value });
    await stage.wait(revokedMs);
    const flight = stage.oneOf(stage.known);
    if (!flight) return;
    await stage.look(flight, { key: { kind: 'key', key: first } });
    for (const options of [{ key: { kind: 'key', key: second } as const }, { key: noKey }])
      await stage.send(lookup(queryOf(flight), options));
  },
};
