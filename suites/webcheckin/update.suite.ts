import {
  type JsonObject,
  accepted,
  answered,
  fixed,
  generate,
  isAccepted,
  lacksNothing,
  lacksSomething,
  notApplicable,
  objectsAt,
  ok,
  responseOf,
  sparing,
  suite,
  update,
  without,
  recordOf,
} from '../checks.ts';
import {
  firstPassenger,
  isRefused,
  judgeUpdated,
  lookAt,
  moveOn,
  ownRecord,
  sendUpdate,
  showsLatest,
  updated,
} from '../support/checkin.ts';
import { readByAlias } from '../support/aliasReads.ts';
import { untilTick } from '../support/clocks.ts';
import { sameKey } from '../support/keys.ts';
import { leftOut } from '../support/leftOut.ts';
import {
  answersFirst,
  isOf,
  namingsOf,
  neighbour,
  renameBy,
  updateBy,
  updatePair,
  updateUnseen,
} from '../support/updateIdentifiers.ts';
import { askUnknownBooking, askUnknownCheckin } from '../support/unknownIds.ts';
import { subscribeWithWebhook, unusualForm } from '../support/webhooks.ts';
import { observeCompletion, readAgreed, updatePairs } from '../support/updateAgreement.ts';

export default suite('POST /extPartner/api/webcheckin/update', [
  sparing({
    id: 'wci.update.identifiers',
    title: 'a record is updated by checkin_id, by its alias and by booking_id, and checkin_id goes first',
    verifies: [
      ...[
        'WCI-UPD-001',
        'WCI-UPD-002',
        'WCI-UPD-003',
        'WCI-UPD-004',
        'WCI-UPD-005',
        'WCI-UPD-006',
        'WCI-UPD-011',
        'WCI-UPD-014',
      ],
      ...['WCI-UPD-033', 'WCI-UPD-034', 'WCI-UPD-035', 'WCI-UPD-043'],
      ...['WCI-OPN-009', 'WCI-OPN-037', 'WCI-OPN-052'],
    ],
    uses: ['complete-record', 'scratch-record', 'incomplete-record'],
    exclusive: 'sparing',
    tags: ['smoke'],
    run: async (t) => {
      const [one, other] = [await ownRecord(t), await neighbour(t)];
      const passengers = objectsAt(one.body, 'passengers');
      const { checkinId } = one;
      const send = (body: JsonObject) => sendUpdate(t, one, body);
      const plain = await send({ checkin_id: checkinId, passengers });
      t.judge(plain, { 'WCI-UPD-043': accepted(plain) });
      const names = namingsOf(one);
      await t.each(names, async (naming) => {
        const answer = await updateBy(t, one, naming);
        if (!t.isSparing && isAccepted(answer)) await readAgreed(t, one, answer);
      });
      if (!t.isSparing) await updateUnseen(t, one);
      await t.each(t.isSparing ? [] : names, (naming) => renameBy(t, one, naming));
      await t.each(['an unknown booking_id beside checkin_id'], async () => {
        const body = {
          checkin_id: checkinId,
          booking_id: t.unknown.bookingId(),
          passengers,
        };
        const exchange = await send(body);
        t.judge(exchange, { 'WCI-UPD-006': answersFirst(exchange, one) });
      });
      const both = await updatePair(t, one, { checkin_id: checkinId, booking_id: other.bookingId });
      if (isRefused(both)) t.observe('WCI-OPN-009', 'refused', both);
      if (isAccepted(both) && isOf(both, one)) t.observe('WCI-OPN-009', 'precedence-applies', both);
      if (!t.isSparing) await updatePairs(t, one, other);
      const aliased = await send({
        checkin_id: checkinId,
        webcheckin_id: other.checkinId,
        passengers: objectsAt(other.body, 'passengers'),
      });
      if (isRefused(aliased)) t.observe('WCI-OPN-037', 'refused', aliased);
      else if (isAccepted(aliased))
        t.observe('WCI-OPN-037', isOf(aliased, one) ? 'main-name' : 'alias', aliased);
      const taken = { checkin_id: checkinId, type: 'pnr', payload: { pnr: other.pnr } };
      const collision = await send(taken);
      const status = responseOf(collision)?.status;
      if (isAccepted(collision)) t.observe('WCI-OPN-052', 'accepted', collision);
      else if (status !== undefined && status < 500)
        t.observe('WCI-OPN-052', status === 409 ? 'refused-409' : 'refused-otherwise', collision);
    },
  }),

  sparing({
    id: 'wci.update.unknown',
    title: 'an update of what does not exist is 404 NOT_FOUND',
    verifies: ['WCI-UPD-008', 'WCI-UPD-009', 'WCI-UPD-054'],
    uses: ['complete-record'],
    needs: ['writes'],
    tags: ['smoke'],
    run: async (t) => {
      const record = await t.fixtures.completeRecord();
      const passengers = objectsAt(record.body, 'passengers');
      await t.each(['["checkin_id"]'], async () => {
        const ask = (id: string) => t.send(update({ checkin_id: id, passengers }));
        await askUnknownCheckin(t, record.checkinId, ask);
      });
      await t.each(['["booking_id"]'], async () => {
        await askUnknownBooking(t, async (id) => {
          const exchange = await t.send(update({ booking_id: id, passengers }));
          // A number that is refused for its type says nothing of what it names.
          return isRefused(exchange)
            ? await t.send(update({ booking_id: String(id), passengers }))
            : exchange;
        });
      });
      // To some readers and databases a number ends where its digits do.
      const longer = `${record.bookingDigits}abc`;
      await t.each(t.isSparing ? [] : [longer], async (booking_id) => {
        await t.send(update({ booking_id, passengers }));
      });
      // Some readers take a list of one for what is in it.
      const lists = [
        { name: 'a list as booking_id', named: { booking_id: [record.bookingId] } },
        { name: 'a list as checkin_id', named: { checkin_id: [record.checkinId] } },
      ];
      await t.each(t.isSparing ? [] : lists, async ({ named }) => {
        await t.send(update({ ...named, passengers }));
      });
      // Where checkin_ids are numbers, that of another record may be the same.
      const { bookingDigits, checkinId } = record;
      const isNumber = /^\d+$/.test(checkinId);
      if (isNumber) t.judge(record.subscribed, { 'WCI-UPD-054': notApplicable });
      const names = isNumber ? [] : ['webcheckin_id', 'checkin_id'].slice(0, t.isSparing ? 1 : 2);
      await t.each(names, async (name) => {
        await t.send(update({ [name]: bookingDigits, passengers }));
      });
    },
  }),

  fixed({
    id: 'wci.update.replaces',
    title: 'the passengers of an update replace all that were there',
    verifies: [
      ...[
        'WCI-UPD-026',
        'WCI-UPD-027',
        'WCI-UPD-028',
        'WCI-UPD-029',
        'WCI-UPD-033',
        'WCI-UPD-034',
        'WCI-UPD-046',
      ],
      'WCI-STS-002',
      'WCI-STS-019',
      'WCI-OPN-049',
    ],
    uses: ['complete-record'],
    tags: ['smoke'],
    run: async (t) => {
      const booking = await t.fixtures.booking();
      const complete = firstPassenger(booking);
      const lacking = without(generate.companionOf(complete), 'passport', 'documents');
      const passengers = [complete, lacking];
      const made = await subscribeWithWebhook(t, { ...booking, passengers }, unusualForm);
      const record = recordOf(made.body, made.exchange);
      const replace = (passengers: readonly JsonObject[]) =>
        sendUpdate(t, record, { checkin_id: record.checkinId, passengers });

      const shorter = await replace([complete]);
      // What is missing can be given: no conflict stands in the way of that.
      t.judge(shorter, { 'WCI-UPD-029': answered(shorter, ok) });
      const read = await readAgreed(t, record, shorter);
      await readByAlias(t, { checkinId: record.checkinId, read, key: sameKey(t, record.subscribed) });
      await lookAt(t, shorter, lacksNothing);
      await observeCompletion(t, record, shorter, read);

      await untilTick(t, updated(shorter)?.last_updated);
      const poorer = await replace([without(complete, 'passport')]);
      const again = await readAgreed(t, record, poorer);
      await lookAt(t, poorer, lacksSomething);
      const poorest = without(complete, 'passport', 'documents');
      await moveOn(t, [shorter, poorer], () => replace([poorest]));
      await lookAt(t, await replace([complete]), lacksNothing);
      const added = await judgeUpdated(t, await replace([complete, lacking]), lacksSomething);
      t.judge(added.evidence, { 'WCI-UPD-028': added.judgement });
      for (const left of leftOut(complete)) await lookAt(t, await replace([left]), lacksSomething);
      t.judge([shorter, poorer, again], { 'WCI-STS-019': showsLatest(again, [shorter, poorer]) });
    },
  }),

  fixed({
    id: 'wci.update.second-key',
    title: 'another key of the enterprise updates the record',
    verifies: ['WCI-UPD-044'],
    uses: ['workbench-record'],
    needs: ['second-key'],
    run: async (t) => {
      const record = await t.fixtures.workbenchRecord();
      const key = t.keys.primary.find(({ label }) => label !== record.subscribed.key);
      if (!key) return t.skip('there is no second key');
      const body = { checkin_id: record.checkinId, passengers: objectsAt(record.body, 'passengers') };
      await t.send(update(body, { key: { kind: 'key', key } }));
    },
  }),
]);
