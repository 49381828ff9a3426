import { expect, test } from 'vitest';
import { subscribed } from '../../../test/support/judge/bodies.ts';
import { exchange } from '../../../test/support/judge/exchanges.ts';
import { recordHistory } from '../../judge/webcheckin/oracles/recordHistory.ts';

const made = exchange({
  operation: 'wci.subscribe',
  body: subscribed({ checkin_id: 'chk-1234567890', booking_id: 4711 }),
});

function judge(sent: object, shown: object): readonly string[] {
  const watch = recordHistory.createWatch();
  watch.note?.({ type: 'claim', at: 0, claim: 'made-up', ids: ['chk-0000000000', 99] });
  watch.exchange?.(made);
  const body = { success: true, type: 'passengers', operation: 'update', data: shown };
  const headers = [['content-type', 'application/json']] as const;
  const update = exchange({ operation: 'wci.update', at: 1000, requestHeaders: headers, sent, body });
  return (watch.exchange?.(update) ?? [])
    .filter(({ judgement }) => judgement.status === 'violated')
    .map(({ requirement }) => requirement);
}

const own = { checkin_id: 'chk-1234567890', booking_id: 4711 };

test('what names nothing finds nothing', () => {
  expect(judge({ checkin_id: 'chk-0000000000' }, own)).toContain('WCI-UPD-008');
  expect(judge({ booking_id: 99 }, own)).toContain('WCI-UPD-009');
  expect(judge({ booking_id: '4711abc' }, own)).toContain('WCI-UPD-009');
  expect(judge({ checkin_id: '4711' }, own)).toContain('WCI-UPD-054');
  expect(judge({ checkin_id: 'chk-0000000000', booking_id: 4711 }, own)).toContain('WCI-UPD-008');
});

test('a made-up id may be one that another record has, and an id that is not known may be right', () => {
  expect(judge({ checkin_id: 'chk-0000000000' }, { checkin_id: 'chk-0000000000', booking_id: 5 })).toEqual(
    [],
  );
  expect(judge({ checkin_id: 'chk-5555555555' }, { checkin_id: 'chk-5555555555', booking_id: 6 })).toEqual(
    [],
  );
});

test('of made-up ids that all show a record of their own, the fourth is no accident', () => {
  const watch = recordHistory.createWatch();
  const ids = ['chk-0000000001', 'chk-0000000002', 'chk-0000000003', 'chk-0000000004'];
  watch.note?.({ type: 'claim', at: 0, claim: 'made-up', ids });
  watch.exchange?.(made);
  const violations = ids.map((id, index) => {
    const at = 1000 * (index + 1);
    const body = { ...own, success: true, status: 'SCHEDULED', checkin_id: id, booking_id: index + 1 };
    const samples =
      watch.exchange?.(exchange({ operation: 'wci.status', at, query: `checkin_id=${id}`, body })) ?? [];
    return samples.some(
      ({ requirement, judgement }) => requirement === 'WCI-STS-004' && judgement.status === 'violated',
    );
  });
  expect(violations).toEqual([false, false, false, true]);
});

test('of two ids the one of the check-in counts', () => {
  const other = { checkin_id: 'chk-7777777777', booking_id: 99 };
  expect(judge({ checkin_id: own.checkin_id, booking_id: 99 }, other)).toEqual(['WCI-UPD-006']);
  expect(judge({ checkin_id: own.checkin_id, booking_id: 99 }, own)).toEqual([]);
});
