import { expect, test } from 'vitest';
import type { Exchange } from '../core/evidence.ts';
import { VirtualClock } from '../core/virtualClock.ts';
import { clockProof } from './clockProof.ts';
import { StateTrust } from './stateTrust.ts';

let count = 0;
function seen(operation: string, target: string, status: number, body: object, key = 'primary#1'): Exchange {
  count += 1;
  const response = { status, headers: [], body: Buffer.from(JSON.stringify(body)), truncated: false };
  return {
    ...{ id: `x${count}`, operation, key },
    request: { method: 'GET', target, headers: [], body: null },
    outcome: { kind: 'response', response },
  } as unknown as Exchange;
}

const flight = { flightNumber: 'ek 012', departureDate: '2027-01-02' };
const sought = '/flight-alerts?flightNumber=EK12&departureDate=2027-01-02';
const lookup = (status: number, body: object = []) => seen('fla.lookup', sought, status, body);
const status = (value: string) => seen('wci.status', '/status', 200, { checkin_id: 'one', status: value });
const finding = (decisive: string) => ({ decisive, exchanges: [decisive] });

function trustAfter(state: string, params: object, exchanges: readonly Exchange[]) {
  const trust = new StateTrust();
  trust.used('a.check', state);
  trust.confirmed(state, params as never);
  for (const one of exchanges) trust.see(one);
  return trust;
}

const put = ['flights.put', { ...flight, legs: [{}] }] as const;
const change = ['flights.change', { ...flight, changes: { departure: { gate: 'G12' } } }] as const;
const progress = ['checkin.progress', { checkin_id: 'one', status: 'FAILED' }] as const;
const shown = [{ departure: { gate: 'G12' } }];

test.each<[what: string, given: readonly [string, object], exchanges: () => Exchange[], isLie: boolean]>([
  ['flights that nobody finds', put, () => [lookup(404), lookup(404)], true],
  ['one answer, which may be chance', put, () => [lookup(404)], false],
  ['a flight that was found once', put, () => [lookup(404), lookup(200), lookup(404)], false],
  [
    'a flight without legs',
    ['flights.put', { ...flight, legs: [] }],
    () => [lookup(404), lookup(404)],
    false,
  ],
  ['changes that nobody sees', change, () => [lookup(200), lookup(200)], true],
  ['a change that came late', change, () => [lookup(200), lookup(200), lookup(200, shown)], false],
  ['records that stay', progress, () => [status('SCHEDULED'), status('SCHEDULED')], true],
  ['records that move at all', progress, () => [status('SCHEDULED'), status('failed')], false],
])('%s', (_what, [state, params], exchanges, isLie) => {
  const lies = trustAfter(state, params, exchanges()).lies();
  expect(lies !== null).toBe(isLie);
  if (lies === null) return;
  expect(lies.states.join()).toContain(state);
  expect([lies.spoils('a.check', finding('x0')), lies.spoils('another', finding('x0'))]).toEqual([
    true,
    false,
  ]);
});

test('what another check found over a flight that was only said to be put is spoilt as well', () => {
  const exchanges = [lookup(404), lookup(404)];
  const lies = trustAfter(...put, exchanges).lies();
  expect(lies?.spoils('another', finding(exchanges[0]?.id ?? ''))).toBe(true);
});

test('a callback shows a state too', () => {
  const moved = trustAfter(...progress, [status('SCHEDULED'), status('SCHEDULED')]);
  moved.seeDelivery({ body: Buffer.from('{"checkin_id":"one","changes":{}}') });
  expect(moved.lies()).toBeNull();
  const changed = trustAfter(...change, [lookup(200), lookup(200)]);
  changed.seeDelivery({ body: Buffer.from('{"changes":{"departure":{"gate":"G12"}}}') });
  expect(changed.lies()).toBeNull();
});

test('keys that the handler gave out and nobody accepts spoil what was found with them, and others do not', () => {
  const answers = [401, 401, 401, 200].map((code, index) =>
    seen('wci.list', '/requests', code, {}, `issued#${index > 1 ? 2 : 1}`),
  );
  const trust = new StateTrust();
  for (const one of answers) trust.see(one);
  const spoilt = answers.map(({ id }) => trust.lies()?.spoils('a.check', finding(id)));
  expect(spoilt).toEqual([true, true, false, false]);
});

test.each<[what: string, told: string, then: object, isRefused: boolean]>([
  ['moved', '2027-01-01T00:01:00Z', { now: '2027-01-01T00:01:01Z' }, false],
  ['did not move', '2027-01-01T00:01:00Z', { now: '2027-01-01T00:00:00Z' }, true],
  ['moved twice as far', '2027-01-01T00:01:00Z', { now: '2027-01-01T00:02:00Z' }, true],
  ['tells no time', '2027-01-01T00:01:00Z', {}, false],
])('a clock that %s', async (_what, now, then, isRefused) => {
  let asked = 0;
  const handler = { set: () => Promise.resolve(((asked += 1), then) as never) };
  const prove = clockProof(handler, new VirtualClock(0));
  for (let turn = 0; turn < 2; turn += 1) {
    const answer = prove({ now });
    if (isRefused) await expect(answer).rejects.toThrow(/did not set clock\.advance: it says that it is/);
    else expect(await answer).toEqual({ now });
  }
  expect(asked).toBe(1);
});
