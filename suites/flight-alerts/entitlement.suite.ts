import {
  type CheckContext,
  type Exchange,
  type FlightLeg,
  type Judgement,
  type KeyChoice,
  type Route,
  about,
  all,
  answeredOtherThan,
  fixed,
  holds,
  isAccepted,
  responseOf,
  subscribe,
  suite,
  answeredOtherwise,
  is,
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
      const used = await useUnit(t, await useFlights(t, one, key), key);
      const after = await useFlights(t, other, key);
      t.judge([...used, ...after], { 'WCI-QTA-014': needsNone(after) });
      for (const status of t.state.offers('entitlement.set') ? (['suspended', 'none'] as const) : []) {
        await t.state.set('entitlement.set', { key: enterprise.value, status, ...units });
        const without = await useFlights(t, other, key);
        t.judge(without, { 'WCI-QTA-014': about(needsNone(without), `an entitlement that is ${status}`) });
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

async function useFlights(t: CheckContext, leg: FlightLeg, key: KeyChoice): Promise<readonly Exchange[]> {
  return [await lookUp(t, leg, { key }), await subscribeTo(t, leg, 'absent', key)];
}

/** Uses the unit that lookups and flight subscribes before it left; nothing where the target has no web check-in. */
async function useUnit(
  t: CheckContext,
  before: readonly Exchange[],
  key: KeyChoice,
): Promise<readonly Exchange[]> {
  if (!t.apis.includes('webcheckin')) return [];
  const booked = await bookLast(t, key);
  if (!isAccepted(booked)) {
    const control = await bookLast(t, withKey((await freshEnterprise(t, { units: 1 })).key));
    t.assume(isAccepted(control), `${control.id}: nor is a subscribe of another enterprise with one unit`);
  }
  t.judge([...before, booked], { 'WCI-QTA-017': hasUnit(booked) });
  return [booked];
}

/** Uses the only unit of an enterprise. */
async function bookLast(t: CheckContext, key: KeyChoice): Promise<Exchange> {
  return t.send(subscribe(await t.fixtures.booking(), { key, wantsRefusal: true }));
}

function needsNone(answers: readonly Exchange[]): Judgement {
  return all(...answers.map((x) => answeredOtherThan(x, 402, 403)));
}

function hasUnit(booked: Exchange): Judgement {
  if (responseOf(booked)?.status !== 402) return holds;
  return answeredOtherwise(booked, is.noted(is.accepted, 'for the only unit'), 'unit');
}
