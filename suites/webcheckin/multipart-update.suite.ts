import {
  type CheckContext,
  type Exchange,
  type JsonObject,
  type OwnRecord,
  type Part,
  about,
  accepted,
  answered,
  describeResponse,
  generate,
  hasMember,
  invalid,
  isAccepted,
  isJsonObject,
  lacksNothing,
  lacksSomething,
  notAccepted,
  notFound,
  responseOf,
  suite,
  table,
  differs,
  is,
} from '../checks.ts';
import {
  corrupt,
  firstPassenger,
  judgeMoved,
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
  judgeBookingBeside,
  judgeNationalities,
  judgeReplacing,
  judgeTopLevel,
  judgeWhole,
  observeMismatches,
} from '../support/multipartUpdates.ts';
import { askUnknownCheckin } from '../support/unknownIds.ts';
import { rephoned } from '../support/updateIdentifiers.ts';

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
  {
    rule: 'WCI-MP-020',
    name: 'a document of no known type in payload',
    body: (_, one) => ({
      type: 'passengers',
      payload: { passengers: [{ ...one, documents: [{ type: 'WORK_PERMIT' }] }] },
    }),
  },
  ...generate.passengerCorruptions.map((row) => ({
    rule: 'WCI-MP-020',
    name: row.name,
    body: (t: CheckContext, one: JsonObject) => corrupt(t, row, { passengers: [one] }),
  })),
];

/** That type pnr is read from its part was seen before. */
const missingPnrs = [
  { rule: 'WCI-UPD-016', name: 'an empty pnr', payload: { pnr: '' } },
  { rule: 'WCI-UPD-015', name: 'no pnr', payload: {} },
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
      await judgeScan(t, stage);
      await judgePayload(t, stage);
      await judgeNames(t, stage);
      await t.each(rows, async ({ rule, body }) => {
        const exchange = await stage.send({ checkin_id: record.checkinId, ...body(t, stage.complete) });
        t.judge(exchange, { [rule]: answered(exchange, invalid) });
      });
      await judgeLists(t, stage);
      await judgeScanAlone(t, stage);
      await t.each(t.isSparing ? [] : missingPnrs, async ({ rule, payload }) => {
        const exchange = await stage.send({ checkin_id: record.checkinId, type: 'pnr', payload });
        t.judge(exchange, { [rule]: answered(exchange, invalid) });
      });
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
      await t.each(rows, async ({ rule, name }) => {
        const parts = updateParts({ [name]: checkinId, passengers: passengers ?? [] }, knownForm(t));
        const exchange = await t.send(multipart(t, 'wci.update', parts));
        t.assume(responseOf(exchange)?.status !== 400, 'the update was refused for its form');
        t.judge(exchange, { [rule]: answered(exchange, notFound) });
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
  t.judge(alias, { 'WCI-MP-015': accepted(alias) });
  t.judge(alias, { 'WCI-MP-015': hasMember(updated(alias), 'checkin_id', checkin_id) });
  if (t.isSparing || !isAccepted(full)) return;
  const moved = await judgeMoved(t, [full, alias], () => send({ checkin_id, passengers: [scanned] }, file));
  t.judge(moved.evidence, { 'WCI-UPD-034': about(moved.judgement, 'a multipart update that shows nowhere') });
}

/** An update by the alias with the file before the named parts, or behind them where that is refused. */
async function sendAlias(t: CheckContext, stage: Stage): Promise<Exchange> {
  const { record, form, scanned, file, send } = stage;
  const body = { webcheckin_id: record.checkinId, passengers: [rephoned(scanned)] };
  const key = sameKey(t, record.subscribed);
  const early = await t.send(multipart(t, 'wci.update', [file, ...updateParts(body, form)], { key }));
  const late = isAccepted(early) ? early : await send(body, file);
  if (isAccepted(late)) t.judge(early, { 'WCI-MP-070': accepted(early) });
  return late;
}

/** Uploads need the name of the check-in; an unknown one is not found. */
async function judgeNames(t: CheckContext, { record, complete, scanned, file, send }: Stage): Promise<void> {
  const booking = await send({ booking_id: record.bookingId, passengers: [scanned] }, file);
  t.judge(booking, { 'WCI-MP-014': notAccepted(booking) });
  const { x: missing } = await askUnknownCheckin(t, record.checkinId, (id) =>
    send({ checkin_id: id, passengers: [complete] }),
  );
  t.judge(missing, { 'WCI-MP-019': answered(missing, notFound) });
}

/** What is sent replaces the stored list, as by JSON. */
async function judgeLists(t: CheckContext, stage: Stage): Promise<void> {
  const { record, form, complete, send } = stage;
  const checkin_id = record.checkinId;
  const whole = t.isSparing ? null : await judgeSets(t, stage);
  const poorer = await send({ checkin_id, passengers: [lackingTwice(complete)] });
  await judgeRow(t, 'WCI-MP-012', poorer, lacksSomething);
  if (!whole) return;
  const moved = await judgeMoved(t, [whole, poorer], () => send({ checkin_id, passengers: [complete] }));
  t.judge(moved.evidence, { 'WCI-UPD-034': about(moved.judgement, 'a multipart update') });
  await judgeNationalities(t, record, (some) => send({ checkin_id, passengers: some }));
  await judgeNested(t, stage);
  await judgeBookingBeside(t, record, (other) =>
    send({ checkin_id, booking_id: other.bookingDigits, passengers: [complete] }),
  );
  if (form !== 'payload') await judgeTopLevel(t, record, send);
}

/** Lists of several passengers; returns the last answer, to an update that lacks nothing. */
async function judgeSets(t: CheckContext, { record, complete, send }: Stage): Promise<Exchange> {
  const checkin_id = record.checkinId;
  const passengers = [complete, generate.companionOf(complete)];
  // The first one right after a refusal, the second one after a poorer update; what adds to the stored list breaks its own rule.
  await judgeWhole(t, record, await send({ checkin_id, passengers }));
  await judgeReplacing(t, complete, (some) => send({ checkin_id, passengers: some }));
  await send({ checkin_id, passengers: [lackingTwice(complete)] });
  const whole = await send({ webcheckin_id: checkin_id, passengers });
  await judgeWhole(t, record, whole);
  await untilTick(t, updated(whole)?.last_updated);
  return whole;
}

/** The part payload holds passengers as well, which replace the stored ones, complete so far. */
async function judgeNested(t: CheckContext, { record, complete, send }: Stage): Promise<void> {
  const payload = { passengers: [lackingTwice(complete)] };
  const body = { checkin_id: record.checkinId, type: 'passengers', payload };
  const nested = await send(body);
  if (!isAccepted(nested)) {
    const plain = await sendUpdate(t, record, body);
    t.assume(isAccepted(plain), 'payload.passengers is not accepted as JSON either');
  }
  t.judge(nested, { 'WCI-UPD-012': about(accepted(nested), 'a multipart update') });
  await judgeRow(t, 'WCI-MP-013', nested, lacksSomething);
  const whole = await send({ ...body, payload: { passengers: [complete] } });
  await judgeRow(t, 'WCI-MP-013', whole, lacksNothing);
}

/** A scan does not replace the data of a passport. */
async function judgeScanAlone(t: CheckContext, stage: Stage): Promise<void> {
  const { record, complete, scanned, file, send } = stage;
  const checkin_id = record.checkinId;
  const bare = { ...complete, passport: { file_field: scan } };
  const alone = await send({ checkin_id, passengers: [bare] }, file);
  t.assume(isAccepted(alone), `the update was answered ${describeResponse(alone)}, which is another rule`);
  await judgeRow(t, 'WCI-MP-011', alone, lacksSomething);
  await observeMismatches(t, record, scanned, [
    send({ checkin_id, passengers: [scanned] }),
    send({ checkin_id, passengers: [complete] }, file),
  ]);
}

async function judgeRow(
  t: CheckContext,
  rule: string,
  answer: Exchange,
  judge: Parameters<typeof judgeUpdated>[2],
): Promise<void> {
  const { evidence, judgement } = await judgeUpdated(t, answer, judge);
  t.judge(evidence, { [rule]: judgement });
}

async function judgePayload(t: CheckContext, { record, send }: Stage): Promise<void> {
  const pnr = t.identities.pnr();
  const exchange = await send({ checkin_id: record.checkinId, type: 'pnr', payload: { pnr } });
  t.judge(exchange, { 'WCI-MP-013': accepted(exchange) });
  const { item, page } = await findRecord(t, record, { until: (shown) => shown?.pnr === pnr });
  t.assume(item !== null, 'the list does not show the record');
  t.judge([exchange, page], { 'WCI-MP-013': hasMember(item, 'pnr', pnr) });
}

/** No form in which an update could name its record leaves no way to send an upload, which the documents promise. */
function judgeUnread(t: CheckContext, record: OwnRecord): void {
  const got = is.noted(is.refused, 'in whatever part its identifier stood');
  t.judge(record.subscribed, { 'WCI-MP-012': differs('answer', 'answer', is.accepted, got) });
}
