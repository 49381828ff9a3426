import {
  type Exchange,
  answersOnPath,
  describeResponse,
  equalMembers,
  answered,
  invalid,
  fixed,
  isAccepted,
  isObject,
  isOfBook,
  memberOf,
  objectOf,
  responseOf,
  sameMembers,
  sparing,
  status,
  subscribe,
  suite,
  table,
} from '../checks.ts';
import { readByAlias } from '../support/aliasReads.ts';
import { sameKey } from '../support/keys.ts';
import { findRecord, isListed } from '../support/listing.ts';
import { varies } from '../support/looks.ts';
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
      // What an earlier run was answered is only known here.
      if (isOfBook(record.subscribed))
        t.judge(read, {
          'WCI-STS-007': equalMembers(read, record.subscribed, ['status', 'sub_status', 'missing_info']),
        });
      if (memberOf(read, 'status') === 'SCHEDULED') t.observe('WCI-OPN-034', passesOf(read), read);
      const alias = await t.send(status({ checkinId: record.checkinId }, { key }));
      const isSameText = equalMembers(alias, read, ['checkin_message']).status === 'holds';
      if (isSameText) t.observe('WCI-OPN-060', 'stable', alias);
      else if (isAccepted(alias))
        await varies(t, 'checkin_message', { checkinId: record.checkinId, key, seen: read });
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
      if (!t.isSparing) await readByAlias(t, { checkinId: record.checkinId, read, key });
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
        // Nothing of such a request need have been accepted before.
        t.judge(read, { 'SHR-AUT-023': answersOnPath(read), 'WCI-STS-003': answered(read, invalid) });
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
      await askUnknownCheckin(t, record.checkinId, ask);
      // A part of an id may be another one, or of no shape that an id has; that of this record it is not.
      await ask(record.checkinId.slice(0, -1));
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
        const read = () => t.send(status({ checkin_id: checkinId }, { key }));
        const compare = async () => {
          const x = await read();
          const { item } = await findRecord(t, checkinId, { key, until: isListed });
          return sameMembers(item ?? {}, objectOf(x) ?? {}, stateMembers).status === 'holds';
        };
        // It may have moved between the two; then both agree a moment later, or once a copy that is late has caught up.
        for (const pause of [0, 2000, 9000]) {
          await t.sleep(pause);
          if (await compare()) return;
        }
        await read();
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
      let before = await t.send(read);
      // What else is done to the record happens now and then; what reading does, at each read.
      for (let left = 4; left > 0; left -= 1) {
        await t.sleep(t.grace(50));
        const later = await t.send(read);
        if (equalMembers(later, before, [...readMembers, 'last_updated']).status === 'holds') break;
        before = later;
      }
    },
  }),

  fixed({
    id: 'wci.status.booking-id',
    title: 'a booking_id does not stand in for the checkin_id',
    verifies: ['WCI-STS-010'],
    uses: ['complete-record'],
    run: async (t) => {
      const { bookingId } = await t.fixtures.completeRecord();
      await t.send(status({ booking_id: String(bookingId) }));
      await t.send(status({ checkin_id: String(bookingId) }));
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
      await t.send(status({ 'checkin_id[]': main.checkinId }));
    },
  }),
]);

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
