import {
  type Exchange,
  all,
  answered,
  describeResponse,
  equalMembers,
  fixed,
  holds,
  isAccepted,
  isFirstSubscribe,
  notApplicable,
  notFound,
  ok,
  otherKey,
  recordOf,
  refused,
  responseOf,
  status,
  subscribe,
  suite,
  table,
  took,
  unitsBetween,
  update,
  withoutPassports,
  differs,
  is,
  ofAnother,
} from '../checks.ts';
import { judgeAlike } from '../support/alike.ts';
import { contraryPassengers } from '../support/checkin.ts';
import { countAttempts } from '../support/countAttempts.ts';
import { freshEnterprise } from '../support/enterprises.ts';
import { sameKey, untilRefused, withKey } from '../support/keys.ts';
import { findRecord, isListed } from '../support/listing.ts';
import { quotaMeter } from '../support/quotaMeter.ts';
import { askUnknownCheckin } from '../support/unknownIds.ts';
import { foundNothing, judgeByBooking, ownOfNumber, state } from '../support/foreignRecords.ts';

export default suite('Scoping', [
  fixed({
    id: 'wci.scoping.status',
    title: 'the status of a record of another enterprise is answered like that of a missing one',
    verifies: ['WCI-SCP-001', 'WCI-SCP-004', 'WCI-SCP-013'],
    uses: ['other-record'],
    tags: ['smoke'],
    run: async (t) => {
      const id = (await t.fixtures.otherRecord()).checkinId;
      const x = await t.send(status({ checkin_id: id }));
      t.judge(x, { 'WCI-SCP-001': answered(x, notFound) });
      const read = (asked: string) => t.send(status({ checkin_id: asked }));
      const missing = await askUnknownCheckin(t, id, read);
      const ask = async (asked: string) => ({ x: await read(asked), id: asked });
      const { evidence, judgement } = await judgeAlike({ x, id }, missing, {
        foreign: () => ask(id),
        missing: () => ask(missing.id),
      });
      t.judge(evidence, { 'WCI-SCP-004': judgement });
      const alias = await t.send(status({ checkinId: id }));
      t.judge(alias, { 'WCI-SCP-013': answered(alias, notFound) });
    },
  }),

  table({
    id: 'wci.scoping.update',
    title: 'an update of a record of another enterprise finds nothing and changes nothing',
    verifies: ['WCI-SCP-002', 'WCI-SCP-003', 'WCI-SCP-004', 'WCI-SCP-006'],
    uses: ['other-record'],
    rows: ['checkin_id', 'webcheckin_id'].map((name) => ({ rule: 'WCI-SCP-002', name })),
    run: async (t, rows) => {
      const record = await t.fixtures.otherRecord();
      const { checkinId, bookingId, subscribed } = record;
      const read = status({ checkin_id: checkinId }, { key: sameKey(t, subscribed) });
      const before = await t.send(read);
      t.assume(isAccepted(before), `the record was answered ${describeResponse(before)}`);
      // Where they were taken in, missing_info would show it.
      const passengers = contraryPassengers(record, before);
      const send = (name: object) => t.send(update({ ...name, passengers }));
      // Whatever of these changed the record is part of what shows it.
      const tried: Exchange[] = [];
      await t.each(rows, async ({ rule, name }) => {
        const byId = async (id: string) => ({ x: await send({ [name]: id }), id });
        const foreign = await byId(checkinId);
        const missing = await askUnknownCheckin(t, checkinId, (id) => send({ [name]: id }));
        const ways = { foreign: () => byId(checkinId), missing: () => byId(missing.id) };
        tried.push(foreign.x);
        t.judge(foreign.x, { [rule]: foundNothing(foreign.x) });
        const { evidence, judgement } = await judgeAlike(foreign, missing, ways);
        t.judge(evidence, { 'WCI-SCP-004': judgement });
      });
      await t.each(t.isSparing ? [] : rows, async ({ rule, name }) => {
        const pnr = { type: 'pnr', payload: { pnr: t.identities.pnr() } };
        const x = await t.send(update({ [name]: checkinId, ...pnr }));
        tried.push(x);
        t.judge(x, { [rule]: foundNothing(x) });
      });
      const listedOwn = t.isSparing ? null : await ownOfNumber(t, { checkinId, bookingId });
      if (listedOwn) {
        const after = await t.send(read);
        t.judge([before, listedOwn], { 'WCI-SCP-003': notApplicable });
        t.judge([before, ...tried, after], { 'WCI-SCP-006': equalMembers(after, before, state) });
        return;
      }
      await judgeByBooking(t, { record, before, tried, send, read: () => t.send(read) });
    },
  }),

  fixed({
    id: 'wci.scoping.invalid-update',
    title: 'a foreign and a missing record stay alike when the update is invalid',
    verifies: ['WCI-SCP-005'],
    uses: ['other-record'],
    run: async (t) => {
      const id = (await t.fixtures.otherRecord()).checkinId;
      const send = (asked: string) => t.send(update({ checkin_id: asked, passengers: [] }));
      const ask = async (asked: string) => ({ x: await send(asked), id: asked });
      const foreign = await ask(id);
      const missing = await askUnknownCheckin(t, id, send);
      const again = { foreign: () => ask(id), missing: () => ask(missing.id) };
      const { evidence, judgement } = await judgeAlike(foreign, missing, again);
      t.judge(evidence, { 'WCI-SCP-005': judgement });
    },
  }),

  fixed({
    id: 'wci.scoping.mixed-identifiers',
    title: 'a foreign checkin_id beside an own booking_id does not fall back to the booking',
    verifies: ['WCI-SCP-011', 'WCI-UPD-008'],
    uses: ['other-record', 'workbench-record'],
    run: async (t) => {
      const { checkinId } = await t.fixtures.otherRecord();
      const own = await t.fixtures.workbenchRecord();
      const body = { checkin_id: checkinId, booking_id: own.bookingId, passengers: own.body.passengers };
      const x = await t.send(update(body));
      t.judge(x, { 'WCI-SCP-011': answered(x, { status: 404 }, { status: 400 }) });
      const { x: unknown } = await askUnknownCheckin(t, checkinId, (id) =>
        t.send(update({ ...body, checkin_id: id })),
      );
      t.judge(unknown, { 'WCI-UPD-008': answered(unknown, { status: 404 }, { status: 400 }) });
    },
  }),

  fixed({
    id: 'wci.scoping.same-booking',
    title: 'one booking of two enterprises is two attempts that do not affect each other',
    verifies: ['WCI-SCP-007', 'WCI-SCP-008', 'WCI-SCP-009', 'WCI-QTA-013'],
    needs: ['other-enterprise'],
    uses: ['workbench-record'],
    // Other checks take units of the same enterprise.
    exclusive: true,
    run: async (t) => {
      const shared = await t.fixtures.workbenchRecord();
      const meter = await quotaMeter(t, shared);
      // Only now: the record may just have been made.
      const count = await countAttempts(t);
      const first = await t.send(subscribe(shared.body, { key: otherKey }));
      const looked = meter && (await meter.look());
      // The other enterprise may have it from an earlier try, whose answer was lost.
      const isKnown = isFirstSubscribe(first).status === 'violated';
      const own = isKnown ? await t.fixtures.subscribed() : shared;
      const x = isKnown ? await t.send(subscribe(own.body, { key: otherKey })) : first;
      t.judge([own.subscribed, x], {
        'WCI-SCP-008': all(
          isFirstSubscribe(x),
          equalMembers(x, own.subscribed, ['success', 'message', 'status', 'sub_status', 'missing_info']),
        ),
      });
      const theirs = recordOf(own.body, x);
      t.judge([own.subscribed, x], {
        'WCI-SCP-007':
          theirs.checkinId === own.checkinId
            ? ofAnother('shared-attempt', 'checkin_id', 'enterprise', own.checkinId)
            : holds,
      });
      const read = status({ checkin_id: own.checkinId }, { key: sameKey(t, own.subscribed) });
      const before = await t.send(read);
      t.assume(isAccepted(before), `the attempt was answered ${describeResponse(before)}`);
      const { passengers } = withoutPassports(own.body);
      const body = { checkin_id: theirs.checkinId, passengers };
      const change = await t.send(update(body, { key: sameKey(t, x) }));
      t.assume(isAccepted(change), `the update was answered ${describeResponse(change)}`);
      const after = await t.send(read);
      t.judge([before, change, after], { 'WCI-SCP-009': equalMembers(after, before, state) });
      if (!meter || !looked) return t.skip('the deployment shows no quota');
      const units = unitsBetween(meter.start, looked);
      const others = units === null ? null : units - meter.cost;
      t.judge([meter.start, first, looked], {
        'WCI-QTA-013': took(others, 0, await count.rose(others, 0, meter.makes + (isKnown ? 1 : 0))),
      });
    },
  }),

  fixed({
    id: 'wci.scoping.client-id',
    title: 'a clientId in callbackData does not change whose record it is',
    verifies: ['WCI-SCP-014'],
    needs: ['other-enterprise'],
    uses: ['complete-record'],
    run: async (t) => {
      const body = {
        ...(await t.fixtures.booking()),
        callbackData: {
          callbackUrl: `https://example.com/gatecheck/${t.identities.token()}`,
          auth_header: t.identities.authHeader(),
          clientId: 'another-enterprise',
          clientName: 'Another Enterprise',
        },
      };
      const made = await t.send(subscribe(body));
      if (!isAccepted(made)) {
        const { callbackUrl, auth_header } = body.callbackData;
        const plain = { ...body, callbackData: { callbackUrl, auth_header } };
        const control = await t.send(subscribe(plain));
        t.assume(isAccepted(control), `without a clientId it is answered ${describeResponse(control)}`);
        t.assume(refused(made).status === 'holds', `a foreign clientId: ${describeResponse(made)}`);
        t.judge([made, control], { 'WCI-SCP-014': notApplicable });
        return;
      }
      const id = recordOf(body, made).checkinId;
      const mine = await t.send(status({ checkin_id: id }, { key: sameKey(t, made) }));
      const theirs = await t.send(status({ checkin_id: id }, { key: otherKey }));
      t.judge([made, mine, theirs], {
        'WCI-SCP-014': all(answered(mine, ok), answered(theirs, { status: 404 })),
      });
    },
  }),

  fixed({
    id: 'wci.scoping.second-key',
    title: 'a record made with one key is read with another key of the enterprise',
    verifies: ['WCI-SCP-010'],
    needs: ['second-key'],
    uses: ['complete-record'],
    run: async (t) => {
      const { checkinId, subscribed } = await t.fixtures.completeRecord();
      const second = t.keys.primary.find((key) => key.label !== subscribed.key);
      if (!second) return;
      const x = await t.send(status({ checkin_id: checkinId }, { key: withKey(second) }));
      t.judge(x, { 'WCI-SCP-010': answered(x, ok) });
    },
  }),

  fixed({
    id: 'wci.scoping.revoked-maker',
    title: 'records stay with the enterprise when the key that made them is revoked',
    verifies: ['WCI-SCP-012'],
    needs: ['state:enterprise.create', 'state:keys.revoke'],
    uses: ['complete-record'],
    run: async (t) => {
      const { keys } = await freshEnterprise(t, { keys: 2 });
      const [first, second] = keys;
      if (!first || !second) return;
      const { checkinId } = await t.fixtures.subscribed(undefined, withKey(first));
      await t.state.set('keys.revoke', { key: first.value });
      await untilRefused(t, status({ checkin_id: checkinId }, { key: withKey(first) }));
      const x = await t.send(status({ checkin_id: checkinId }, { key: withKey(second) }));
      t.assume(responseOf(x)?.status !== 401, 'the other key is refused as well, which is another rule');
      t.judge(x, { 'WCI-SCP-012': answered(x, ok) });
      const { page, item, whole } = await findRecord(t, checkinId, { key: withKey(second), until: isListed });
      if (item === null && !whole) return;
      t.judge([x, page], {
        'WCI-SCP-012':
          item === null ? differs('unlisted', 'data[].checkin_id', is.whose('the record'), is.absent) : holds,
      });
    },
  }),
]);
