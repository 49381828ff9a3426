import {
  type AnswerObject,
  type CheckContext,
  type Corruption,
  type Exchange,
  type JsonObject,
  type Judgement,
  type OwnRecord,
  answered,
  fc,
  generate,
  invalid,
  isAccepted,
  lacksNothing,
  lacksSomething,
  objectOf,
  objectsAt,
  property,
  rulesOf,
  sameMembers,
  suite,
  table,
  unclear,
} from '../checks.ts';
import {
  corrupt,
  judgeUpdated,
  lackingTwice,
  lookAt,
  pnrUpdate,
  readStatus,
  sendUpdate,
} from '../support/checkin.ts';
import { findRecord, isListed } from '../support/listing.ts';

const all: readonly Corruption[] = [
  ...generate.updateCorruptions,
  ...generate.laterPassengerCorruptions.map((fault) => ({ ...fault, rule: 'WCI-UPD-025' })),
  generate.row(
    'WCI-UPD-048',
    'passengers-and-null',
    fc.constant((body: JsonObject): JsonObject => ({
      ...body,
      passengers: [...objectsAt(body, 'passengers'), null],
    })),
  ),
  inPayload('document-type-unknown'),
  inPayload('passport-not-object'),
];
// What the table leaves out, the property sends.
const rows = all.filter(
  ({ name }) =>
    !/^payload-passengers-(as-(text|json-text|numbered-object)|of-(texts|numbers|lists|empty-lists))$/.test(
      name,
    ) &&
    !/^(pnr-with-empty-payload|passengers-as-text|passengers-of-numbers|pnr-array|pnr-boolean)$/.test(name),
);
const rules = rulesOf(rows);
const stateMembers = ['booking_id', 'status', 'sub_status', 'missing_info'] as const;

/** By either of the two readings of a missing name: at the top and in payload, of the first passenger and of the second. */
const namelessUpdates = generate.missingNames.flatMap((fault) =>
  ['at the top', 'in payload', 'of the second passenger'].map((place) => ({
    rule: 'WCI-UPD-025',
    name: `${fault.name} ${place}`,
    body: (t: CheckContext, checkinId: string, [first = {}]: readonly JsonObject[]): JsonObject => {
      const isSecond = place === 'of the second passenger';
      const named = isSecond ? generate.companionOf(first) : first;
      const nameless = objectsAt(corrupt(t, fault, { passengers: [named] }), 'passengers');
      const passengers = isSecond ? [first, ...nameless] : nameless;
      return place === 'in payload'
        ? { checkin_id: checkinId, type: 'passengers', payload: { passengers } }
        : { checkin_id: checkinId, passengers };
    },
  })),
);

export default suite('POST /extPartner/api/webcheckin/update: refusals', [
  table({
    id: 'wci.update.refused',
    title: 'an update that breaks a rule is refused as invalid and changes nothing',
    verifies: [...rules, 'WCI-UPD-037', 'WCI-UPD-029'],
    uses: ['workbench-record'],
    rows,
    run: async (t, sent) => {
      const record = await t.fixtures.workbenchRecord();
      const listedBefore = await listedAsMade(t, record);
      const before = await completed(t, record, await readStatus(t, record.checkinId));
      const taken: Exchange[] = [];
      await t.each(sent, async (fault) => {
        const exchange = await sendUpdate(t, record, corrupt(t, fault, validUpdate(record)));
        if (isAccepted(exchange)) taken.push(exchange);
        t.judge(exchange, { [fault.rule]: answered(exchange, invalid) });
      });
      if (taken.length > 0) return;
      const after = await readStatus(t, record.checkinId);
      const { page, item } = await findRecord(t, record);
      t.judge([before, after], { 'WCI-UPD-037': unchanged(before, after) });
      t.assume(item !== null && listedBefore !== null, 'the list does not show the record');
      t.judge(page, { 'WCI-UPD-037': sameMembers(item ?? {}, listedBefore ?? {}, ['pnr']) });
      if (!isComplete(objectOf(before))) return;
      // What was refused right before does not matter to what is valid.
      const { checkinId } = record;
      await sendUpdate(t, record, { checkin_id: checkinId, passengers: [] });
      const whole = { checkin_id: checkinId, passengers: objectsAt(record.body, 'passengers') };
      await lookAt(t, await sendUpdate(t, record, whole), lacksNothing);
    },
  }),

  table({
    id: 'wci.update.missing-name',
    title: 'an update of a passenger without a name is refused, or counts it as missing information',
    verifies: ['WCI-UPD-025'],
    uses: ['workbench-record'],
    rows: namelessUpdates,
    run: async (t, sent) => {
      const record = await t.fixtures.workbenchRecord();
      const passengers = objectsAt(record.body, 'passengers');
      await t.each(sent, async ({ rule, body }) => {
        const exchange = await sendUpdate(t, record, body(t, record.checkinId, passengers));
        const { evidence, judgement } = isAccepted(exchange)
          ? await judgeUpdated(t, exchange, lacksSomething)
          : { evidence: [exchange], judgement: answered(exchange, invalid) };
        t.judge(evidence, { [rule]: judgement });
      });
    },
  }),

  property({
    id: 'wci.update.corrupted',
    title: 'any update with one fault is refused as invalid and changes nothing',
    verifies: [...rules, 'WCI-UPD-037'],
    uses: ['workbench-record'],
    run: async (t) => {
      const record = await t.fixtures.workbenchRecord();
      // Other checks may have updated the record.
      let last = await readStatus(t, record.checkinId);
      const fault = fc.oneof(
        ...all.map(({ rule, name, apply }) =>
          apply.map((change) => ({ rule, name, body: change(validUpdate(record)) })),
        ),
      );
      await t.forAll('an update with one fault', fault, async ({ rule, body }) => {
        const exchange = await sendUpdate(t, record, body);
        if (isAccepted(exchange)) last = await readStatus(t, record.checkinId);
        t.judge(exchange, { [rule]: answered(exchange, invalid) });
        const after = await readStatus(t, record.checkinId);
        t.judge([exchange, after], { 'WCI-UPD-037': unchanged(last, after) });
      });
    },
  }),
]);

/** Valid, and poorer than what is stored, so that it shows when it is done all the same. */
function validUpdate(record: OwnRecord): JsonObject {
  const passengers = objectsAt(record.body, 'passengers').map(lackingTwice);
  return { checkin_id: record.checkinId, passengers };
}

/** The record as it is listed with the pnr that it was made with, so that another one would show; null where no list shows it. */
async function listedAsMade(t: CheckContext, record: OwnRecord): Promise<AnswerObject | null> {
  const { pnr } = record.body;
  const { item } = await findRecord(t, record, { until: isListed });
  if (item === null || item.pnr === pnr || typeof pnr !== 'string') return item;
  await sendUpdate(t, record, pnrUpdate(record, pnr));
  return (await findRecord(t, record, { until: (listed) => listed?.pnr === pnr })).item;
}

/** The record as it is read once it lacks nothing, so that the poorer updates would show. */
async function completed(t: CheckContext, record: OwnRecord, read: Exchange): Promise<Exchange> {
  if (!isAccepted(read) || isComplete(objectOf(read))) return read;
  const { checkinId } = record;
  await sendUpdate(t, record, { checkin_id: checkinId, passengers: objectsAt(record.body, 'passengers') });
  return readStatus(t, checkinId);
}

function isComplete(read: AnswerObject | null): boolean {
  return lacksNothing(read).status === 'holds';
}

function unchanged(before: Exchange, after: Exchange): Judgement {
  const [old, now] = [objectOf(before), objectOf(after)];
  return old && now ? sameMembers(now, old, stateMembers) : unclear('the record was not read');
}

/** A fault of a passenger where the list stands in payload. */
function inPayload(name: string): Corruption {
  const fault = generate.updateCorruptions.find((row) => row.name === name);
  if (!fault) throw new Error(`there is no corruption ${name}`);
  const apply = fault.apply.map((change) => (body: JsonObject) => {
    const { passengers = [], ...rest } = change(body);
    return { ...rest, type: 'passengers', payload: { passengers } };
  });
  return { ...fault, name: `payload-${name}`, apply };
}
