import {
  type Exchange,
  type Judgement,
  all,
  answered,
  answeredOtherThan,
  answersOnPath,
  describeResponse,
  equalMembers,
  fixed,
  holds,
  invalid,
  isAccepted,
  isObject,
  memberOf,
  notFound,
  objectOf,
  ok,
  responseOf,
  sameMembers,
  sparing,
  status,
  subscribe,
  suite,
  table,
  differs,
  is,
} from '../checks.ts';
import { judgeAlias } from '../support/aliasReads.ts';
import { sameKey } from '../support/keys.ts';
import { findRecord, isListed } from '../support/listing.ts';
import { judgeByMembers } from '../support/looks.ts';
import { askUnknownCheckin } from '../support/unknownIds.ts';

const readMembers = [
  'checkin_id',
  'booking_id',
  'status',
  'sub_status',
  'checkin_message',
  'missing_info',
] as const;

// A list may put the text for people in other words, or shorter.
const stateMembers = ['booking_id', 'status', 'sub_status', 'missing_info'] as const;

export default suite('GET /extPartner/api/webcheckin/status', [
  fixed({
    id: 'wci.status.own',
    title: 'a record is read by its checkin_id, and checkinId reads the same',
    verifies: ['WCI-STS-001', 'WCI-STS-002', 'WCI-STS-006', 'WCI-STS-007', 'WCI-OPN-034', 'WCI-OPN-060'],
    uses: ['complete-record'],
    tags: ['smoke'],
    run: async (t) => {
      const record = await t.fixtures.completeRecord();
      const key = sameKey(t, record.subscribed);
      const read = await t.send(status({ checkin_id: record.checkinId }, { key }));
      t.judge(read, { 'WCI-STS-001': answered(read, ok) });
      t.judge(read, {
        'WCI-STS-006': equalMembers(read, record.subscribed, ['checkin_id', 'booking_id']),
        'WCI-STS-007': equalMembers(read, record.subscribed, ['status', 'sub_status', 'missing_info']),
      });
      if (memberOf(read, 'status') === 'SCHEDULED') t.observe('WCI-OPN-034', passesOf(read), read);
      const alias = await t.send(status({ checkinId: record.checkinId }, { key }));
      const { checkinId } = record;
      if (equalMembers(alias, read, ['checkin_message']).status === 'holds')
        t.observe('WCI-OPN-060', 'stable', alias);
      const same = await judgeByMembers(t, { checkinId, key, seen: read }, readMembers, (members) =>
        equalMembers(alias, read, members),
      );
      t.judge(alias, { 'WCI-STS-002': all(answered(alias, ok), same) });
    },
  }),

  sparing({
    id: 'wci.status.incomplete',
    title: 'an incomplete record is read with the state that the subscribe answered',
    verifies: ['WCI-STS-002', 'WCI-STS-007', 'WCI-OPN-004'],
    uses: ['incomplete-record'],
    run: async (t) => {
      const record = await t.fixtures.incompleteRecord();
      const key = sameKey(t, record.subscribed);
      const read = await t.send(status({ checkin_id: record.checkinId }, { key }));
      t.assume(isAccepted(read), `the record was answered ${describeResponse(read)}`);
      t.judge(read, {
        'WCI-STS-007': equalMembers(read, record.subscribed, ['status', 'sub_status', 'missing_info']),
      });
      if (!t.isSparing) await judgeAlias(t, { checkinId: record.checkinId, read, key });
      // A repeat of the booking answers the record as it is, and costs nothing.
      const again = t.isSparing ? null : await t.send(subscribe(record.body, { key }));
      if (again && isAccepted(again) && memberOf(again, 'checkin_id') === record.checkinId)
        t.judge([read, again], { 'WCI-STS-007': equalMembers(again, read, ['missing_info', 'sub_status']) });
      const form = formOfItems(memberOf(read, 'missing_info'));
      if (form !== null) t.observe('WCI-OPN-004', form, read);
    },
  }),

  table({
    id: 'wci.status.missing-id',
    title: 'a read without checkin_id is refused as invalid',
    verifies: ['WCI-STS-003', 'SHR-ERR-007', 'SHR-AUT-023'],
    tags: ['smoke'],
    rows: [
      { rule: 'WCI-STS-003', name: 'no query', query: {} },
      { rule: 'WCI-STS-003', name: 'an unrelated parameter only', query: { page: '0' } },
    ],
    run: (t, rows) =>
      t.each(rows, async ({ query }) => {
        const read = await t.send(status(query));
        const refusal = answered(read, invalid);
        t.judge(read, {
          'SHR-AUT-023': answersOnPath(read),
          'WCI-STS-003': refusal,
          'SHR-ERR-007': refusal,
        });
      }),
  }),

  fixed({
    id: 'wci.status.unknown-id',
    title: 'a read of an id that names nothing is 404 NOT_FOUND',
    verifies: ['WCI-STS-004', 'SHR-ERR-009'],
    uses: ['complete-record'],
    tags: ['smoke'],
    run: async (t) => {
      const record = await t.fixtures.completeRecord();
      const ask = (id: string) => t.send(status({ checkin_id: id }));
      const { x: read } = await askUnknownCheckin(t, record.checkinId, ask);
      const refusal = answered(read, notFound);
      t.judge(read, { 'WCI-STS-004': refusal, 'SHR-ERR-009': refusal });
      // A part of an id may be another one, or of no shape that an id has; that of this record it is not.
      const part = await t.send(status({ checkin_id: record.checkinId.slice(0, -1) }));
      t.judge(part, { 'WCI-STS-004': isOther(part, record.checkinId) });
    },
  }),

  table({
    id: 'wci.status.list-agrees',
    title: 'status and list show the same state of one record',
    verifies: ['WCI-STS-008'],
    uses: ['complete-record', 'incomplete-record'],
    rows: ['complete', 'incomplete'].map((name) => ({ rule: 'WCI-STS-008', name })),
    run: (t, rows) =>
      t.each(rows, async ({ name }) => {
        const { fixtures } = t;
        const isComplete = name === 'complete';
        const record = isComplete ? await fixtures.completeRecord() : await fixtures.incompleteRecord();
        const { checkinId, subscribed } = record;
        const key = sameKey(t, subscribed);
        const compare = async () => {
          const { item, page } = await findRecord(t, checkinId, { key, until: isListed });
          const x = await t.send(status({ checkin_id: checkinId }, { key }));
          t.assume(isAccepted(x) && item !== null, 'the record was not read or not listed');
          return { evidence: [page, x], same: sameMembers(item ?? {}, objectOf(x) ?? {}, stateMembers) };
        };
        const first = await compare();
        // It may have moved between the two; then both agree a moment later.
        if (first.same.status !== 'holds') await t.sleep(2000);
        const { evidence, same } = first.same.status === 'holds' ? first : await compare();
        t.judge(evidence, { 'WCI-STS-008': same });
      }),
  }),

  fixed({
    id: 'wci.status.reading',
    title: 'reading the status changes nothing',
    verifies: ['WCI-STS-009'],
    uses: ['complete-record'],
    run: async (t) => {
      const record = await t.fixtures.completeRecord();
      const { checkinId } = record;
      const key = sameKey(t, record.subscribed);
      const read = status({ checkin_id: checkinId }, { key });
      const reading = async (first: Exchange) => {
        await t.sleep(t.grace(50));
        const later = await t.send(read);
        return { first, later, state: equalMembers(later, first, ['status', 'sub_status']) };
      };
      // A record that automation moves between two reads rests in its next state, as a rule; an answer may be lost or put off.
      let reads = await reading(await t.send(read));
      for (let left = 2; left > 0 && reads.state.status !== 'holds'; left -= 1)
        reads = await reading(reads.later);
      const { first, later, state } = reads;
      t.assume(state.status === 'holds', 'automation moved the record meanwhile, or it was not read');
      const members = [...readMembers, 'last_updated'];
      const same = await judgeByMembers(t, { checkinId, key, seen: first }, members, (some) =>
        equalMembers(later, first, some),
      );
      // What another check does to the record, such as to subscribe it again, happens now and then; what reading does, at each read.
      let [before, isStill] = [later, same.status !== 'violated'];
      for (let left = 3; left > 0 && !isStill; left -= 1) {
        await t.sleep(t.grace(50));
        const last = await t.send(read);
        isStill = equalMembers(last, before, members).status === 'holds';
        before = last;
      }
      t.judge([first, later], { 'WCI-STS-009': isStill && same.status === 'violated' ? holds : same });
    },
  }),

  fixed({
    id: 'wci.status.booking-id',
    title: 'a booking_id does not stand in for the checkin_id',
    verifies: ['WCI-STS-010'],
    uses: ['complete-record'],
    run: async (t) => {
      const { bookingId, checkinId } = await t.fixtures.completeRecord();
      const named = await t.send(status({ booking_id: String(bookingId) }));
      t.judge(named, { 'WCI-STS-010': answered(named, { status: 400 }) });
      const posing = await t.send(status({ checkin_id: String(bookingId) }));
      t.assume(String(bookingId) !== checkinId, 'checkin_id and booking number are the same');
      // Where checkin_ids are numbers, the number may be that of another record.
      const shown = memberOf(posing, 'checkin_id');
      t.assume(!isAccepted(posing) || shown === checkinId, 'the number is the checkin_id of another record');
      t.judge(posing, { 'WCI-STS-010': answered(posing, { status: 404 }, { status: 400 }) });
    },
  }),

  fixed({
    id: 'wci.status.odd-ids',
    title: 'how an empty and an impossible checkin_id, an array of them, and two that differ, are answered',
    verifies: ['WCI-OPN-037', 'WCI-OPN-038', 'SHR-ERR-007'],
    uses: ['complete-record', 'incomplete-record'],
    run: async (t) => {
      const odd = [
        await t.send(status({ checkin_id: '' })),
        await t.send(status({ checkin_id: "o'clock-100%" })),
      ];
      for (const x of odd) t.judge(x, { 'SHR-ERR-007': answeredOtherThan(x, 500) });
      const fates = new Set(odd.map((x) => oddVariants[responseOf(x)?.status ?? 0]));
      const [fate] = fates;
      if (fate !== undefined && !fates.has(undefined))
        t.observe('WCI-OPN-038', fates.size > 1 ? 'by-shape' : fate, odd[0]);
      const [main, alias] = [await t.fixtures.completeRecord(), await t.fixtures.incompleteRecord()];
      const x = await t.send(status({ checkin_id: main.checkinId, checkinId: alias.checkinId }));
      const shown = memberOf(x, 'checkin_id');
      if (shown === main.checkinId) t.observe('WCI-OPN-037', 'main-name', x);
      if (shown === alias.checkinId) t.observe('WCI-OPN-037', 'alias', x);
      if (responseOf(x)?.status === 400) t.observe('WCI-OPN-037', 'refused', x);
      // Some frameworks make an array of this; a record, nothing found and a refusal are all possible, an internal error is not.
      const array = await t.send(status({ 'checkin_id[]': main.checkinId }));
      t.judge(array, { 'SHR-ERR-007': answeredOtherThan(array, 500) });
    },
  }),
]);

function isOther(read: Exchange, checkinId: string): Judgement {
  if (!isAccepted(read) || memberOf(read, 'checkin_id') !== checkinId) return holds;
  const want = is.noted(is.absent, 'for a part of it');
  return differs('part', 'checkin_id', want, checkinId);
}

/** What `boarding_passes` is before completion. */
function passesOf(read: Exchange): string {
  const passes = memberOf(read, 'boarding_passes');
  if (passes === undefined) return 'absent';
  return passes === null ? 'null-value' : 'empty-array';
}

/** What the items of `missing_info` are; null where there are none. */
function formOfItems(items: unknown): string | null {
  if (!Array.isArray(items) || items.length === 0) return null;
  if (items.every((item) => typeof item === 'string')) return 'string';
  return items.every(isObject) ? 'object' : 'mixed';
}

const oddVariants: Readonly<Record<number, string>> = { 400: 'refused-400', 404: 'not-found-404' };
