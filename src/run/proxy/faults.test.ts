import { describe, expect, test } from 'vitest';
import { createRandom } from '../../core/random.ts';
import { faultBody, faultForm, FaultPlan } from './faults.ts';

const plan = (...texts: readonly string[]) =>
  new FaultPlan(
    texts.map((text) => faultForm.parse(text)),
    createRandom(1),
  );

test.each([
  ['429', { kind: 'status', status: 429, retryAfter: 5, times: null, share: 1, operation: null }],
  ['429=30x2@wci.status', { status: 429, retryAfter: 30, times: 2, operation: 'wci.status' }],
  ['500:10%@wci.subscribe', { status: 500, share: 0.1, operation: 'wci.subscribe' }],
  ['latency=300ms', { kind: 'latency', delayMs: 300 }],
  ['latency=2sx3', { kind: 'latency', delayMs: 2000, times: 3 }],
  ['reset', { kind: 'reset' }],
  ['lostx1', { kind: 'lost', times: 1 }],
  ['callback-lost:50%', { kind: 'callback-lost', share: 0.5 }],
  ['callback-late=5s', { kind: 'callback-late', delayMs: 5000 }],
  ['callback-twice', { kind: 'callback-twice' }],
  ['callback-503x3', { kind: 'callback-status', status: 503, times: 3 }],
])('%s is a fault', (text, wanted) => {
  expect(faultForm.parse(text)).toMatchObject(wanted);
});

test.each([
  '',
  '200',
  '429x0',
  '500=3',
  'latency=',
  'latency=2h',
  '500:101%',
  '500@nobody',
  'callback-200',
  'x',
])('"%s" is none, and the message says which there are', (text) => {
  expect(faultForm.safeParse(text).error?.issues[0]?.message).toContain('expected a fault such as 429x3');
});

describe('a plan of faults', () => {
  test('strikes as often as it is told, and the operation that it is told', () => {
    const faults = plan('429x2@wci.status');
    const struck = ['wci.list', 'wci.status', 'wci.status', 'wci.status'] as const;
    expect(struck.map((operation) => faults.forRequest(operation).end?.status ?? null)).toEqual([
      null,
      429,
      429,
      null,
    ]);
    expect(faults.views).toEqual([{ id: 1, text: '429x2@wci.status', struck: 2, isOver: true }]);
  });

  test('adds delays up, lets one fault end the exchange, and keeps callbacks apart', () => {
    const faults = plan('latency=1s', 'latency=2s', '500', '502', 'callback-lost');
    expect(faults.forRequest(null)).toMatchObject({ delayMs: 3000, end: { status: 500 } });
    expect(faults.forCallback()).toMatchObject({ delayMs: 0, end: { kind: 'callback-lost' } });
  });

  test('strikes about the share that it is told', () => {
    const faults = plan('500:10%');
    const struck = Array.from({ length: 1000 }, () => faults.forRequest(null).end).filter(
      (end) => end !== null,
    );
    expect(struck.length).toBeGreaterThan(60);
    expect(struck.length).toBeLessThan(140);
  });

  test('is changed while the proxy stands, within bounds', () => {
    const faults = plan('500');
    expect(faults.drop(1)).toBe(true);
    expect(faults.drop(1)).toBe(false);
    expect(faults.forRequest(null).end).toBeNull();
    const added = Array.from({ length: 60 }, () => faults.add(faultForm.parse('reset')));
    expect(added.filter(Boolean)).toHaveLength(50);
  });
});

test('an answer of its own has the form of the documents', () => {
  expect(JSON.parse(faultBody({ status: 429, retryAfter: 30 }))).toMatchObject({
    success: false,
    retryAfter: 30,
  });
  expect(JSON.parse(faultBody({ status: 500, retryAfter: 5 }))).not.toHaveProperty('retryAfter');
});
