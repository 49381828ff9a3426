import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRandom } from '../core/random.ts';
import { VirtualClock } from '../core/virtualClock.ts';
import type { ReceivedRequest } from '../receive/inbox.ts';
import { answerStatus, type ScriptedAnswer } from '../receive/script.ts';
import type { WireRequest, WireResult } from '../send/transport.ts';
import { isMembers, isSame, readJson, readJsonText, type Json } from './json.ts';
import { variations, wireOf, type Variation } from './variations.ts';
import { escaped, otherNumber, plainSpelling, shuffled, spell } from './variations/jsonText.ts';

const record = {
  success: true,
  checkin_id: 'wci_1',
  booking_id: 417,
  status: 'SCHEDULED',
  checkin_message: 'Waits for data.',
  missing_info: ['a', 'b', 'c', 'd', 'e'],
  boarding_passes: ['https://p.example.com/1', 'https://p.example.com/2', 'https://p.example.com/3'],
  last_updated: '2026-07-15T09:30:00.000Z',
  created_at: '2026-07-15T09:30:00.000Z',
  callbackApiKey: 'fak_1',
  latest_status_snapshot: { status: 'delay', departure: {} },
};
const refusal = { success: false, error: 'NOT_FOUND', message: 'No such record.', retryAfter: 3 };

interface Seen {
  readonly answers: readonly string[];
  readonly deliveries: readonly string[];
  readonly bodies: readonly Json[];
}

/** What comes through a variation of a small conversation. */
async function through(variation: Variation, seed: number): Promise<Seen> {
  const clock = new VirtualClock(Date.UTC(2026, 6, 15));
  const wire = wireOf(variation, seed, clock);
  const own = wire.clock?.(clock) ?? clock;
  const answers: string[] = [];
  const deliveries: string[] = [];
  const bodies: Json[] = [];
  const send = wire.send?.((request) => Promise.resolve(answerTo(request, own.now()))) ?? null;
  for (const path of [
    'webcheckin/status?checkin_id=wci_1',
    'flight-alerts?x=1',
    'webcheckin/requests',
    'none',
  ]) {
    for (let turn = 0; turn < 6; turn += 1) {
      const request = requestTo(path);
      const result = await (send?.(request) ?? answerTo(request, own.now()));
      if (result.outcome.kind !== 'response') continue;
      bodies.push(readJson(result.outcome.response.body) ?? 'nothing');
      answers.push(textOf({ ...result.timings, ...result.outcome.response }));
    }
  }
  const admit = wire.admit?.(() => admission(deliveries)) ?? (() => admission(deliveries));
  for (let turn = 0; turn < 6; turn += 1) {
    const { answer, record: take } = admit('/hook');
    deliveries.push(JSON.stringify(answer));
    await take(arrival);
  }
  return { answers, deliveries, bodies };
}

function admission(deliveries: string[]): {
  answer: ScriptedAnswer;
  record: (one: ReceivedRequest) => Promise<void>;
} {
  return {
    answer: answerStatus(200),
    record: (one) => {
      deliveries.push(textOf(one));
      return Promise.resolve();
    },
  };
}

function textOf(message: { readonly body: Uint8Array }): string {
  return JSON.stringify({ ...message, body: Buffer.from(message.body).toString('utf8') });
}

const arrival: ReceivedRequest = {
  method: 'POST',
  target: '/hook',
  headers: [
    ['authorization', 'fak_1'],
    ['content-type', 'application/json'],
  ],
  body: Buffer.from(
    JSON.stringify({ checkin_id: 'wci_1', changes: { status: 'X', checkin_message: 'Done.' } }),
  ),
  truncated: false,
  startedAt: 0,
  receivedAt: 0,
  connection: '1',
};

function requestTo(path: string): WireRequest {
  return {
    baseUrl: 'https://api.example.com',
    method: 'GET',
    target: `/extPartner/api/${path}`,
    headers: [],
    body: null,
  };
}

let serial = 0;

function answerTo({ target }: WireRequest, now: number): WireResult {
  const kinds: Readonly<Record<string, readonly [number, Json]>> = {
    none: [404, refusal],
    'flight-alerts?x=1': [401, { ...refusal, error: 'API key required' }],
    'webcheckin/requests': [
      200,
      { data: [record], pagination: { page: 0, limit: 25, total: 1, totalPages: 1 } },
    ],
  };
  const [code, body] = kinds[target.slice('/extPartner/api/'.length)] ?? [
    200,
    { ...record, serial: (serial += 1) },
  ];
  const response = {
    status: code,
    headers: [
      ['content-type', 'application/json'],
      ['date', new Date(now).toUTCString()],
    ] as const,
    body: Buffer.from(JSON.stringify(body)),
    truncated: false,
  };
  return {
    outcome: { kind: 'response', response },
    timings: { sentAt: 0, receivedAt: 0, sent: 0, received: 0 },
  };
}

const silent: Variation = { id: 'none', family: 'json', law: 'Nothing changes.', wire: () => ({}) };

test('ids are unique, and every law is a sentence', () => {
  const ids = variations.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(variations.filter(({ law }) => !/^\w.*\.$/.test(law))).toEqual([]);
});

test.each(variations.filter(({ id }) => id !== 'list-lag').map((one) => [one.id, one] as const))(
  '%s changes what travels, and the same seed changes it the same way',
  async (_id, variation) => {
    serial = 0;
    const plain = await through(silent, 1);
    serial = 0;
    const first = await through(variation, 1);
    serial = 0;
    expect(await through(variation, 1)).toEqual(first);
    expect(first).not.toEqual(plain);
  },
);

test.each(['member-order', 'blanks', 'escapes', 'line-end', 'number-forms'])(
  '%s leaves the JSON value what it was',
  async (id) => {
    const variation = variations.find((one) => one.id === id) ?? silent;
    serial = 0;
    const plain = await through(silent, 1);
    for (const seed of [1, 2, 3]) {
      serial = 0;
      const { bodies } = await through(variation, seed);
      expect(bodies.every((body, index) => isSame(body, plain.bodies[index]))).toBe(true);
    }
  },
);

test.each(['further-members', 'changing-members', 'error-context'])('%s keeps every member', async (id) => {
  const { bodies } = await through(variations.find((one) => one.id === id) ?? silent, 1);
  const records = bodies.filter((body) => isMembers(body) && body.success === true);
  expect(records.length).toBeGreaterThan(0);
  for (const body of records)
    expect(body).toMatchObject({ status: 'SCHEDULED', latest_status_snapshot: { status: 'delay' } });
});

test('any spelling of any JSON is read as the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(), (value, seed) => {
      const random = createRandom(seed);
      const json = value as Json;
      const text = spell(json, {
        ...plainSpelling,
        blank: () => (random() < 0.5 ? ' \r\n' : ''),
        text: (one) => escaped(one, random),
        number: (one) => otherNumber(one, random),
        order: (names) => shuffled(names, random),
      });
      // JSON has one zero.
      const plain = readJsonText(JSON.stringify(json));
      expect(isSame(readJsonText(text), plain)).toBe(true);
    }),
  );
});

test('shuffling keeps every item', () => {
  fc.assert(
    fc.property(fc.array(fc.nat()), fc.nat(), (items, seed) => {
      expect([...shuffled(items, createRandom(seed))].sort()).toEqual([...items].sort());
    }),
  );
});
