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
  violated,
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
} from '../support/multipartUpdates.ts';

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
      ...[
        'WCI-UPD-005',
        'WCI-UPD-015',
        'WCI-UPD-016',
        'WCI-UPD-018',
        'WCI-UPD-019',
        'WCI-UPD-034',
        'WCI-UPD-045',
      ],
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
      const { checkinId, bookingId } = record;
      const complete = firstPassenger(record.body);
      const passport = isJsonObject(complete.passport) ? complete.passport : {};
      const lacking = lackingTwice(complete);
      const scanned = { ...complete, passport: { ...passport, file_field: scan } };
      const send = (body: JsonObject, ...files: readonly Part[]) =>
        t.send(multipart(t, 'wci.update', [...updateParts(body, form), ...files], { key }));
      const key = sameKey(t, record.subscribed);
      const file = generate.filePart(scan, 'scan.png');

      const full = await send({ checkin_id: checkinId, passengers: [scanned] }, file);
      const kept = await judgeUpdated(t, full, lacksNothing);
      if (isAccepted(full) && kept.judgement.status === 'violated') {
        const plain = await sendUpdate(t, record, { checkin_id: checkinId, passengers: [complete] });
        const control = await judgeUpdated(t, plain, lacksNothing);
        t.assume(control.judgement.status === 'holds', 'without a scan something is missing as well');
      }
      t.judge(kept.evidence, { 'WCI-MP-010': kept.judgement });
      const alias = await send({ webcheckin_id: checkinId, passengers: [scanned] }, file);
      t.judge(alias, { 'WCI-MP-015': accepted(alias) });
      t.judge(alias, { 'WCI-MP-015': hasMember(updated(alias), 'checkin_id', checkinId) });
      await judgePayload(t, record, form);
      const booking = await send({ booking_id: bookingId, passengers: [scanned] }, file);
      t.judge(booking, { 'WCI-MP-014': notAccepted(booking) });
      const unknown = { checkin_id: t.identities.unknownLike(checkinId), passengers: [complete] };
      const missing = await send(unknown);
      t.judge(missing, { 'WCI-MP-019': answered(missing, notFound) });
      await t.each(rows, async ({ rule, body }) => {
        const exchange = await send({ checkin_id: checkinId, ...body(t, complete) });
        t.judge(exchange, { [rule]: answered(exchange, invalid) });
      });
      let whole: Exchange | null = null;
      if (!t.isSparing) {
        const passengers = [complete, generate.companionOf(complete)];
        // The first one right after a refusal, the second one after a poorer update; what adds to the stored list breaks its own rule.
        await judgeWhole(t, record, await send({ checkin_id: checkinId, passengers }));
        await judgeReplacing(t, complete, (some) => send({ checkin_id: checkinId, passengers: some }));
        await send({ checkin_id: checkinId, passengers: [lacking] });
        whole = await send({ webcheckin_id: checkinId, passengers });
        await judgeWhole(t, record, whole);
        await untilTick(t, updated(whole)?.last_updated);
      }
      const poorer = await send({ checkin_id: checkinId, passengers: [lacking] });
      await judgeRow(t, 'WCI-MP-012', poorer, lacksSomething);
      if (whole) {
        const moved = await judgeMoved(t, [whole, poorer], () =>
          send({ checkin_id: checkinId, passengers: [complete] }),
        );
        t.judge(moved.evidence, { 'WCI-UPD-034': about(moved.judgement, 'a multipart update') });
        await judgeNationalities(t, record, (some) => send({ checkin_id: checkinId, passengers: some }));
        await judgeBookingBeside(t, record, (other) =>
          send({ checkin_id: checkinId, booking_id: other.bookingDigits, passengers: [complete] }),
        );
        if (form !== 'payload') await judgeTopLevel(t, record, send);
      }
      const bare = { ...complete, passport: { file_field: scan } };
      const alone = await send({ checkin_id: checkinId, passengers: [bare] }, file);
      t.assume(
        isAccepted(alone),
        `the update was answered ${describeResponse(alone)}, which is another rule`,
      );
      await judgeRow(t, 'WCI-MP-011', alone, lacksSomething);
      await observeMismatches(t, record, scanned, [
        send({ checkin_id: checkinId, passengers: [scanned] }),
        send({ checkin_id: checkinId, passengers: [complete] }, file),
      ]);
      await t.each(t.isSparing ? [] : missingPnrs, async ({ rule, payload }) => {
        const exchange = await send({ checkin_id: checkinId, type: 'pnr', payload });
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

async function judgeRow(
  t: CheckContext,
  rule: string,
  answer: Exchange,
  judge: Parameters<typeof judgeUpdated>[2],
): Promise<void> {
  const { evidence, judgement } = await judgeUpdated(t, answer, judge);
  t.judge(evidence, { [rule]: judgement });
}

async function judgePayload(t: CheckContext, record: OwnRecord, form: ScalarForm): Promise<void> {
  const pnr = t.identities.pnr();
  const body = { checkin_id: record.checkinId, type: 'pnr', payload: { pnr } };
  const exchange = await t.send(
    multipart(t, 'wci.update', updateParts(body, form), { key: sameKey(t, record.subscribed) }),
  );
  t.judge(exchange, { 'WCI-MP-013': accepted(exchange) });
  const { item, page } = await findRecord(t, record, { until: (shown) => shown?.pnr === pnr });
  t.assume(item !== null, 'the list does not show the record');
  t.judge([exchange, page], { 'WCI-MP-013': hasMember(item, 'pnr', pnr) });
}

/** A reference without a file, a file without a reference, and a file_field in JSON. */
async function observeMismatches(
  t: CheckContext,
  record: OwnRecord,
  scanned: JsonObject,
  sent: readonly Promise<Exchange>[],
): Promise<void> {
  const answers = [...(await Promise.all(sent))];
  answers.push(await sendUpdate(t, record, { checkin_id: record.checkinId, passengers: [scanned] }));
  const ways = new Set(answers.map(wayWith).filter((way) => way !== null));
  const [only] = ways;
  if (only !== undefined) t.observe('WCI-OPN-033', ways.size > 1 ? 'by-kind' : only, answers[0]);
}

function wayWith(exchange: Exchange): string | null {
  if (isAccepted(exchange)) return 'ignored';
  const status = responseOf(exchange)?.status;
  return status === 400 || status === 422 ? 'refused' : status === 500 ? 'error-500' : null;
}

/** No form in which an update could name its record leaves no way to send an upload, which the documents promise. */
function judgeUnread(t: CheckContext, record: OwnRecord): void {
  const actual = 'a refusal, in whatever part its identifier stood';
  t.judge(record.subscribed, { 'WCI-MP-012': violated('answer', 'an accepted multipart update', actual) });
}
