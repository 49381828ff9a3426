import {
  type ApiKey,
  type ApiRequest,
  type CheckContext,
  type EngineCheck,
  type Exchange,
  type OwnRecord,
  fixed,
  isAccepted,
  list,
  memberOf,
  notApplicable,
  quotaExhausted,
  responseOf,
  status,
  subscribe,
  suite,
  update,
  differs,
  dueAnswer,
  responseValue,
  is,
} from '../checks.ts';
import { freshEnterprise, lookAtUnits } from '../support/enterprises.ts';
import { withKey } from '../support/keys.ts';
import { bookingParts, knownForm, multipart, pnrForm, updateParts } from '../support/multipart.ts';
import { scannedParts } from '../support/scannedBookings.ts';
import { anyLookup } from '../support/reads.ts';

export default suite('Entitlement', [
  ...unentitled('noEntitlement', 'WCI-QTA-003', 'without an entitlement'),
  ...unentitled('suspended', 'WCI-QTA-004', 'with a suspended entitlement'),
  ...unentitled('exhausted', 'WCI-QTA-005', 'with used-up quota'),

  fixed({
    id: 'wci.entitlement.last-unit',
    title: 'the last unit can be used, the next subscribe is 402, and all other operations still work',
    verifies: ['WCI-QTA-005', 'WCI-QTA-006', 'WCI-QTA-007', 'WCI-QTA-011', 'WCI-QTA-080', 'WCI-OPN-019'],
    needs: ['state:enterprise.create'],
    uses: ['complete-record'],
    run: async (t) => {
      const { key } = await freshEnterprise(t, { units: 2 });
      const options = { key: withKey(key) };
      const first = await t.fixtures.subscribed(undefined, options.key);
      await lookAtUnits(t, key);
      const second = await t.send(subscribe(await t.fixtures.booking(), options));
      if (isAccepted(second) && typeof memberOf(second, 'quota', 'included_units') !== 'number')
        t.judge(second, { 'WCI-QTA-080': notApplicable });
      await lookAtUnits(t, key);
      const third = subscribe(await t.fixtures.booking(), options);
      await askInVain(t, ['WCI-QTA-011', 'WCI-QTA-005'], third);
      await lookAtUnits(t, key);
      await askInVain(t, ['WCI-QTA-005'], await uploadOf(t, key, 'scan'));
      await useAll(t, first, key);
      await t.send(list({ limit: '100' }, options));
      const repeated = await t.send(subscribe(first.body, { ...options, wantsRefusal: true }));
      if (responseOf(repeated)?.status === 402) t.observe('WCI-OPN-019', 'refused-402', repeated);
      if (memberOf(repeated, 'message') === 'ALREADY_SUBSCRIBED')
        t.observe('WCI-OPN-019', 'already-subscribed', repeated);
    },
  }),

  fixed({
    id: 'wci.entitlement.changes',
    title: 'a suspended or missing entitlement is 402, and an active one works again',
    verifies: ['WCI-QTA-003', 'WCI-QTA-004', 'WCI-QTA-006', 'WCI-QTA-007', 'WCI-QTA-016'],
    needs: ['state:enterprise.create', 'state:entitlement.set'],
    uses: ['complete-record'],
    run: async (t) => {
      const { key } = await freshEnterprise(t);
      const options = { key: withKey(key) };
      const first = await t.fixtures.subscribed(undefined, options.key);
      const booking = await t.fixtures.booking();
      await setEntitlement(t, key, 'suspended');
      await askInVain(t, ['WCI-QTA-004'], subscribe(booking, options));
      await askInVain(t, ['WCI-QTA-004'], await uploadOf(t, key));
      await useAll(t, first, key);
      await setEntitlement(t, key, 'active');
      await t.send(subscribe(booking, options));
      await setEntitlement(t, key, 'none');
      await askInVain(t, ['WCI-QTA-003'], subscribe(await t.fixtures.booking(), options));
      await askInVain(t, ['WCI-QTA-003'], await uploadOf(t, key, 'scan'));
      await useAll(t, first, key);
    },
  }),

  fixed({
    id: 'wci.entitlement.race',
    title: 'simultaneous subscribes do not overrun the quota',
    verifies: ['WCI-QTA-010'],
    needs: ['state:enterprise.create'],
    uses: ['complete-record'],
    run: async (t) => {
      const { key } = await freshEnterprise(t, { units: 2 });
      const options = { key: withKey(key), wantsRefusal: true };
      const bookings: OwnRecord['body'][] = [];
      for (let count = 0; count < 6; count += 1) bookings.push(await t.fixtures.booking());
      await Promise.all(bookings.map((booking) => t.send(subscribe(booking, options))));
      await t.send(list({ limit: '100' }, options));
    },
  }),

  fixed({
    id: 'fla.entitlement.lookup',
    title: 'a lookup needs no web check-in entitlement',
    verifies: ['WCI-QTA-014'],
    needs: ['no-entitlement-key'],
    run: async (t) => {
      await t.send(anyLookup(t, { key: withKey(t.specialKey('noEntitlement')) }));
    },
  }),

  fixed({
    id: 'fla.entitlement.changes',
    title: 'a lookup is served whatever happens to the web check-in entitlement',
    verifies: ['WCI-QTA-014'],
    needs: ['state:enterprise.create', 'state:entitlement.set'],
    run: async (t) => {
      const { key } = await freshEnterprise(t);
      for (const wanted of ['suspended', 'none'] as const) {
        await setEntitlement(t, key, wanted);
        await t.send(anyLookup(t, { key: withKey(key) }));
      }
    },
  }),
]);

/** A key that was given as one whose subscribes are 402. */
function unentitled(
  name: 'noEntitlement' | 'suspended' | 'exhausted',
  row: string,
  title: string,
): readonly EngineCheck[] {
  const kebab = name === 'noEntitlement' ? 'no-entitlement' : name;
  return [
    fixed({
      id: `wci.entitlement.${kebab}`,
      title: `a subscribe ${title} is 402 and creates nothing, and reads still work`,
      verifies: [row, 'WCI-QTA-006', 'WCI-QTA-007'],
      needs: [`${kebab}-key`, 'writes', 'quota'],
      uses: ['complete-record'],
      run: async (t) => {
        const options = { key: withKey(t.specialKey(name)) };
        const booking = await t.fixtures.booking();
        await askInVain(t, [row], subscribe(booking, options));
        await t.send(list({ limit: '100' }, options));
        const id = t.unknown.checkinId((await t.fixtures.completeRecord()).checkinId);
        await t.send(status({ checkin_id: id }, options));
        await t.send(update({ checkin_id: id, passengers: booking.passengers }, options));
      },
    }),
  ];
}

/** Whatever the entitlement, a record is read, listed and updated, in each form: 402 is for subscribes alone (Errors). */
async function useAll(t: CheckContext, { checkinId, body }: OwnRecord, key: ApiKey): Promise<void> {
  const [options, named] = [{ key: withKey(key) }, { checkin_id: checkinId }];
  const { passengers = [] } = body;
  await t.send(status(named, options));
  await t.send(list({}, options));
  await t.send(update({ ...named, passengers }, options));
  await t.send(update({ ...named, type: 'pnr', payload: { pnr: t.identities.pnr() } }, options));
  await t.send(multipart(t, 'wci.update', updateParts({ ...named, passengers }, knownForm(t)), options));
}

/** Sets the entitlement, and looks whether the handler did, where it can be asked. */
async function setEntitlement(
  t: CheckContext,
  key: ApiKey,
  wanted: 'active' | 'suspended' | 'none',
): Promise<void> {
  await t.state.set('entitlement.set', {
    key: key.value,
    status: wanted,
    included_units: 10,
    consumed_units: 0,
  });
  if (!t.state.offers('entitlement.get')) return;
  const now = await t.state.set('entitlement.get', { key: key.value });
  t.assume(now.status === wanted, `the state handler shows the entitlement as ${JSON.stringify(now.status)}`);
}

/** A complete booking as a multipart body, of which the documents name the parts, with or without a file. */
async function uploadOf(t: CheckContext, key: ApiKey, file?: 'scan'): Promise<ApiRequest> {
  const [booking, form] = [await t.fixtures.booking(), await pnrForm(t)];
  const parts = file ? scannedParts(booking, form) : bookingParts(booking, 'text/plain', form);
  return multipart(t, 'wci.subscribe', parts, { key: withKey(key) });
}

/**
 * A subscribe for which there is no unit. Reads with the key of a request that is refused by 429 again and again are served: then no
 * rate limit refuses it.
 */
async function askInVain(t: CheckContext, rows: readonly string[], request: ApiRequest): Promise<Exchange> {
  const ask = { ...request, wantsRefusal: true };
  const first = await t.send(ask);
  if (responseOf(first)?.status !== 429) return first;
  const read = () => t.send(list({ limit: '1' }, { key: request.key, wantsRefusal: true }));
  const between = await read();
  const answer = await t.send(ask);
  if (responseOf(answer)?.status !== 429) return answer;
  const after = await read();
  // The key is at its rate limit: asked again once that has room.
  if (![between, after].every((one) => responseOf(one)?.status === 200)) return t.send(request);
  const got = is.noted(responseValue(answer), 'while reads with the same key are served');
  const limited = differs('limit', 'answer', dueAnswer(quotaExhausted), got);
  t.judge([first, between, answer, after], Object.fromEntries(rows.map((row) => [row, limited])));
  return answer;
}
