import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answer, clientOf, lost, statusOf } from '../../test/support/virtualClient.ts';
import type { Exchange, Outcome } from '../core/evidence.ts';
import { BudgetExhausted } from './allowance.ts';
import { flightSubscribe, list, noKey, otherKey, status, subscribe, type ApiRequest } from './request.ts';
import type { WireRequest } from './transport.ts';

test('a request goes out with its key and the extra headers, and comes back as evidence', async () => {
  const { client, sent, exchanges } = clientOf(() => answer(200, { ok: true }), { latencyMs: 70 });
  const exchange = await client.send(list({ limit: '1', q: 'a b' }), 'some.check');
  expect(sent[0]?.request).toEqual({
    baseUrl: 'http://wci.test/base',
    method: 'GET',
    target: '/extPartner/api/webcheckin/requests?limit=1&q=a%20b',
    headers: [
      ['X-Gateway', 'yes'],
      ['X-API-Key', 'key-one'],
    ],
    body: null,
  });
  expect(exchange).toMatchObject({ id: 'x1', check: 'some.check', key: 'primary#1', enterprise: 'primary' });
  expect(exchange.timings).toEqual({ sentAt: 0, receivedAt: 70, sent: 0, received: 70 });
  expect(exchanges).toEqual([exchange]);
});

test.each<[what: string, request: ApiRequest, header: string | undefined, label: string | null]>([
  ['no key', list({}, { key: noKey }), undefined, null],
  [
    'an invented one',
    list({}, { key: { kind: 'invented', label: 'unknown', value: 'nope' } }),
    'nope',
    'unknown',
  ],
  ['an empty one', list({}, { key: { kind: 'invented', label: 'empty', value: '' } }), '', 'empty'],
])('a request with %s belongs to no enterprise', async (_what, request, header, label) => {
  const { client, sent } = clientOf(() => answer(401));
  const exchange = await client.send(request, 'c');
  expect(sent[0]?.request.headers.find(([name]) => name === 'X-API-Key')?.[1]).toBe(header);
  expect(exchange).toMatchObject({ key: label, enterprise: null });
});

describe('a request that prefers a key', () => {
  const preferring = (otherwise?: 'primary') => {
    const stage = clientOf(() => answer(200), { keys: ['key-one', 'key-two'] });
    const [key] = stage.keys.given;
    if (!key) throw new Error('no key');
    const choice = { kind: 'key', key, ...(otherwise === undefined ? {} : { otherwise }) } as const;
    return { ...stage, request: list({}, { key: choice }) };
  };
  const labels = (exchanges: readonly Exchange[]) => new Set(exchanges.map(({ key }) => key));

  test('carries it while it has room, and then another of its enterprise without a wait', async () => {
    const { client, clock, exchanges, request } = preferring('primary');
    for (let count = 0; count < 120; count += 1) await client.send(request, 'c');
    expect(clock.monotonic()).toBe(0);
    expect(labels(exchanges.slice(0, 60))).toEqual(new Set(['primary#1']));
    expect(labels(exchanges.slice(60))).toEqual(new Set(['primary#2']));
  });

  test('waits for it if it may carry no other', async () => {
    const { client, clock, exchanges, request } = preferring();
    for (let count = 0; count < 61; count += 1) await client.send(request, 'c');
    expect(clock.monotonic()).toBeGreaterThanOrEqual(60_000);
    expect(labels(exchanges)).toEqual(new Set(['primary#1']));
  });
});

describe('a status that finds nothing', () => {
  const made = (request: WireRequest) => request.method === 'POST';
  const stage = (foundAfter: number) => {
    let reads = 0;
    return clientOf((_index, request) => {
      if (made(request)) return answer(200, { success: true, message: 'SCHEDULED', checkin_id: 'c-1' });
      return answer((reads += 1) > foundAfter ? 200 : 404);
    });
  };
  const read = status({ checkin_id: 'c-1' });

  test.each([
    { what: 'is asked again, as a copy may lag', after: 1, codes: [200, 404, 200], ms: 300 },
    { what: 'is believed after three seconds', after: 9, codes: [200, 404, 404, 404, 404], ms: 3_000 },
  ])('of a record that was just made $what', async ({ after, codes, ms }) => {
    const { client, exchanges, clock } = stage(after);
    await client.send(subscribe({}), 'c');
    await client.send(read, 'c');
    expect(exchanges.map(statusOf)).toEqual(codes);
    expect(clock.monotonic()).toBe(ms);
  });

  test.each([
    { what: 'of another enterprise', request: { ...read, key: otherKey } },
    { what: 'of another id', request: status({ checkin_id: 'c-2' }) },
  ])('$what is believed', async ({ request }) => {
    const { client, exchanges } = stage(1);
    await client.send(subscribe({}), 'c');
    await client.send(request, 'c');
    expect(exchanges.map(statusOf)).toEqual([200, 404]);
  });
});

describe('a 429', () => {
  const refusedOnce = (index: number) => (index === 1 ? answer(429, { retryAfter: 30 }) : answer(200));

  test('is kept as evidence, waited for and sent again', async () => {
    const { client, clock, exchanges, waits } = clientOf(refusedOnce);
    expect(statusOf(await client.send(list(), 'c'))).toBe(200);
    expect(exchanges.map(statusOf)).toEqual([429, 200]);
    expect(exchanges.map(({ id }) => id)).toEqual(['x1', 'x2']);
    expect([clock.monotonic(), waits, client.throttled]).toEqual([30_250, [30_250], 1]);
  });

  test('is waited for where no key was sent, too', async () => {
    const { client, clock } = clientOf(refusedOnce);
    expect(statusOf(await client.send(list({}, { key: noKey }), 'c'))).toBe(200);
    expect(clock.monotonic()).toBe(30_250);
  });

  test('costs no wait while another key has room', async () => {
    const { client, clock, sent } = clientOf(refusedOnce, { keys: ['key-one', 'key-two'] });
    expect(statusOf(await client.send(list(), 'c'))).toBe(200);
    expect(clock.monotonic()).toBe(0);
    expect(sent.map(({ request }) => request.headers[1]?.[1])).toEqual(['key-one', 'key-two']);
  });

  test('that asks for too long a wait keeps only its key from use, for as long as is waited at most', async () => {
    const year = () => answer(429, { retryAfter: 31_536_000 });
    const respond = (_index: number, request: WireRequest) =>
      request.headers.some(([, value]) => value === 'key-one') ? year() : answer(200);
    const { client, clock, sent } = clientOf(respond, { keys: ['key-one', 'key-two'] });
    for (let index = 0; index < 5; index += 1) expect(statusOf(await client.send(list(), 'c'))).toBe(200);
    expect(clock.monotonic()).toBe(0);
    expect(sent.filter(({ request }) => request.headers[1]?.[1] === 'key-one')).toHaveLength(1);
  });

  test.each<[what: string, outcome: Outcome, sends: number, ms: number]>([
    ['always comes back', answer(429, { retryAfter: 1 }), 3, 2500],
    ['asks for a year', answer(429, { retryAfter: 31_536_000 }), 1, 0],
    ['does not say how long', answer(429), 1, 0],
  ])('is given up where it %s', async (_what, outcome, sends, ms) => {
    const { client, clock, sent, refusals } = clientOf(() => outcome);
    expect(statusOf(await client.send(list(), 'c'))).toBe(429);
    expect([sent.length, clock.monotonic(), refusals()]).toEqual([sends, ms, 1]);
  });

  test.each<[what: string, keys: string[], sends: number, told: number[]]>([
    ['the only key', ['key-one'], 1, [31_536_000_000]],
    ['one key after the other', ['key-one', 'key-two'], 2, [31_536_000_000]],
  ])('that asks %s for a year is told at once, and not waited for', async (_what, keys, sends, told) => {
    const { client, clock, sent, lockedOut } = clientOf(() => answer(429, { retryAfter: 31_536_000 }), {
      keys,
    });
    expect(statusOf(await client.send(list(), 'c'))).toBe(429);
    expect([sent.length, clock.monotonic(), lockedOut]).toEqual([sends, 0, told]);
  });

  test('that was asked for is returned at once, and counts as nobody’s fault', async () => {
    const { client, sent, refusals } = clientOf(() => answer(429, { retryAfter: 1 }));
    expect(statusOf(await client.send(list({}, { wantsRefusal: true }), 'c'))).toBe(429);
    expect([sent.length, refusals(), client.throttled]).toEqual([1, 0, 0]);
  });

  test('never lets a resent request go beyond the budget', async () => {
    const { client, sent, exchanges } = clientOf(() => answer(429, { retryAfter: 1 }), {
      budgets: { maxRequests: 2 },
    });
    await expect(client.send(list(), 'c')).rejects.toThrow(BudgetExhausted);
    expect([sent.length, exchanges.length]).toEqual([2, 2]);
  });

  test('that is waited for is not waited for after an interrupt', async () => {
    const { client, abort, exchanges } = clientOf(() => answer(429, { retryAfter: 60 }));
    const sending = client.send(list(), 'c');
    await new Promise((resolve) => setImmediate(resolve));
    abort.abort(new Error('interrupted'));
    await expect(sending).rejects.toThrow('interrupted');
    expect(exchanges).toHaveLength(1);
  });
});

describe('budgets', () => {
  test.each<[what: string, outcome: Outcome, spent: number]>([
    ['an accepted subscribe is spent', answer(200), 1],
    ['a refused one is released', answer(400), 0],
    ['one that never was answered is spent', lost, 1],
  ])('%s', async (_what, outcome, spent) => {
    const { client, allowance } = clientOf(() => outcome);
    await client.send(subscribe({}), 'c');
    await client.send(flightSubscribe({}), 'c');
    expect(allowance.spent).toEqual({ requests: 2, quota: spent, subscriptions: spent });
  });

  test('a request that would go beyond one is not sent, and holds no unit', async () => {
    const { client, sent, allowance } = clientOf(() => answer(200), {
      budgets: { maxRequests: 1, maxQuota: 1 },
    });
    await client.send(list(), 'c');
    await expect(client.send(subscribe({}), 'c')).rejects.toThrow('the budget of 1 requests is used up');
    expect(sent).toHaveLength(1);
    (await allowance.reserveQuota()).release();
  });

  test('none is exceeded, however many send at once and whatever comes back', async () => {
    const outcomes = fc.array(
      fc.constantFrom(answer(200), answer(400), answer(429, { retryAfter: 1 }), answer(500), lost),
      {
        minLength: 1,
        maxLength: 12,
      },
    );
    const budgets = fc.record({ maxRequests: fc.nat(12), maxQuota: fc.nat(4), maxSubscriptions: fc.nat(4) });
    await fc.assert(
      fc.asyncProperty(outcomes, budgets, fc.integer({ min: 1, max: 20 }), async (all, limits, count) => {
        let accepted = 0;
        const respond = (index: number, request: WireRequest) => {
          const outcome = all[index % all.length] ?? lost;
          const mayHaveActed =
            outcome === lost || (outcome.kind === 'response' && outcome.response.status === 200);
          if (request.method === 'POST' && request.target.includes('webcheckin') && mayHaveActed)
            accepted += 1;
          return outcome;
        };
        const { client, sent, allowance } = clientOf(respond, { budgets: limits, latencyMs: 40 });
        const requests = [subscribe({}), flightSubscribe({}), list()];
        await Promise.allSettled(
          Array.from({ length: count }, (_, index) => client.send(requests[index % 3] ?? list(), 'c')),
        );
        expect(sent.length).toBeLessThanOrEqual(limits.maxRequests);
        expect(accepted).toBeLessThanOrEqual(limits.maxQuota);
        expect(allowance.spent.requests).toBe(sent.length);
        expect(allowance.spent.subscriptions).toBeLessThanOrEqual(limits.maxSubscriptions);
      }),
      { numRuns: 60 },
    );
  });
});

test('after an interrupt nothing more is sent, with a key or without', async () => {
  const { client, sent, abort } = clientOf(() => answer(200));
  abort.abort(new Error('interrupted'));
  await expect(client.send(list(), 'c')).rejects.toThrow('interrupted');
  await expect(client.send(list({}, { key: noKey }), 'c')).rejects.toThrow('interrupted');
  expect(sent).toHaveLength(0);
});

test('61 requests with one key take more than a minute, and a second key takes half of them', async () => {
  const one = clientOf(() => answer(200));
  await Promise.all(Array.from({ length: 61 }, () => one.client.send(list(), 'c')));
  expect(one.clock.monotonic()).toBe(61_000);
  const two = clientOf(() => answer(200), { keys: ['key-one', 'key-two'] });
  await Promise.all(Array.from({ length: 120 }, () => two.client.send(list(), 'c')));
  expect(two.clock.monotonic()).toBe(0);
});

test('what a failure says holds no secret: a certificate may be made out to one', async () => {
  const message = "is not in the cert's altnames: DNS:key-one.example";
  const { client, exchanges } = clientOf(() => ({
    kind: 'failure',
    failure: { reason: 'tls', message, maybeDelivered: false },
  }));
  await client.send(list({ limit: '1' }), 'some.check');
  expect(exchanges[0]?.outcome).toMatchObject({
    failure: { message: "is not in the cert's altnames: DNS:‹key›.example" },
  });
});
