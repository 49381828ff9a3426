import {
  holds,
  isAccepted,
  type CheckContext,
  type FlightLeg,
  type KeyChoice,
  type Route,
  fixed,
  subscribe,
  suite,
} from '../checks.ts';
import { freshEnterprise } from '../support/enterprises.ts';
import { legOn, lookUp, put, subscribeTo } from '../support/flights.ts';
import { withKey } from '../support/keys.ts';

const routes: readonly Route[] = [
  ['DXB', 'LHR'],
  ['SIN', 'NRT'],
];

const units = { included_units: 10, consumed_units: 0 };

export default suite('Flight alerts and the quota of web check-in', [
  fixed({
    id: 'fla.entitlement.units',
    title: 'lookups and flight subscribes take no unit of web check-in, and need none',
    verifies: ['WCI-QTA-014', 'WCI-QTA-017'],
    needs: ['state:enterprise.create', 'state:flights.put'],
    uses: ['complete-record'],
    run: async (t) => {
      const [one, other] = await legs(t);
      const { key: enterprise } = await freshEnterprise(t, { units: 1 });
      const key = withKey(enterprise);
      await useFlights(t, one, key);
      // Uses the unit that lookups and flight subscribes before it left.
      if (t.apis.includes('webcheckin')) {
        const booked = await t.send(subscribe(await t.fixtures.booking(), { key, wantsRefusal: true }));
        // Why it is refused, the specification says.
        if (isAccepted(booked)) t.judge(booked, { 'WCI-QTA-017': holds });
      }
      await useFlights(t, other, key);
      for (const status of t.state.offers('entitlement.set') ? (['suspended', 'none'] as const) : []) {
        await t.state.set('entitlement.set', { key: enterprise.value, status, ...units });
        await useFlights(t, other, key);
      }
    },
  }),
]);

async function legs(t: CheckContext): Promise<readonly [FlightLeg, FlightLeg]> {
  const flight = await put(
    t,
    routes.map((route) => ({ route })),
  );
  const [one, other] = routes.map((route) => legOn(flight, route));
  t.assume(one !== undefined && other !== undefined, 'no legs were put');
  return [one, other] as [FlightLeg, FlightLeg];
}

async function useFlights(t: CheckContext, leg: FlightLeg, key: KeyChoice): Promise<void> {
  await lookUp(t, leg, { key });
  await subscribeTo(t, leg, 'absent', key);
}
