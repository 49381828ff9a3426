import {
  type CheckContext,
  type JsonObject,
  type KeyChoice,
  fixed,
  hourMs,
  responseOf,
  subscribe,
  suite,
  without,
} from '../checks.ts';
import { inFlights } from '../support/checkin.ts';
import { bookingAhead } from '../support/departures.ts';
import { newEnterprise, withKey } from '../support/enterprises.ts';

const verifies = ['WCI-JRN-017', 'WCI-JRN-018', 'WCI-OPN-024'];

export default suite('Processing order of a subscribe', [
  fixed({
    id: 'wci.order.entitlement',
    title: 'an entitlement is asked for after the payload and before the journey',
    verifies,
    needs: ['exhausted-key'],
    uses: ['complete-record'],
    run: (t) => askInOrder(t, withKey(t.specialKey('exhausted'))),
  }),

  fixed({
    id: 'wci.order.entitlement-none',
    title: 'a missing entitlement is reported after the payload and before the journey',
    verifies,
    needs: ['no-entitlement-key'],
    uses: ['complete-record'],
    run: (t) => askInOrder(t, withKey(t.specialKey('noEntitlement'))),
  }),

  fixed({
    id: 'wci.order.entitlement-inactive',
    title: 'a suspended or missing entitlement is asked for after the payload and before the journey',
    verifies,
    needs: ['state:enterprise.create', 'state:entitlement.set'],
    uses: ['complete-record'],
    run: async (t) => {
      const [key] = await newEnterprise(t, 5);
      if (!key) return t.skip('the state handler gave no key');
      for (const status of ['suspended', 'none']) {
        const entitlement = { key: key.value, status, included_units: 5, consumed_units: 0 };
        await t.state.set('entitlement.set', entitlement);
        await askInOrder(t, withKey(key));
      }
    },
  }),

  fixed({
    id: 'wci.order.entitlement-state',
    title:
      'a new enterprise without units is asked for its entitlement after the payload and before the journey',
    verifies,
    needs: ['state:enterprise.create'],
    uses: ['complete-record'],
    run: async (t) => {
      const [key] = await newEnterprise(t, 0);
      if (!key) return t.skip('the state handler gave no key');
      return askInOrder(t, withKey(key));
    },
  }),
]);

async function askInOrder(t: CheckContext, key: KeyChoice): Promise<void> {
  const body = await t.fixtures.booking();
  const itinerary = await t.fixtures.itinerary('international');
  const send = (payload: JsonObject) => t.send(subscribe({ ...payload, pnr: t.identities.pnr() }, { key }));
  const plain = await t.send(subscribe({ ...body, pnr: t.identities.pnr() }, { key, wantsRefusal: true }));
  t.assume(responseOf(plain)?.status === 402, 'the key is not without quota');
  const faults = [
    { name: 'no passengers', payload: { ...body, passengers: [] } },
    {
      name: 'a flight without origin',
      payload: inFlights(body, (flight) => without(flight, 'origin')),
    },
    { name: 'too close a departure', payload: bookingAhead(t, itinerary, 2 * hourMs) },
  ];
  await t.each(faults, async ({ payload }) => {
    await send(payload);
  });
  const late = [
    { ...body, callbackData: { callbackUrl: 'https://example.com/gatecheck', auth_header: 'no colon' } },
    inFlights(body, (flight) => ({
      ...flight,
      departure_datetime: '2031-02-30T10:30:00',
      arrival_datetime: null,
    })),
    inFlights(body, (flight) => ({ ...flight, origin: 'QQQ' })),
  ];
  const seen = new Set<string>();
  for (const payload of late) {
    const status = responseOf(await send(payload))?.status;
    if (status === 400 || status === 422) seen.add('with-payload');
    if (status === 402) seen.add('with-journey');
  }
  const [only] = seen;
  if (only !== undefined) t.observe('WCI-OPN-024', seen.size > 1 ? 'by-kind' : only);
}
