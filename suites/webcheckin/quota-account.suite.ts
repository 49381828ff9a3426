import {
  type ApiKey,
  type ApiRequest,
  type CheckContext,
  type JsonObject,
  type OwnRecord,
  dayMs,
  isAccepted,
  fixed,
  list,
  memberOf,
  status,
  subscribe,
  suite,
  numberDue,
  update,
  withoutPassports,
} from '../checks.ts';
import { withFreshPnr } from '../support/checkin.ts';
import { bookingAhead, tooNearMs } from '../support/departures.ts';
import { freshEnterprise } from '../support/enterprises.ts';
import { withKey } from '../support/keys.ts';
import { bookingParts, multipart, pnrForm } from '../support/multipart.ts';
import { scannedParts } from '../support/scannedBookings.ts';

/** Whom the requests are sent for. */
interface Partner {
  readonly key: ApiKey;
  readonly secondKey: ApiKey;
  /** Of another enterprise. */
  readonly strangerKey: ApiKey;
  readonly record: OwnRecord;
  /** A booking that does not exist yet. */
  readonly booking: JsonObject;
  readonly tooNear: JsonObject;
}

interface Step {
  readonly name: string;
  readonly rule: string;
  /** Units that it takes of the account of the first enterprise. */
  readonly takes: 0 | 1;
  readonly request: (partner: Partner) => ApiRequest;
}

const steps: readonly Step[] = [
  {
    name: 'a complete booking',
    rule: 'WCI-QTA-001',
    takes: 1,
    request: ({ key, booking }) => subscribe(booking, { key: withKey(key) }),
  },
  {
    name: 'a malformed booking',
    rule: 'WCI-QTA-008',
    takes: 0,
    request: ({ key, booking }) => subscribe({ ...booking, flights: [] }, { key: withKey(key) }),
  },
  {
    name: 'an update',
    rule: 'WCI-QTA-015',
    takes: 0,
    request: ({ key, record }) =>
      update({ checkin_id: record.checkinId, passengers: record.body.passengers }, { key: withKey(key) }),
  },
  {
    name: 'a status',
    rule: 'WCI-QTA-015',
    takes: 0,
    request: ({ key, record }) => status({ checkin_id: record.checkinId }, { key: withKey(key) }),
  },
  {
    name: 'a list',
    rule: 'WCI-QTA-015',
    takes: 0,
    request: ({ key }) => list({ limit: '1' }, { key: withKey(key) }),
  },
  {
    name: 'the same booking of another enterprise',
    rule: 'WCI-QTA-013',
    takes: 0,
    request: ({ strangerKey, record }) => subscribe(record.body, { key: withKey(strangerKey) }),
  },
  {
    name: 'an incomplete booking',
    rule: 'WCI-QTA-002',
    takes: 1,
    request: ({ key, booking }) => subscribe(withoutPassports(booking), { key: withKey(key) }),
  },
  {
    name: 'a booking by the second key',
    rule: 'WCI-QTA-012',
    takes: 1,
    request: ({ secondKey, booking }) => subscribe(booking, { key: withKey(secondKey) }),
  },
  {
    name: 'a departure that is too near',
    rule: 'WCI-JRN-015',
    takes: 0,
    request: ({ key, tooNear }) => subscribe(tooNear, { key: withKey(key) }),
  },
];

export default suite('Quota, by the account of an enterprise', [
  fixed({
    id: 'wci.quota.account',
    title:
      'by the account that the state handler shows, an attempt takes one unit, and nothing else takes any',
    verifies: [...new Set(steps.map(({ rule }) => rule))],
    needs: ['state:enterprise.create', 'state:entitlement.get'],
    uses: ['complete-record'],
    run: async (t) => {
      const { key, keys } = await freshEnterprise(t, { keys: 2 });
      const { key: strangerKey } = await freshEnterprise(t);
      const record = await t.fixtures.subscribed(undefined, withKey(key));
      await t.each(steps, async ({ takes, request }) => {
        const tooNear = bookingAhead(t, await t.fixtures.itinerary('international'), tooNearMs);
        const booking = await t.fixtures.booking();
        const before = await unitsOf(t, key);
        const partner = { key, secondKey: keys[1] ?? key, strangerKey, record, booking, tooNear };
        await t.send(request(partner));
        await settled(t, key, before + takes);
      });
    },
  }),

  fixed({
    id: 'wci.quota.account-legs',
    title: 'by that account, a booking of two legs takes one unit',
    verifies: ['WCI-QTA-001'],
    needs: ['state:enterprise.create', 'state:entitlement.get'],
    uses: ['two-leg-record'],
    run: async (t) => {
      const booking = bookingAhead(t, await t.fixtures.itinerary('twoLeg'), 10 * dayMs);
      const { key } = await freshEnterprise(t);
      const before = await unitsOf(t, key);
      await t.send(subscribe(booking, { key: withKey(key) }));
      await settled(t, key, before + 1);
    },
  }),

  fixed({
    id: 'wci.quota.account-upload',
    title: 'by that account, a multipart booking takes one unit, with a scan as well',
    verifies: ['WCI-QTA-001'],
    needs: ['state:enterprise.create', 'state:entitlement.get'],
    uses: ['complete-record'],
    run: async (t) => {
      const { body } = await t.fixtures.completeRecord();
      const form = await pnrForm(t);
      const booking = { ...body, pnr: t.identities.pnr() };
      const { key } = await freshEnterprise(t);
      const before = await unitsOf(t, key);
      const parts = bookingParts(booking, 'text/plain', form);
      await t.send(multipart(t, 'wci.subscribe', parts, { key: withKey(key) }));
      const units = await settled(t, key, before + 1);
      const withScan = scannedParts(withFreshPnr(t, booking), form);
      await t.send(multipart(t, 'wci.subscribe', withScan, { key: withKey(key) }));
      await settled(t, key, units + 1);
    },
  }),

  fixed({
    id: 'wci.quota.account-race',
    title: 'by that account, simultaneous subscribes of one booking take one unit',
    verifies: ['WCI-QTA-001'],
    needs: ['state:enterprise.create', 'state:entitlement.get'],
    uses: ['complete-record'],
    run: async (t) => {
      const booking = await t.fixtures.booking();
      const { key } = await freshEnterprise(t);
      const before = await unitsOf(t, key);
      const send = () => t.send(subscribe(booking, { key: withKey(key) }));
      const racers = await Promise.all(Array.from({ length: 4 }, send));
      const ids = new Set(racers.map((racer) => (isAccepted(racer) ? memberOf(racer, 'checkin_id') : null)));
      t.assume(ids.size === 1 && !ids.has(null), 'they did not all come to one attempt');
      const units = await settled(t, key, before + 1);
      // Whether a repetition takes a unit is open, and those that came later are repetitions.
      await send();
      if (units !== before + 1) await t.sleep(pausesMs.at(-1) ?? 0);
      if ((await unitsOf(t, key)) !== units) return t.skip('a repetition takes a unit as well');
      t.judge(racers, { 'WCI-QTA-001': numberDue('units', 'units', 1, units - before, 'of the quota') });
    },
  }),
]);

/** An account that a queue keeps is settled after a while. */
const pausesMs = [0, 300, 1000, 3000];

/** Looks at the account until it has as many consumed units, for a while. Returns those that it has. */
async function settled(t: CheckContext, key: ApiKey, wanted: number): Promise<number> {
  let units = 0;
  for (const pause of pausesMs) {
    if (pause > 0) await t.sleep(pause);
    units = await unitsOf(t, key);
    if (units >= wanted) break;
  }
  return units;
}

async function unitsOf(t: CheckContext, key: ApiKey): Promise<number> {
  const { consumed_units: units } = await t.state.set('entitlement.get', { key: key.value });
  t.assume(typeof units === 'number', 'the state handler shows no consumed_units');
  return Number(units);
}
