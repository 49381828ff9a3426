import {
  type CheckContext,
  type Exchange,
  type JsonObject,
  type OwnRecord,
  generate,
  isAccepted,
  lacksNothing,
  lacksSomething,
  memberOf,
  objectsAt,
  sameMembers,
  sparing,
  subscribe,
  suite,
  without,
} from '../checks.ts';
import {
  isRefused,
  judgeUpdated,
  lackingTwice,
  lookAt,
  moveOn,
  ownRecord,
  pnrUpdate,
  readStatus,
  sendUpdate,
  updated,
} from '../support/checkin.ts';
import { untilTick } from '../support/clocks.ts';
import { sameKey } from '../support/keys.ts';
import { findRecord, isListed } from '../support/listing.ts';
import { judgeBothKept } from '../support/pnrUpdates.ts';

const bookingMembers = ['pnr', 'origin', 'destination', 'airline', 'flight_number'] as const;

export default suite('POST /extPartner/api/webcheckin/update: type, operation and payload', [
  sparing({
    id: 'wci.update.pnr',
    title: 'a pnr update changes the pnr, only from payload, and nothing else',
    verifies: [
      ...[
        'WCI-UPD-013',
        'WCI-UPD-014',
        'WCI-UPD-018',
        'WCI-UPD-019',
        'WCI-UPD-034',
        'WCI-UPD-035',
        'WCI-UPD-036',
        'WCI-UPD-045',
      ],
      ...['WCI-UPD-050', 'WCI-OPN-051', 'WCI-OPN-069'],
    ],
    uses: ['complete-record', 'scratch-record'],
    exclusive: 'sparing',
    run: async (t) => {
      const record = await ownRecord(t);
      const passengers = objectsAt(record.body, 'passengers');
      const whole = await sendUpdate(t, record, { checkin_id: record.checkinId, passengers });
      await lookAt(t, whole, lacksNothing);
      let fresh = t.identities.pnr();
      if (!t.isSparing) await untilTick(t, updated(whole)?.last_updated);
      const changed = await sendUpdate(t, record, pnrUpdate(record, fresh));
      if (!t.isSparing)
        await moveOn(t, [whole, changed], () => {
          fresh = t.identities.pnr();
          return sendUpdate(t, record, pnrUpdate(record, fresh));
        });
      const after = await findRecord(t, record, { until: (item) => item?.pnr === fresh });
      const again = await t.send(subscribe({ ...record.body, pnr: fresh }, { key: sameKey(t, changed) }));
      const isSame = memberOf(again, 'checkin_id') === record.checkinId;
      if (after.item?.pnr === fresh && isAccepted(again))
        t.observe('WCI-OPN-069', isSame ? 'new-pnr' : 'first-pnr', again);
      await lookAt(t, changed, lacksNothing);

      const [outer, inner, loose] = [t.identities.pnr(), t.identities.pnr(), t.identities.pnr()];
      const twice = await sendUpdate(t, record, { ...pnrUpdate(record, inner), pnr: outer });
      await sendUpdate(t, record, { checkin_id: record.checkinId, passengers, pnr: loose });
      const wanted = isAccepted(twice) ? inner : fresh;
      await findRecord(t, record, { until: (item) => item?.pnr === wanted });
      const body = { ...pnrUpdate(record, t.identities.pnr()), passengers };
      observeMisfit(t, await sendUpdate(t, record, body));
      if (!t.isSparing) await renameWithSecond(t, record);
      if (!t.isSparing) await judgeBothKept(t, record);
    },
  }),

  sparing({
    id: 'wci.update.forms',
    title: 'type, operation and payload in every documented form',
    verifies: [
      ...['WCI-UPD-010', 'WCI-UPD-012', 'WCI-UPD-021', 'WCI-UPD-027', 'WCI-UPD-050', 'WCI-UPD-045'],
      ...['WCI-OPN-050', 'WCI-OPN-062', 'WCI-OPN-063', 'WCI-OPN-064', 'WCI-OPN-065'],
    ],
    uses: ['complete-record', 'scratch-record'],
    exclusive: 'sparing',
    run: async (t) => {
      const record = await ownRecord(t);
      const checkin_id = record.checkinId;
      const complete = objectsAt(record.body, 'passengers');
      const lacking = complete.map(lackingTwice);
      const before = await findRecord(t, record, { until: isListed });
      const type = 'passengers';
      // Alternately less and more, so that each shows whether it took effect.
      const rows = [
        { name: 'type and passengers', body: { type, passengers: lacking } },
        { name: 'type and payload.passengers', body: { type, payload: { passengers: complete } } },
        { name: 'operation update', body: { operation: 'update', passengers: lacking } },
        { name: 'operation left out', body: { passengers: complete } },
      ];
      const passportless = complete.map((one) => without(one, 'passport'));
      const left = { name: 'no passport in payload', body: { type, payload: { passengers: passportless } } };
      for (const { name, body } of t.isSparing ? rows : [...rows, left])
        await t.each([name], async () => {
          const isLacking = !JSON.stringify(body).includes(JSON.stringify(complete));
          const exchange = await sendUpdate(t, record, { checkin_id, ...body });
          await lookAt(t, exchange, isLacking ? lacksSomething : lacksNothing);
        });
      const untyped = await sendUpdate(t, record, { checkin_id, payload: { passengers: complete } });
      if (isAccepted(untyped)) t.observe('WCI-OPN-050', 'accepted', untyped);
      if (isRefused(untyped)) t.observe('WCI-OPN-050', 'refused', untyped);
      if (!t.isSparing) await observeForms(t, record);
      const { page, item } = await findRecord(t, record, { until: isListed });
      t.assume(item !== null && before.item !== null, 'the list does not show the record');
      t.judge([before.page, page], {
        'WCI-UPD-045': sameMembers(item ?? {}, before.item ?? {}, bookingMembers),
      });
    },
  }),
]);

/** What the documents leave open of an update; the record is complete afterwards, and has the pnr that it had. */
async function observeForms(t: CheckContext, record: OwnRecord): Promise<void> {
  const { checkinId: checkin_id } = record;
  const complete = objectsAt(record.body, 'passengers');
  const lacking = complete.map(lackingTwice);
  const send = (body: JsonObject) => sendUpdate(t, record, { checkin_id, ...body });
  const bare = await send({ payload: { pnr: record.pnr } });
  if (isAccepted(bare)) t.observe('WCI-OPN-062', 'accepted', bare);
  if (isRefused(bare)) t.observe('WCI-OPN-062', 'refused', bare);
  const twice = await send({ type: 'passengers', passengers: lacking, payload: { passengers: complete } });
  if (isRefused(twice)) t.observe('WCI-OPN-063', 'refused', twice);
  const lacks = (await judgeUpdated(t, twice, lacksSomething)).judgement.status;
  if (isAccepted(twice) && lacks !== 'unclear')
    t.observe('WCI-OPN-063', lacks === 'holds' ? 'top-level' : 'payload', twice);
  await send({ passengers: lacking });
  const looks = [await readStatus(t, checkin_id), await readStatus(t, checkin_id)];
  const texts = looks.map((look) => JSON.stringify(memberOf(look, 'missing_info')));
  const [one, other] = texts;
  if (looks.every(isAccepted)) t.observe('WCI-OPN-064', one === other ? 'stable' : 'varies', looks[1]);
  await send({ passengers: complete });
  const before = await readStatus(t, checkin_id);
  await untilTick(t, memberOf(before, 'last_updated'));
  const again = await send({ passengers: complete });
  const after = await readStatus(t, checkin_id);
  const [was, is] = [before, after].map((look) => memberOf(look, 'last_updated'));
  if (isAccepted(again) && typeof was === 'string' && typeof is === 'string')
    t.observe('WCI-OPN-065', was === is ? 'stays' : 'moves', after);
}

function observeMisfit(t: CheckContext, exchange: Exchange): void {
  if (isRefused(exchange)) t.observe('WCI-OPN-051', 'refused', exchange);
  else if (isAccepted(exchange))
    t.observe('WCI-OPN-051', memberOf(exchange, 'type') === 'pnr' ? 'type-wins' : 'data-wins', exchange);
}

/** What only a second passenger lacks is lacking still after the pnr was changed. */
async function renameWithSecond(t: CheckContext, record: OwnRecord): Promise<void> {
  const [first = {}] = objectsAt(record.body, 'passengers');
  const second = without(generate.companionOf(first), 'passport', 'documents');
  const both = { checkin_id: record.checkinId, passengers: [first, second] };
  await lookAt(t, await sendUpdate(t, record, both), lacksSomething);
  await lookAt(t, await sendUpdate(t, record, pnrUpdate(record, t.identities.pnr())), lacksSomething);
}
