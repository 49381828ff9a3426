import { list, status as statusRequest, type KeyChoice } from '../../send/request.ts';
import type { JsonObject } from '../../spec/kit/json.ts';
import type { Home, Own } from '../book.ts';
import type { Situation } from '../situation.ts';
import { withPassengers, type Carrier, type Stage } from '../stage.ts';
import { written } from './requests.ts';
import { updateWith } from './updates.ts';

type Wci = Situation<Stage>;

/** An enterprise of its own, with its keys. */
async function enterprise(stage: Stage, units: number, count = 2): Promise<Exclude<Home, string> | null> {
  const told = await stage.step('enterprise.create', { included_units: units, keys: count });
  const values = Array.isArray(told?.keys) ? (told.keys as readonly unknown[]) : [];
  const texts = values.filter((value) => typeof value === 'string');
  if (texts.length === 0) return null;
  const home = { keys: stage.bench.adoptKeys(`new-${stage.bench.identities.token()}`, texts) };
  // Whose the key is, shows with its first request only.
  await stage.send(list({}, { key: stage.keyOf(home) }));
  await meter(stage, home);
  return home;
}

async function book(
  stage: Stage,
  home: Home,
  { carrier = 'json', change = (body) => body }: BookWish = {},
): Promise<Own | null> {
  const body = change(stage.booking());
  const x = await stage.send(written(stage, 'wci.subscribe', body, carrier, { key: stage.keyOf(home) }));
  return stage.subscribed(x, body, home, `subscribe ${carrier}`);
}

interface BookWish {
  readonly carrier?: Carrier;
  readonly change?: (body: JsonObject) => JsonObject;
}

async function meter(stage: Stage, home: Home): Promise<void> {
  const key = typeof home === 'object' ? home.keys[0] : undefined;
  if (key && stage.offers('entitlement.get')) await stage.step('entitlement.get', { key: key.value });
}

/** Bookings of which some cost no unit. */
const beside: Readonly<Record<string, (body: JsonObject) => JsonObject>> = {
  plain: (body) => body,
  incomplete: (body) => withPassengers(body, (all) => all.map((one) => ({ ...one, passport: null }))),
  malformed: (body) => ({ ...body, passengers: [] }),
  'to where it came from': (body) => ({
    ...body,
    flights: (body.flights as readonly JsonObject[]).map((leg) => ({
      ...leg,
      destination: leg.origin ?? '',
    })),
  }),
  'with a bad callback': (body) => ({
    ...body,
    callbackData: { callbackUrl: 'https://example.com/', auth_header: 'X-Custom: 1' },
  }),
};

const account = (name: string, price: number, bring: Wci['bring'], ...needs: readonly string[]): Wci => ({
  name: `an account: ${name}`,
  family: 'accounts',
  cells: ['account', `account ${name.split(',')[0]}`, `account ${name}`],
  price,
  // Each of its requests shows something.
  worth: price / 2,
  isPossible: (stage) => stage.offers('enterprise.create', ...needs),
  bring,
});

/** Units used up, entitlements lowered and raised, a revoked key, races for the last unit: each in an enterprise of its own. */
export const accounts: readonly Wci[] = [
  account('an empty list', 1, async (stage) => {
    await enterprise(stage, 3);
  }),
  ...Object.entries(beside).flatMap(([name, change]) =>
    (['json', 'multipart'] as const).map((carrier) =>
      account(`units used up, ${name} ${carrier}`, 6, (stage) => useUp(stage, change, carrier)),
    ),
  ),
  ...(['suspended', 'none', 'used up'] as const).flatMap((status) =>
    (['json', 'multipart'] as const).map((carrier) =>
      account(
        `${status}, then active again, ${carrier}`,
        7,
        (stage) => lowerAndRaise(stage, status, carrier),
        'entitlement.set',
      ),
    ),
  ),
  account('a revoked key', 6, revoke, 'keys.revoke'),
  account('the last unit, three times at once', 5, async (stage) => {
    const home = await enterprise(stage, 2);
    if (!home) return;
    await Promise.all([0, 1, 2, 3].map(() => book(stage, home)));
    await meter(stage, home);
  }),
];

async function useUp(
  stage: Stage,
  change: (body: JsonObject) => JsonObject,
  carrier: Carrier,
): Promise<void> {
  const home = await enterprise(stage, 2);
  if (!home) return;
  const first = await book(stage, home, { carrier, change });
  await meter(stage, home);
  for (let count = 0; count < 3; count += 1) {
    await book(stage, home, { carrier });
    await meter(stage, home);
  }
  await book(stage, home, { change: beside.malformed ?? ((body) => body) });
  if (first)
    await stage.send(written(stage, 'wci.subscribe', first.body, carrier, { key: stage.keyOf(home) }));
  await meter(stage, home);
}

async function lowerAndRaise(
  stage: Stage,
  status: 'suspended' | 'none' | 'used up',
  carrier: Carrier,
): Promise<void> {
  const home = await enterprise(stage, 3);
  const key = home?.keys[0];
  if (!home || !key) return;
  const set = (to: string, consumed: number) =>
    stage.step('entitlement.set', {
      ...{ key: key.value, status: to },
      ...{ included_units: 3, consumed_units: consumed },
    });
  const own = await book(stage, home, { carrier });
  await meter(stage, home);
  await (status === 'used up' ? set('active', 3) : set(status, 0));
  await meter(stage, home);
  await book(stage, home, { carrier });
  await book(stage, home, { carrier, change: beside.malformed ?? ((body) => body) });
  if (own) {
    const passengers = [{ ...stage.passenger(), passport: null }];
    await updateWith(
      stage,
      own,
      { checkin_id: own.id, passengers },
      { carrier, what: `update while ${status}` },
    );
    await stage.send(statusRequest({ checkin_id: own.id }, { key: stage.keyOf(home) }));
  }
  await stage.send(list({}, { key: stage.keyOf(home) }));
  await set('active', 0);
  await meter(stage, home);
  await book(stage, home, { carrier });
  await meter(stage, home);
}

/** How long a revoked key may still be known. */
const revokedMs = 11_000;

/** A key is revoked: it opens nothing any more, and what it made stays with its enterprise. */
async function revoke(stage: Stage): Promise<void> {
  const home = stage.mayWait(revokedMs) ? await enterprise(stage, 5, 2) : null;
  const [first, second] = home?.keys ?? [];
  if (!home || !first || !second) return;
  const by = (key: typeof first): KeyChoice => ({ kind: 'key', key });
  const body = stage.booking();
  const x = await stage.send(written(stage, 'wci.subscribe', body, 'json', { key: by(second) }));
  const own = stage.subscribed(x, body, { keys: [first] }, 'subscribe json');
  await stage.wait(stage.bench.grace(6_000));
  await stage.step('keys.revoke', { key: second.value });
  await stage.wait(revokedMs);
  if (own) await stage.send(statusRequest({ checkin_id: own.id }, { key: by(first) }));
  await stage.send(list({ limit: '100' }, { key: by(first) }));
  await stage.send(list({}, { key: by(second) }));
}
