import { expect, test } from 'vitest';
import type { ExchangeLine, JournalLine } from '../../send/journalLine.ts';
import { isNote } from '../../trace/evidence.ts';
import { ownEvidence } from './ownLines.ts';

const at = '2026-07-01T10:00:00.000Z';
const event = (name: string, data: object): JournalLine => ({ type: 'event', at, name, data: { ...data } });
const claim = (claimed: object) => ({ type: 'claim', at, ...claimed }) as JournalLine;
const head = event('head', {});
const step = (operation: string, more: object = {}) =>
  ({
    ...{ type: 'step', id: 's1', operation, params: {}, startedAt: at, durationMs: 2 },
    ...{ outcome: 'done', error: null, told: {}, movedMs: 0, ...more },
  }) as JournalLine;

const exchange = (id: string, more: Partial<ExchangeLine> = {}): JournalLine => ({
  ...{ type: 'exchange', id, check: 'c', operation: 'wci.list', enterprise: null, key: null },
  ...{ startedAt: at, durationMs: 1.25, response: null },
  failure: { reason: 'reset', message: 'reset', maybeDelivered: true },
  request: { method: 'GET', url: 'http://t/extPartner/api/webcheckin/requests', headers: [], body: null },
  ...more,
});

function readAll(lines: readonly JournalLine[], isJournal = true) {
  return ownEvidence({ path: 'a', lines, isOwn: true, isJournal, leftOut: new Map() }, '');
}

function read(lines: readonly JournalLine[], isJournal = true) {
  return readAll(lines, isJournal).filter(({ evidence }) => !isNote(evidence));
}

const claims = [claim({ claim: 'own-records' }), claim({ claim: 'labels' })];

test.each([
  ['a run', [head, ...claims], { isWhole: true, showsCredentials: true }],
  ['a run of an older version', [head], { isWhole: true, showsCredentials: false }],
  ['a run whose head was lost', claims, { isWhole: true, showsCredentials: true }],
  ['a proxy, or of recorded traffic', [], { isWhole: false, showsCredentials: false }],
])('the journal of %s says how much it claims', (_what, lines, claimed) => {
  expect(read([...lines, exchange('x1')])[0]).toMatchObject(claimed);
});

test('a HAR has no steps of a state handler: it never claims to be all that happened', () => {
  const [one] = read([exchange('x1')], false);
  expect(one).toMatchObject({ isWhole: false, showsCredentials: false });
  expect(one).not.toHaveProperty('movedMs');
});

test('a claim holds from where it stands, and a continued run has to make it again', () => {
  const lines = [head, exchange('x1'), ...claims, exchange('x2'), head, exchange('x3'), exchange('x4')];
  const all = read(lines);
  expect(all.map(({ showsCredentials }) => showsCredentials)).toEqual([false, true, false, false]);
  expect(all.map(({ begins }) => begins === true)).toEqual([false, false, true, false]);
});

test('a request without an exchange was under way until its part of the run was killed', () => {
  const sending = (id: string) => ({ ...exchange(id), type: 'sending' }) as JournalLine;
  const later = new Date(Date.parse(at) + 500).toISOString();
  const all = read([head, sending('x1'), exchange('x2', { startedAt: later }), head, exchange('x3')]);
  expect(all.map(({ evidence, begins }) => [evidence, begins])).toMatchObject([
    [{ id: 'x2' }, undefined],
    [{ id: 'x1', outcome: { kind: 'failure', failure: { maybeDelivered: true } } }, undefined],
    [{ id: 'x3' }, true],
  ]);
  expect(all[1]?.evidence).toMatchObject({ timings: { receivedAt: Date.parse(at) + 501.25 } });
  expect(read([head, sending('x1'), exchange('x1')])).toHaveLength(1);
});

test.each([
  ['a step', step('reset'), true],
  ['a step of an older version', event('state-set', { state: 'reset', params: '{}', error: null }), true],
  ['one that was refused', step('reset', { outcome: 'refused' }), false],
])('after a reset by %s, the oracles begin anew', (_what, reset, begins) => {
  const all = readAll([head, exchange('x1'), reset, exchange('x2')]);
  expect(all.some((one) => one.begins)).toBe(begins);
  expect(all[0]?.begins).toBeUndefined();
});

test('a journal says how far the clock had been moved at each exchange, by steps, claims or as it did before', () => {
  const moves = [
    claim({ claim: 'moved-clock', movedMs: 60_000 }),
    event('notice', { movedMs: 1 }),
    step('clock.advance', { movedMs: 90_000 }),
    event('clock', { movedMs: 120_000 }),
    event('clock', { movedMs: 'far' }),
  ];
  const all = read([exchange('x0'), ...moves.flatMap((move, index) => [move, exchange(`x${index + 1}`)])]);
  expect(all.map(({ movedMs }) => movedMs)).toEqual([0, 60_000, 60_000, 90_000, 120_000, 120_000]);
});

test('times are read as they were taken, and of an older journal as it rounded them', () => {
  const timings = [1000, 1002, 5.123456789, 6.5] as const;
  const [exact, rounded] = read([exchange('x1', { timings }), exchange('x2')]);
  expect(exact?.evidence).toMatchObject({
    timings: { sentAt: 1000, receivedAt: 1002, sent: 5.123456789, received: 6.5 },
  });
  const sentAt = Date.parse(at);
  expect(rounded?.evidence).toMatchObject({
    timings: { sentAt, receivedAt: sentAt + 1.25, sent: sentAt, received: sentAt + 1.25 },
  });
});
