import {
  type ApiKey,
  type ApiRequest,
  type CheckContext,
  type EngineCheck,
  type Exchange,
  type Judgement,
  type OwnRecord,
  all,
  answered,
  answeredOtherThan,
  consumedUnits,
  fixed,
  holds,
  isAccepted,
  list,
  listingOf,
  memberOf,
  ok,
  quotaExhausted,
  responseOf,
  status,
  subscribe,
  suite,
  unclear,
  update,
  differs,
  dueAnswer,
  responseValue,
  is,
} from '../checks.ts';
import { freshEnterprise } from '../support/enterprises.ts';
import { withKey } from '../support/keys.ts';
import { includesUnits } from '../support/quotaMeter.ts';
import { bookingParts, knownForm, multipart, pnrForm, updateParts } from '../support/multipart.ts';
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
      const used = consumedUnits(first.subscribed);
      // It may be shown as it was before the unit was taken.
      t.assume(used === null || used === 0 || used === 1, 'the first subscribe took more than one unit');
      const second = await t.send(subscribe(await t.fixtures.booking(), options));
      t.judge([first.subscribed, second], { 'WCI-QTA-011': answered(second, ok) });
      const booking = await t.fixtures.booking();
      const third = await askInVain(t, subscribe(booking, options));
      t.judge([second, ...third.evidence], {
        'WCI-QTA-011': third.limited ?? answered(third.answer, { status: 402 }),
        'WCI-QTA-005': third.limited ?? answered(third.answer, quotaExhausted),
      });
      // The refusal says that there were no more.
      if (responseOf(third.answer)?.status === 402)
        t.judge([second, ...third.evidence], { 'WCI-QTA-080': includesUnits(second, 2) });
      const uploaded = await askInVain(t, await uploadOf(t, key));
      t.judge([second, ...uploaded.evidence], { 'WCI-QTA-005': refusedForQuota(uploaded) });
      await judgeServed(t, first, key);
      await judgeAbsent(t, booking, key);
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
      const suspended = await askInVain(t, subscribe(booking, options));
      t.judge(suspended.evidence, {
        'WCI-QTA-004': suspended.limited ?? answered(suspended.answer, quotaExhausted),
      });
      const uploaded = await askInVain(t, await uploadOf(t, key));
      t.judge(uploaded.evidence, { 'WCI-QTA-004': refusedForQuota(uploaded) });
      await judgeServed(t, first, key);
      await setEntitlement(t, key, 'active');
      const active = await t.send(subscribe(booking, options));
      t.judge([suspended.answer, active], {
        'WCI-QTA-016': answered(active, ok),
        'WCI-QTA-007': isNew(active),
      });
      await setEntitlement(t, key, 'none');
      const none = await askInVain(t, subscribe(await t.fixtures.booking(), options));
      t.judge(none.evidence, { 'WCI-QTA-003': none.limited ?? answered(none.answer, quotaExhausted) });
      const unentitled = await askInVain(t, await uploadOf(t, key));
      t.judge(unentitled.evidence, { 'WCI-QTA-003': refusedForQuota(unentitled) });
      await judgeServed(t, first, key);
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
      const answers = await Promise.all(bookings.map((booking) => t.send(subscribe(booking, options))));
      const x = await t.send(list({ limit: '100' }, options));
      const sent = new Set<unknown>(bookings.map(({ pnr }) => pnr));
      const items = listingOf(x)?.items.filter(({ pnr }) => sent.has(pnr)) ?? [];
      t.judge([...answers, x], { 'WCI-QTA-010': within(2, answers, items.length) });
    },
  }),

  fixed({
    id: 'fla.entitlement.lookup',
    title: 'a lookup needs no web check-in entitlement',
    verifies: ['WCI-QTA-014'],
    needs: ['no-entitlement-key'],
    run: async (t) => {
      const x = await t.send(anyLookup(t, { key: withKey(t.specialKey('noEntitlement')) }));
      t.judge(x, { 'WCI-QTA-014': answeredOtherThan(x, 402, 403) });
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
        const x = await t.send(anyLookup(t, { key: withKey(key) }));
        t.judge(x, { 'WCI-QTA-014': answeredOtherThan(x, 402, 403) });
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
        const key = t.specialKey(name);
        const options = { key: withKey(key) };
        const booking = await t.fixtures.booking();
        const asked = await askInVain(t, subscribe(booking, options));
        t.judge(asked.evidence, { [row]: asked.limited ?? answered(asked.answer, quotaExhausted) });
        await judgeAbsent(t, booking, key);
        const id = t.unknown.checkinId((await t.fixtures.completeRecord()).checkinId);
        const others = [
          await t.send(status({ checkin_id: id }, options)),
          await t.send(update({ checkin_id: id, passengers: booking.passengers }, options)),
        ];
        t.judge(others, { 'WCI-QTA-006': all(...others.map((one) => answeredOtherThan(one, 402, 403))) });
      },
    }),
  ];
}

/** Whatever the entitlement, a record is read, listed and updated, in each form: 402 is for subscribes alone (Errors). */
async function judgeServed(t: CheckContext, { checkinId, body }: OwnRecord, key: ApiKey): Promise<void> {
  const options = { key: withKey(key) };
  const { passengers } = body;
  const read = await t.send(status({ checkin_id: checkinId }, options));
  const others = [
    await t.send(list({}, options)),
    await t.send(update({ checkin_id: checkinId, passengers }, options)),
    await t.send(
      update({ checkin_id: checkinId, type: 'pnr', payload: { pnr: t.identities.pnr() } }, options),
    ),
    await t.send(
      multipart(
        t,
        'wci.update',
        updateParts({ checkin_id: checkinId, passengers: passengers ?? [] }, knownForm(t)),
        options,
      ),
    ),
  ];
  t.judge([read, ...others], {
    'WCI-QTA-006': all(answered(read, ok), ...others.map((x) => answeredOtherThan(x, 402, 403))),
  });
}

/** The list of the key's enterprise is served, and has no record of the booking. */
async function judgeAbsent(t: CheckContext, booking: OwnRecord['body'], key: ApiKey): Promise<void> {
  const x = await t.send(list({ limit: '100' }, { key: withKey(key) }));
  t.judge(x, { 'WCI-QTA-006': answeredOtherThan(x, 402, 403) });
  const listing = listingOf(x);
  const item = listing?.items.find((one) => one.pnr === booking.pnr);
  const want = is.noted(is.absent, 'of the refused booking');
  const found = differs('created', 'data[].pnr', want, is.value(booking.pnr));
  const isWhole = listing !== null && listing.total <= listing.items.length;
  const absent = isWhole ? holds : unclear('not all requests of the enterprise are on one page');
  t.judge(x, { 'WCI-QTA-007': item ? found : absent });
}

/** The first acceptance of a booking shows that the refusals before it created nothing. */
function isNew(x: Exchange): Judgement {
  const got = memberOf(x, 'message');
  return got === 'ALREADY_SUBSCRIBED' ? differs('created', 'message', 'SCHEDULED', got) : holds;
}

function within(units: number, answers: readonly Exchange[], listed: number): Judgement {
  const accepted = answers.filter(isAccepted).length;
  if (answers.some((x) => responseOf(x) === null)) return unclear('not every subscribe was answered');
  if (Math.max(accepted, listed) <= units) return holds;
  const want = is.atMost(units, 'subscribes', `of ${answers.length} accepted`);
  return differs('overrun', 'answer', want, is.number(accepted, 'subscribes', `and ${listed} listed`));
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

/** A complete booking as a multipart body, of which the documents name the parts. */
async function uploadOf(t: CheckContext, key: ApiKey): Promise<ApiRequest> {
  const parts = bookingParts(await t.fixtures.booking(), 'text/plain', await pnrForm(t));
  return multipart(t, 'wci.subscribe', parts, { key: withKey(key) });
}

/** How a pnr travels in a multipart body is open: one that is not read as it should be may be refused for its form first. */
function refusedForQuota({ answer, limited }: InVain): Judgement {
  if (responseOf(answer)?.status === 400) return unclear(`${answer.id}: it was refused for its form`);
  return limited ?? answered(answer, quotaExhausted);
}

/** A subscribe for which there is no unit: `limited` says what a 429 in the place of a 402 means, and is null for any other answer. */
interface InVain {
  readonly answer: Exchange;
  readonly evidence: readonly Exchange[];
  readonly limited: Judgement | null;
}

/** Reads with the key of a request that is refused by 429 again and again are served: then no rate limit refuses it. */
async function askInVain(t: CheckContext, request: ApiRequest): Promise<InVain> {
  const ask = { ...request, wantsRefusal: true };
  const first = await t.send(ask);
  if (responseOf(first)?.status !== 429) return { answer: first, evidence: [first], limited: null };
  const read = () => t.send(list({ limit: '1' }, { key: request.key, wantsRefusal: true }));
  const between = await read();
  const answer = await t.send(ask);
  const evidence = [first, between, answer];
  if (responseOf(answer)?.status !== 429) return { answer, evidence, limited: null };
  const after = await read();
  if (![between, after].every((one) => responseOf(one)?.status === 200)) {
    // The key is at its rate limit: asked again once that has room.
    const waited = await t.send(request);
    return { answer: waited, evidence: [waited], limited: null };
  }
  const limited = differs(
    'limit',
    'answer',
    dueAnswer(quotaExhausted),
    is.noted(responseValue(answer), 'while reads with the same key are served'),
  );
  return { answer, evidence: [...evidence, after], limited };
}
