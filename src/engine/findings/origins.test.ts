import { expect, test } from 'vitest';
import type { Exchange } from '../../core/evidence.ts';
import { Origins } from './origins.ts';

function exchange(id: string, operation: string, [sent, answered]: readonly [unknown, unknown]): Exchange {
  const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
  const headers = [['content-type', 'application/json']] as const;
  const body = sent === null ? null : bytes(sent);
  return {
    ...{ id, check: 'c', operation, enterprise: 'primary', key: 'primary#1' },
    request: { method: 'POST', baseUrl: 'https://qa.example', target: '/x', headers, body },
    outcome: {
      kind: 'response',
      response: { status: 200, headers, body: bytes(answered), truncated: false },
    },
    timings: { sentAt: 0, receivedAt: 0, sent: 0, received: 0 },
  } as unknown as Exchange;
}

const accepted = (checkin_id: string) => ({ success: true, message: 'SCHEDULED', checkin_id });
const empty = exchange('x1', 'wci.subscribe', [{ flights: [], passengers: [{}] }, accepted('wci_bad')]);
const list = exchange('x9', 'wci.list', [
  null,
  { data: [{ checkin_id: 'wci_good' }, { checkin_id: 'wci_bad' }] },
]);

test('what a list shows of a record follows from the rule by which its booking should have been refused', () => {
  const origins = new Origins((id) => (id === 'x1' ? ['WCI-SUB-025'] : []));
  origins.note(empty);
  const of = (at: string) => origins.of({ decisive: list, exchanges: [list], at });
  expect(of('data[1].origin')).toEqual(['WCI-SUB-025']);
  expect(of('data[0].origin')).toEqual([]);
  expect(of('data')).toEqual([]);
});

test('a booking that no oracle saw wrongly accepted is not remembered', () => {
  const origins = new Origins(() => []);
  origins.note(empty);
  expect(origins.of({ decisive: list, exchanges: [list], at: 'data[1].origin' })).toEqual([]);
});

test('a case follows from what its request and the answers before break, unless it is long', () => {
  const origins = new Origins((id) => (id === 'x2' ? ['WCI-SCP-003'] : []));
  const before = exchange('x2', 'wci.status', [null, {}]);
  const of = (exchanges: readonly Exchange[]) =>
    origins.of({ decisive: empty, exchanges: [...exchanges, empty], at: 'answer' });
  expect(of([before])).toEqual(['WCI-SUB-025', 'WCI-SCP-003']);
  expect(of([before, ...Array.from({ length: 10 }, () => list)])).toEqual(['WCI-SUB-025']);
});
