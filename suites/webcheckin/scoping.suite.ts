import {
  type AnswerObject,
  type CheckContext,
  type Exchange,
  type OwnRecord,
  describeResponse,
  answered,
  notFound,
  equalMembers,
  fixed,
  isAccepted,
  lateMs,
  memberOf,
  notApplicable,
  otherKey,
  recordOf,
  refused,
  responseOf,
  status,
  subscribe,
  suite,
  table,
  update,
  withoutPassports,
} from '../checks.ts';
import { askAlike } from '../support/alike.ts';
import { contraryPassengers } from '../support/checkin.ts';
import { freshEnterprise } from '../support/enterprises.ts';
import { sameKey, untilRefused, withKey } from '../support/keys.ts';
import { findListed, findRecord, isListed } from '../support/listing.ts';
import { quotaMeter } from '../support/quotaMeter.ts';
import { askUnknownCheckin } from '../support/unknownIds.ts';

export default suite('Scoping', [
  fixed({
    id: 'wci.scoping.status',
    title: 'the status of a record of another enterprise is answered like that of a missing one',
    verifies: ['WCI-SCP-001', 'WCI-SCP-004', 'WCI-SCP-013'],
    uses: ['other-record'],
    tags: ['smoke'],
    run: async (t) => {
      const { checkinId } = await t.fixtures.otherRecord();
      await askAlike(t, checkinId, (id) => t.send(status({ checkin_id: String(id) })));
      await t.send(status({ checkinId }));
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
      await t.each(rows, ({ name }) => askAlike(t, checkinId, (id) => send({ [name]: id })));
      await t.each(t.isSparing ? [] : rows, async ({ name }) => {
        const pnr = { type: 'pnr', payload: { pnr: t.identities.pnr() } };
        await t.send(update({ [name]: checkinId, ...pnr }));
      });
      const listedOwn = t.isSparing ? null : await ownOfNumber(t, record);
      if (listedOwn) t.judge([before, listedOwn], { 'WCI-SCP-003': notApplicable });
      else await askAlike(t, bookingId, (id) => send({ booking_id: id }));
      const x = listedOwn || t.isSparing ? null : await send({ booking_id: String(bookingId) });
      // Only the list tells that no booking of one's own has the number and is not to be updated.
      if (x && [409, 422].includes(responseOf(x)?.status ?? 0) && !(await ownOfNumber(t, record)))
        t.judge(x, { 'WCI-SCP-003': answered(x, notFound) });
      const after = await t.send(read);
      // What the record is need not be known otherwise.
      t.judge([before, after], {
        'WCI-SCP-006': equalMembers(after, before, ['status', 'sub_status', 'missing_info']),
      });
    },
  }),

  fixed({
    id: 'wci.scoping.invalid-update',
    title: 'a foreign and a missing record stay alike when the update is invalid',
    verifies: ['WCI-SCP-005'],
    uses: ['other-record'],
    run: async (t) => {
      const { checkinId } = await t.fixtures.otherRecord();
      await askAlike(t, checkinId, (id) => t.send(update({ checkin_id: id, passengers: [] })));
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
      const body = { booking_id: own.bookingId, passengers: own.body.passengers };
      const send = (id: string) => t.send(update({ checkin_id: id, ...body }));
      await send(checkinId);
      await askUnknownCheckin(t, checkinId, send);
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
      const first = await t.send(subscribe(shared.body, { key: otherKey }));
      await meter?.look();
      // The other enterprise may have it from an earlier try, whose answer was lost.
      const isKnown = memberOf(first, 'message') === 'ALREADY_SUBSCRIBED';
      const own = isKnown ? await t.fixtures.subscribed() : shared;
      const x = isKnown ? await t.send(subscribe(own.body, { key: otherKey })) : first;
      const { checkinId } = recordOf(own.body, x);
      const read = status({ checkin_id: own.checkinId }, { key: sameKey(t, own.subscribed) });
      const before = await t.send(read);
      const { passengers } = withoutPassports(own.body);
      const change = await t.send(update({ checkin_id: checkinId, passengers }, { key: sameKey(t, x) }));
      const after = await t.send(read);
      // What the attempt is need not be known otherwise.
      if (isAccepted(before) && isAccepted(change))
        t.judge([before, change, after], {
          'WCI-SCP-009': equalMembers(after, before, ['status', 'sub_status', 'missing_info']),
        });
      if (!meter) t.skip('the deployment shows no quota');
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
        t.assume(refused(made).status === 'holds', `a foreign clientId: ${describeResponse(made)}`);
        t.judge(made, { 'WCI-SCP-014': notApplicable });
        return;
      }
      const { checkinId } = recordOf(body, made);
      await t.send(status({ checkin_id: checkinId }, { key: sameKey(t, made) }));
      await t.send(status({ checkin_id: checkinId }, { key: otherKey }));
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
      await t.send(status({ checkin_id: checkinId }, { key: withKey(second) }));
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
      const read = () => t.send(status({ checkin_id: checkinId }, { key: withKey(second) }));
      // A copy may be late with a record that is just made.
      if (responseOf(await read())?.status === 404) {
        await t.sleep(lateMs);
        await read();
      }
      await findRecord(t, checkinId, { key: withKey(second), until: isListed });
    },
  }),
]);

/**
 * The page that shows a booking of the caller's own with the number of a foreign one, as where each enterprise numbers
 * its own. An update by that number would change it, whoever made it.
 */
async function ownOfNumber(t: CheckContext, { checkinId, bookingId }: OwnRecord): Promise<Exchange | null> {
  const isOwn = (item: AnswerObject) => item.booking_id === bookingId && item.checkin_id !== checkinId;
  const { item, page } = await findListed(t, isOwn);
  return item === null ? null : page;
}
