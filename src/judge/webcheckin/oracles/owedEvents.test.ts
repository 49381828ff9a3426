import { expect, test } from 'vitest';
import { delivery, webhookEvent, webhookSubscribe } from '../../../../test/support/judge/deliveries.ts';
import { exchange, testStart } from '../../../../test/support/judge/exchanges.ts';
import { lookAt, stepAt } from '../../../../test/support/judge/steps.ts';
import { isDelivery, type Delivery, type Exchange } from '../../../core/evidence.ts';
import type { Note } from '../../../trace/evidence.ts';
import { owedEvents } from './owedEvents.ts';

const ids = { first: 'wci_first_of_all', other: 'wci_another_one' };
const otherToken = 'tokenOfTheOtherMailbox';

function judge(...evidence: readonly (Delivery | Exchange | Note)[]): readonly string[] {
  return said('violated', ...evidence);
}

function said(status: string, ...evidence: readonly (Delivery | Exchange | Note)[]): readonly string[] {
  const watch = owedEvents.createWatch();
  for (const one of evidence) {
    if ('type' in one) watch.note?.(one);
    else if (isDelivery(one)) watch.delivery?.(one);
    else watch.exchange?.(one);
  }
  const samples = watch.end?.() ?? [];
  return samples.filter(({ judgement }) => judgement.status === status).map(({ requirement }) => requirement);
}

const to = (at: number, status: string, id = ids.first) =>
  stepAt(at, 'checkin.progress', { checkin_id: id, status });

function told(at: number, changes: object, given: { id?: string; answer?: string } = {}): Delivery {
  const { id = ids.first, answer = '200' } = given;
  const occurredAt = new Date(testStart + at * 1000).toISOString();
  return {
    ...delivery({ body: webhookEvent(changes, { occurredAt, checkin_id: id }), answer }),
    ...(id === ids.other && { registration: otherToken }),
    receivedAt: testStart + at * 1000,
  };
}

const timings = { sentAt: testStart, receivedAt: testStart + 10, sent: 0, received: 10 };
const both = [webhookSubscribe(), webhookSubscribe({ token: otherToken, checkinId: ids.other })].map(
  (one) => ({
    ...one,
    timings,
  }),
);
const other = [to(5, 'FAILED', ids.other), told(5.05, { status: 'FAILED' }, { id: ids.other })];
const quiet = [lookAt(50, 0), lookAt(51, 0)];

test('a change that is pushed owes nothing more', () => {
  expect(judge(...both, ...other, to(10, 'FAILED'), told(11, { status: 'FAILED' }), ...quiet)).toEqual([]);
});

test('a change that no event tells is missed once nothing is pending and others are told', () => {
  expect(judge(...both, ...other, to(10, 'FAILED'), ...quiet)).toEqual(['WCI-CB-001']);
  expect(judge(...both, ...other, to(10, 'FAILED'), lookAt(50, 1))).toEqual([]);
  // Where no delivery ever came, the way to the address may be broken.
  expect(judge(...both, to(10, 'FAILED'), ...quiet)).toEqual([]);
});

test('a second change that is not told is one of several', () => {
  const first = [to(10, 'IN_PROGRESS'), told(11, { status: 'IN_PROGRESS' })];
  expect(judge(...both, ...first, to(20, 'FAILED'), ...quiet)).toEqual(['WCI-CB-021']);
});

test('a failed event that comes again tells all of it', () => {
  const changes = { status: 'FAILED', sub_status: 'NO_SEAT' };
  const at = 11;
  const first = told(at, changes, { answer: '503' });
  const again = (shown: object) => ({ ...told(at, shown), receivedAt: testStart + 20_000 });
  expect(judge(...both, to(10, 'FAILED'), first, again(changes), ...quiet)).toEqual([]);
  expect(judge(...both, to(10, 'FAILED'), first, again({ status: 'FAILED' }), ...quiet)).toEqual([
    'WCI-CB-011',
  ]);
});

test('a status that is read as it was before a change makes the next change no change to be told', () => {
  const read = {
    ...exchange({
      ...{ operation: 'wci.status', query: `checkin_id=${ids.first}` },
      body: { success: true, checkin_id: ids.first, status: 'SCHEDULED', missing_info: [] },
    }),
    timings: { sentAt: testStart + 12_000, receivedAt: testStart + 12_010, sent: 12_000, received: 12_010 },
  };
  const moved = [to(10, 'FAILED'), told(11, { status: 'FAILED' })];
  const again = [to(20, 'FAILED'), told(21, { sub_status: 'NO_SEAT' }), ...quiet];
  expect(judge(...both, ...other, ...moved, read, ...again)).toEqual([]);
});

test('what is told is kept; what nothing told is not', () => {
  const first = [...both, ...other, to(10, 'FAILED')];
  expect(said('holds', ...first, told(11, { status: 'FAILED' }), ...quiet)).toContain('WCI-CB-001');
  expect(said('holds', ...both, to(10, 'FAILED'), ...quiet)).toEqual([]);
});
