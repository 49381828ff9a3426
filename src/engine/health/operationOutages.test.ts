import { expect, test } from 'vitest';
import type { Headers } from '../../core/evidence.ts';
import type { OperationId } from '../../core/operations.ts';
import { exchange, type ExchangeSketch } from '../../../test/support/judge/exchanges.ts';
import { OperationOutages } from './operationOutages.ts';

function outages(stepMs = 500) {
  const told: string[] = [];
  const one = new OperationOutages((text) => told.push(text));
  let seen = 0;
  const see = (count: number, sketch: ExchangeSketch) => {
    for (let index = 0; index < count; index += 1) {
      seen += stepMs;
      one.see(exchange({ ...sketch, at: seen, until: seen + 5 }));
    }
  };
  return { one, see, told };
}

const subscribe = { operation: 'wci.subscribe' } as const;
const form = [['Content-Type', 'multipart/form-data; boundary=b']] as const;

function to(operation: OperationId | null, headers: Headers = []) {
  return { operation, headers, body: null };
}

test('forms that are lost are left alone, and what goes as JSON is not', () => {
  const { one, see } = outages();
  see(24, { ...subscribe, lost: true, requestHeaders: form });
  expect(one.of(to('wci.subscribe'))).toBe(null);
  expect(one.of(to('wci.subscribe', form))).toContain(
    'subscribe as multipart/form-data failed 24 times in a row',
  );
});

test('an operation that only a gateway answers, or nobody, is left alone, and the others are not', () => {
  const { one, see, told } = outages();
  see(12, { ...subscribe, status: 503 });
  see(11, { ...subscribe, lost: true });
  see(40, { operation: 'wci.list', status: 200 });
  expect([one.of(to('wci.subscribe')), told]).toEqual([null, []]);
  see(1, { ...subscribe, status: 504 });
  expect(one.of(to('wci.subscribe'))).toBe(
    'POST /extPartner/api/webcheckin/subscribe failed 24 times in a row, at last with HTTP 504, and is left alone',
  );
  see(30, { ...subscribe, status: 503 });
  expect(told).toHaveLength(1);
  expect(told[0]).toContain('find out why it fails while other operations answer');
  expect([one.of(to('wci.list')), one.of(to('wci.update')), one.of(to(null))]).toEqual([null, null, null]);
});

test('an answer of the application starts the count anew, whatever it says', () => {
  const { one, see } = outages();
  for (const status of [200, 400, 429, 500]) {
    see(23, { ...subscribe, status: 503 });
    see(1, { ...subscribe, status });
  }
  see(23, { ...subscribe, status: 503 });
  expect(one.of(to('wci.subscribe'))).toBe(null);
});

test('an application that answers 502 with an error code of its own is there', () => {
  const { one, see } = outages();
  see(60, { ...subscribe, status: 502, body: { error: 'SUBSCRIPTION_FAILED', message: 'upstream failed' } });
  expect(one.of(to('wci.subscribe'))).toBe(null);
  see(24, { ...subscribe, status: 502, body: { error: 'Bad Gateway' } });
  expect(one.of(to('wci.subscribe'))).not.toBe(null);
});

test('a deployment that is back within four seconds was only rolled out', () => {
  const { one, see } = outages(10);
  see(200, { ...subscribe, status: 503 });
  expect(one.of(to('wci.subscribe'))).toBe(null);
});
