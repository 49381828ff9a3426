import {
  type CheckContext,
  type Exchange,
  type JsonObject,
  type OwnRecord,
  type Part,
  generate,
  isAccepted,
  isJsonObject,
  lacksNothing,
  lacksSomething,
  suite,
  table,
  without,
  differs,
  is,
} from '../checks.ts';
import {
  corrupt,
  firstPassenger,
  lookAt,
  moveOn,
  judgeUpdated,
  lackingTwice,
  ownRecord,
  sendUpdate,
  updated,
} from '../support/checkin.ts';
import { untilTick } from '../support/clocks.ts';
import { sameKey } from '../support/keys.ts';
import { findRecord } from '../support/listing.ts';
import { type ScalarForm, knownForm, multipart, scalarForm, updateParts } from '../support/multipart.ts';
import {
  lookAtWhole,
  observeMismatches,
  sendNationalities,
  sendReplacing,
  sendTopLevel,
} from '../support/multipartUpdates.ts';
import { askUnknownCheckin } from '../support/unknownIds.ts';
import { neighbour, rephoned } from '../support/updateIdentifiers.ts';

const scan = 'scan1';

/** Faults of the passengers: in which parts type and operation travel is not shown, so that these may be passed over. */
const malformed: readonly {
  readonly rule: string;
  readonly name: string;
  readonly body: (t: CheckContext, complete: JsonObject) => JsonObject;
}[] = [
  { rule: 'WCI-MP-020', name: 'no passenger', body: () => ({ passengers: [] }) },
  {
    rule: 'WCI-MP-020',
    name: 'a document of no known type',
    body: (_, one) => ({ passengers: [{ ...one, documents: [{ type: 'WORK_PERMIT' }] }] }),
  },
  ...[...generate.passengerCorruptions, ...generate.laterPassengerCorruptions].map((row) => ({
    rule: 'WCI-MP-020',
    name: row.name,
    body: (t: CheckContext, one: JsonObject) => corrupt(t, row, { passengers: [one] }),
  })),
];

/** That type and payload are read from their parts was seen before. */
const malformedPayloads: readonly ((complete: JsonObject) => JsonObject)[] = [
  () => ({ type: 'pnr', payload: { pnr: '' } }),
  () => ({ type: 'pnr', payload: {} }),
  (one) => ({
    type: 'passengers',
    payload: { passengers: [{ ...one, documents: [{ type: 'WORK_PERMIT' }] }] },
  }),
];

export default suite('Multipart encoding: update', [
  table({
    id: 'wci.multipart.update',
    title: 'a multipart update is read from its parts, with scans that replace no metadata',
    verifies: [
      ...['WCI-MP-010', 'WCI-MP-011', 'WCI-MP-012', 'WCI-MP-013', 'WCI-MP-014', 'WCI-MP-015', 'WCI-MP-019'],
      ...['WCI-MP-020', 'WCI-UPD-026', 'WCI-UPD-027', 'WCI-UPD-028', 'WCI-OPN-005', 'WCI-OPN-033'],
      ...['WCI-UPD-005', 'WCI-UPD-012', 'WCI-UPD-015', 'WCI-UPD-016', 'WCI-UPD-018', 'WCI-UPD-019'],
      ...['WCI-UPD-034', 'WCI-UPD-045', 'WCI-MP-070'],
    ],
    uses: ['complete-record', 'scratch-record'],
    exclusive: 'sparing',
    rows: malformed,
    run: async (t, rows) => {
      const record = await ownRecord(t);
      const form = await scalarForm(t, record);
      if (form === null) {
        judgeUnread(t, record);
        return;
      }
      const stage = stageOf(t, record, form);
      const checkin_id = record.checkinId;
      await judgeScan(t, stage);
      const pnr = t.identities.pnr();
      await stage.send({ checkin_id, type: 'pnr', payload: { pnr } });
      await findRecord(t, record, { until: (shown) => shown?.pnr === pnr });
      await sendNames(t, stage);
      // The plainest fault, where one is all that is sent.
      await t.each(t.isSparing ? malformed.slice(0, 1) : rows, async ({ body }) => {
        await stage.send({ checkin_id, ...body(t, stage.complete) });
      });
      await sendLists(t, stage);
      await sendScanAlone(t, stage);
      if (t.isSparing) return;
      for (const body of malformedPayloads) await stage.send({ checkin_id, ...body(stage.complete) });
    },
  }),

  table({
    id: 'wci.multipart.update-foreign',
    title: 'a multipart update of a record of another enterprise finds nothing',
    verifies: ['WCI-MP-019'],
    uses: ['other-record'],
    rows: ['checkin_id', 'webcheckin_id'].map((name) => ({ rule: 'WCI-MP-019', name })),
    run: async (t, rows) => {
      const { checkinId, body } = await t.fixtures.otherRecord();
      const { passengers } = body;
      await t.each(rows, async ({ name }) => {
        const parts = updateParts({ [name]: checkinId, passengers: passengers ?? [] }, knownForm(t));
        await t.send(multipart(t, 'wci.update', parts));
      });
    },
  }),
]);

/** An own record, and multipart updates of it in a form that the deployment reads. */
interface Stage {
  readonly record: OwnRecord;
  readonly form: ScalarForm;
  /** A passenger who lacks nothing, and one with a scan of the passport as well. */
  readonly complete: JsonObject;
  readonly scanned: JsonObject;
  readonly file: Part;
  readonly send: (body: JsonObject, ...files: readonly Part[]) => Promise<Exchange>;
}

function stageOf(t: CheckContext, record: OwnRecord, form: ScalarForm): Stage {
  const complete = firstPassenger(record.body);
  const passport = isJsonObject(complete.passport) ? complete.passport : {};
  const key = sameKey(t, record.subscribed);
  return {
    ...{ record, form, complete, file: generate.filePart(scan, 'scan.png') },
    scanned: { ...complete, passport: { ...passport, file_field: scan } },
    send: (body, ...files) =>
      t.send(multipart(t, 'wci.update', [...updateParts(body, form), ...files], { key })),
  };
}

/** A scan beside complete data takes nothing away from it. */
async function judgeScan(t: CheckContext, stage: Stage): Promise<void> {
  const { record, complete, scanned, file, send } = stage;
  const checkin_id = record.checkinId;
  const full = await send({ checkin_id, passengers: [scanned] }, file);
  const kept = await judgeUpdated(t, full, lacksNothing);
  if (isAccepted(full) && kept.judgement.status === 'violated') {
    const plain = await sendUpdate(t, record, { checkin_id, passengers: [complete] });
    const control = await judgeUpdated(t, plain, lacksNothing);
    t.assume(control.judgement.status === 'holds', 'without a scan something is missing as well');
  }
  t.judge(kept.evidence, { 'WCI-MP-010': kept.judgement });
  if (!t.isSparing) await untilTick(t, updated(full)?.last_updated);
  const alias = await sendAlias(t, stage);
  if (t.isSparing || !isAccepted(full)) return;
  await moveOn(t, [full, alias], () => send({ checkin_id, passengers: [scanned] }, file));
}

/** An update by the alias with the file before the named parts, or behind them where that is refused. */
async function sendAlias(t: CheckContext, stage: Stage): Promise<Exchange> {
  const { record, form, scanned, file, send } = stage;
  const body = { webcheckin_id: record.checkinId, passengers: [rephoned(scanned)] };
  const key = sameKey(t, record.subscribed);
  const early = await t.send(multipart(t, 'wci.update', [file, ...updateParts(body, form)], { key }));
  return isAccepted(early) ? early : send(body, file);
}

/** Uploads need the name of the check-in; an unknown one is not found. */
async function sendNames(t: CheckContext, { record, complete, scanned, file, send }: Stage): Promise<void> {
  await send({ booking_id: record.bookingId, passengers: [scanned] }, file);
  await askUnknownCheckin(t, record.checkinId, (id) => send({ checkin_id: id, passengers: [complete] }));
}

/** What is sent replaces the stored list, as by JSON. */
async function sendLists(t: CheckContext, stage: Stage): Promise<void> {
  const { record, form, complete, send } = stage;
  const checkin_id = record.checkinId;
  const whole = t.isSparing ? null : await sendSets(t, stage);
  const poorer = await send({ checkin_id, passengers: [lackingTwice(complete)] });
  await lookAt(t, poorer, lacksSomething);
  if (!whole) return;
  await moveOn(t, [whole, poorer], () => send({ checkin_id, passengers: [complete] }));
  const other = await neighbour(t);
  await send({ checkin_id, booking_id: other.bookingDigits, passengers: [complete] });
  if (form !== 'payload') await sendTopLevel(t, record, send);
}

/** Lists of several passengers; returns the last answer, to an update that lacks nothing. */
async function sendSets(t: CheckContext, stage: Stage): Promise<Exchange> {
  const { record, complete, send } = stage;
  const checkin_id = record.checkinId;
  const replace = (passengers: readonly JsonObject[]) => send({ checkin_id, passengers });
  const passengers = [complete, generate.companionOf(complete)];
  // The first one right after a refusal, the second one after a poorer update.
  await lookAtWhole(t, record, await replace(passengers));
  await sendNationalities(t, record, replace);
  await sendNested(t, stage);
  await lookAtWhole(t, record, await send({ webcheckin_id: checkin_id, passengers }));
  await sendReplacing(t, complete, replace);
  const whole = await replace([complete]);
  await untilTick(t, updated(whole)?.last_updated);
  return whole;
}

/** The part payload holds passengers as well, which replace the stored ones, complete so far. */
async function sendNested(t: CheckContext, { record, complete, send }: Stage): Promise<void> {
  const body = { checkin_id: record.checkinId, type: 'passengers', payload: { passengers: [complete] } };
  const nested = await send(body);
  // What is refused as JSON as well is refused for something else.
  if (!isAccepted(nested)) await sendUpdate(t, record, body);
  await lookAt(t, nested, lacksNothing);
  await lookAt(t, await send({ ...body, payload: { passengers: [lackingTwice(complete)] } }), lacksSomething);
}

/** A scan does not replace the data of a passport. */
async function sendScanAlone(t: CheckContext, stage: Stage): Promise<void> {
  const { record, complete, scanned, file, send } = stage;
  const checkin_id = record.checkinId;
  const bare = { ...complete, passport: { file_field: scan } };
  await lookAt(t, await send({ checkin_id, passengers: [bare] }, file), lacksSomething);
  if (!t.isSparing) {
    // The whole list replaces the stored one: a member that is left out is not kept from before.
    const visa = { ...without(complete, 'passport'), documents: [{ type: 'VISA', file_field: scan }] };
    await send({ checkin_id, passengers: [complete] });
    await lookAt(t, await send({ checkin_id, passengers: [visa] }, file), lacksSomething);
  }
  await observeMismatches(t, record, scanned, [
    send({ checkin_id, passengers: [scanned] }),
    send({ checkin_id, passengers: [complete] }, file),
  ]);
}

/** No form in which an update could name its record leaves no way to send an upload, which the documents promise. */
function judgeUnread(t: CheckContext, record: OwnRecord): void {
  const got = is.noted(is.refused, 'in whatever part its identifier stood');
  t.judge(record.subscribed, { 'WCI-MP-012': differs('answer', 'answer', is.accepted, got) });
}
