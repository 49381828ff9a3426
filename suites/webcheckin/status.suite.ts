import { fixed, suite } from '../../src/engine/suite.ts';
import { answered, invalid, notFound, ok } from '../../src/judge/answer.ts';
import { isObject, memberOf, objectOf, type JsonObject } from '../../src/judge/body.ts';
import { equalMembers, sameMembers } from '../../src/judge/compare.ts';
import type { Exchange } from '../../src/core/evidence.ts';
import { all } from '../../src/judge/judgement.ts';
import { list, status } from '../../src/send/request.ts';

const readMembers = [
  'checkin_id',
  'booking_id',
  'status',
  'sub_status',
  'checkin_message',
  'missing_info',
] as const;

const stateMembers = ['booking_id', 'status', 'sub_status', 'checkin_message', 'missing_info'] as const;

export default suite('GET /extPartner/api/webcheckin/status', [
  fixed({
    id: 'wci.status.own',
    title: 'a record is read by its checkin_id, and checkinId reads the same',
    verifies: ['WCI-STS-001', 'WCI-STS-002', 'WCI-STS-006', 'WCI-STS-007'],
    uses: ['complete-record'],
    tags: ['smoke'],
    requests: 2,
    run: async (t) => {
      const record = await t.fixtures.completeRecord();
      const read = await t.send(status({ checkin_id: record.checkinId }));
      t.judge(read, { 'WCI-STS-001': answered(read, ok) });
      t.judge(read, {
        'WCI-STS-006': equalMembers(read, record.subscribed, ['checkin_id', 'booking_id']),
        'WCI-STS-007': equalMembers(read, record.subscribed, ['status', 'sub_status', 'missing_info']),
      });
      const alias = await t.send(status({ checkinId: record.checkinId }));
      t.judge(alias, { 'WCI-STS-002': all(answered(alias, ok), equalMembers(alias, read, readMembers)) });
    },
  }),

  fixed({
    id: 'wci.status.incomplete',
    title: 'an incomplete record is read with the state that the subscribe told',
    verifies: ['WCI-STS-007'],
    uses: ['incomplete-record'],
    requests: 1,
    run: async (t) => {
      const record = await t.fixtures.incompleteRecord();
      const read = await t.send(status({ checkin_id: record.checkinId }));
      t.judge(read, {
        'WCI-STS-007': equalMembers(read, record.subscribed, ['status', 'sub_status', 'missing_info']),
      });
    },
  }),

  fixed({
    id: 'wci.status.missing-id',
    title: 'a read without checkin_id is refused as invalid',
    verifies: ['WCI-STS-003'],
    tags: ['smoke'],
    requests: 2,
    run: (t) =>
      t.each(
        [
          { name: 'no query', query: {} },
          { name: 'an unrelated parameter only', query: { page: '0' } },
        ],
        (row) => row.name,
        async ({ query }) => {
          const read = await t.send(status(query));
          t.judge(read, { 'WCI-STS-003': answered(read, invalid) });
        },
      ),
  }),

  fixed({
    id: 'wci.status.unknown-id',
    title: 'a read of an id that names nothing is 404 NOT_FOUND',
    verifies: ['WCI-STS-004'],
    uses: ['complete-record'],
    tags: ['smoke'],
    requests: 1,
    run: async (t) => {
      const record = await t.fixtures.completeRecord();
      const read = await t.send(status({ checkin_id: t.identities.unknownLike(record.checkinId) }));
      t.judge(read, { 'WCI-STS-004': answered(read, notFound) });
    },
  }),

  fixed({
    id: 'wci.status.list-agrees',
    title: 'status and list show the same state of one record',
    verifies: ['WCI-STS-008'],
    uses: ['complete-record'],
    requests: 3,
    run: async (t) => {
      const record = await t.fixtures.completeRecord();
      const before = await t.send(status({ checkin_id: record.checkinId }));
      const listed = await t.send(list({ limit: '100' }));
      const after = await t.send(status({ checkin_id: record.checkinId }));
      const item = itemOf(listed, record.checkinId);
      const [first, second] = [objectOf(before), objectOf(after)];
      t.assume(
        first !== null && second !== null && item !== null,
        'the record was not read or not on the first page',
      );
      t.assume(
        sameMembers(first ?? {}, second ?? {}, stateMembers).status === 'holds',
        'the record moved meanwhile',
      );
      t.judge([before, listed, after], {
        'WCI-STS-008': sameMembers(item ?? {}, second ?? {}, stateMembers),
      });
    },
  }),
]);

function itemOf(listed: Exchange, checkinId: string): JsonObject | null {
  const items = memberOf(listed, 'data');
  const found = Array.isArray(items)
    ? (items as unknown[]).find((item) => isObject(item) && item.checkin_id === checkinId)
    : null;
  return isObject(found) ? found : null;
}
