import {
  type CheckContext,
  type Exchange,
  type JsonObject,
  type Judgement,
  type OwnRecord,
  about,
  accepted,
  generate,
  hasMember,
  isAccepted,
  lacksNothing,
  lacksSomething,
  memberOf,
  objectOf,
  objectsAt,
  responseOf,
  sameMembers,
  sparing,
  subscribe,
  suite,
  without,
} from '../checks.ts';
import {
  isRefused,
  judgeMoved,
  judgeUpdated,
  lackingTwice,
  ownRecord,
  pnrUpdate,
  readStatus,
  sendUpdate,
  updated,
} from '../support/checkin.ts';
import { untilTick } from '../support/clocks.ts';
import { sameKey } from '../support/keys.ts';
import { findRecord, isListed } from '../support/listing.ts';
import { isTaken, judgeBothKept, keptPnr } from '../support/pnrUpdates.ts';

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
      const isWhole = (await judgeUpdated(t, whole, lacksNothing)).judgement.status === 'holds';
      const before = await findRecord(t, record, { until: isListed });
      let fresh = t.identities.pnr();
      if (!t.isSparing) await untilTick(t, updated(whole)?.last_updated);
      const changed = await sendUpdate(t, record, pnrUpdate(record, fresh));
      t.judge(changed, { 'WCI-UPD-013': accepted(changed) });
      if (!t.isSparing && isAccepted(whole))
        fresh = await judgeNewPnrMoved(t, record, { whole, changed, pnr: fresh });
      const after = await findRecord(t, record, { until: (item) => item?.pnr === fresh });
      t.judge([changed, after.page], {
        'WCI-UPD-014': hasMember(after.item, 'pnr', fresh),
        'WCI-UPD-050': hasMember(objectOf(changed), 'type', 'pnr'),
        'WCI-UPD-035': isRecord(changed, record),
      });
      const again = await t.send(subscribe({ ...record.body, pnr: fresh }, { key: sameKey(t, changed) }));
      const isSame = memberOf(again, 'checkin_id') === record.checkinId;
      if (after.item?.pnr === fresh && isAccepted(again))
        t.observe('WCI-OPN-069', isSame ? 'new-pnr' : 'first-pnr', again);
      const kept = await judgeUpdated(t, changed, lacksNothing);
      if (isWhole) t.judge(kept.evidence, { 'WCI-UPD-036': kept.judgement });

      const [outer, inner, loose] = [t.identities.pnr(), t.identities.pnr(), t.identities.pnr()];
      const twice = await sendUpdate(t, record, { ...pnrUpdate(record, inner), pnr: outer });
      const beside = await sendUpdate(t, record, { checkin_id: record.checkinId, passengers, pnr: loose });
      const wanted = isAccepted(twice) ? inner : fresh;
      const last = await findRecord(t, record, { until: (item) => item?.pnr === wanted });
      t.judge([beside, last.page], { 'WCI-UPD-045': keptPnr(beside, last.item) });
      t.judge([twice, beside, last.page], {
        'WCI-UPD-018': isTaken(twice, last.item, wanted, outer),
        'WCI-UPD-019': isTaken(beside, last.item, wanted, loose),
      });
      t.judge([changed, last.page], {
        'WCI-UPD-045': sameMembers(last.item ?? {}, { ...before.item, pnr: last.item?.pnr }, bookingMembers),
      });
      const body = { ...pnrUpdate(record, t.identities.pnr()), passengers };
      observeMisfit(t, await sendUpdate(t, record, body));
      if (!t.isSparing) await judgeSecondKept(t, record);
      if (!t.isSparing) await judgeBothKept(t, record);
      t.assume(
        isWhole,
        'its passengers did not make the record complete, so nothing shows whether a pnr keeps them',
      );
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
        { rule: 'WCI-UPD-010', name: 'type and passengers', body: { type, passengers: lacking } },
        {
          rule: 'WCI-UPD-012',
          name: 'type and payload.passengers',
          body: { type, payload: { passengers: complete } },
        },
        { rule: 'WCI-UPD-021', name: 'operation update', body: { operation: 'update', passengers: lacking } },
        { rule: 'WCI-UPD-021', name: 'operation left out', body: { passengers: complete } },
      ];
      for (const [index, { rule, name, body }] of rows.entries()) {
        await t.each([name], async () => {
          const exchange = await sendUpdate(t, record, { checkin_id, ...body });
          t.assume(responseOf(exchange)?.status !== 409, 'a record that lacks something cannot be updated');
          const took = await judgeUpdated(t, exchange, index % 2 === 0 ? lacksSomething : lacksNothing);
          if (index % 2 === 1 && isAccepted(exchange) && took.judgement.status === 'violated') {
            const plain = await sendUpdate(t, record, {
              checkin_id,
              operation: 'update',
              passengers: complete,
            });
            const control = await judgeUpdated(t, plain, lacksNothing);
            t.assume(control.judgement.status === 'holds', 'a plain update does not complete the record');
          }
          t.judge(took.evidence, { [rule]: took.judgement });
          t.judge(exchange, { 'WCI-UPD-050': hasMember(objectOf(exchange), 'type', type) });
        });
      }
      await t.each(t.isSparing ? [] : ['a passport left out of payload.passengers'], () =>
        judgeLeftOut(t, record, complete),
      );
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

/** Whether a passport is gone that payload.passengers leaves out. */
async function judgeLeftOut(
  t: CheckContext,
  record: OwnRecord,
  complete: readonly JsonObject[],
): Promise<void> {
  const checkin_id = record.checkinId;
  const full = await sendUpdate(t, record, { checkin_id, passengers: complete });
  const whole = await judgeUpdated(t, full, lacksNothing);
  t.assume(whole.judgement.status === 'holds', 'the record is not complete');
  const payload = { passengers: complete.map((one) => without(one, 'passport')) };
  const exchange = await sendUpdate(t, record, { checkin_id, type: 'passengers', payload });
  const lost = await judgeUpdated(t, exchange, lacksSomething);
  t.judge(lost.evidence, { 'WCI-UPD-027': lost.judgement });
}

/** Whether a new pnr moved last_updated; returns the pnr that the record has then. */
async function judgeNewPnrMoved(
  t: CheckContext,
  record: OwnRecord,
  given: { readonly whole: Exchange; readonly changed: Exchange; readonly pnr: string },
): Promise<string> {
  let { pnr } = given;
  const { evidence, judgement } = await judgeMoved(t, [given.whole, given.changed], () => {
    pnr = t.identities.pnr();
    return sendUpdate(t, record, pnrUpdate(record, pnr));
  });
  t.judge(evidence, { 'WCI-UPD-034': about(judgement, 'a new pnr') });
  return pnr;
}

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

function isRecord(exchange: Exchange, record: OwnRecord): Judgement {
  return hasMember(updated(exchange), 'checkin_id', record.checkinId);
}

function observeMisfit(t: CheckContext, exchange: Exchange): void {
  if (isRefused(exchange)) t.observe('WCI-OPN-051', 'refused', exchange);
  else if (isAccepted(exchange))
    t.observe('WCI-OPN-051', memberOf(exchange, 'type') === 'pnr' ? 'type-wins' : 'data-wins', exchange);
}

/** What only a second passenger lacks is lacking still after the pnr was changed. */
async function judgeSecondKept(t: CheckContext, record: OwnRecord): Promise<void> {
  const [first = {}] = objectsAt(record.body, 'passengers');
  const second = without(generate.companionOf(first), 'passport', 'documents');
  const both = await sendUpdate(t, record, { checkin_id: record.checkinId, passengers: [first, second] });
  const lacking = await judgeUpdated(t, both, lacksSomething);
  const renamed = await sendUpdate(t, record, pnrUpdate(record, t.identities.pnr()));
  if (lacking.judgement.status !== 'holds' || !isAccepted(renamed)) return;
  const kept = await judgeUpdated(t, renamed, lacksSomething);
  t.judge([both, ...kept.evidence], { 'WCI-UPD-036': kept.judgement });
}
