import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Exchange } from '../../core/evidence.ts';
import { VirtualClock } from '../../core/virtualClock.ts';
import type { OperationId } from '../../core/operations.ts';
import type { JsonObject } from '../../spec/kit/json.ts';
import { KeyRing } from '../../send/keyRing.ts';
import type { ApiRequest } from '../../send/request.ts';
import { reuse } from '../fixtures/bookedRecords.ts';
import { isOfBook, openRecordBook, writeOnly } from './recordBook.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-book-'));
afterAll(() => rmSync(folder, { recursive: true }));

const now = Date.parse('2026-11-01T12:00:00Z');
const key = 'gk_live_0123456789abcdefghijklmnopqrstuv';
const keysOf = (...primary: readonly string[]) =>
  KeyRing.of({ primary, other: ['gk_live_other'], special: {} });
let count = 0;
const clockAt = (at: number) => new VirtualClock(at);
const bookFor = (target: string, { keys = keysOf(key), at = now } = {}) =>
  openRecordBook({
    ...{ folder, target, keys, clock: clockAt(at) },
    redact: (text) => text.replaceAll(key, '‹key primary#1›'),
  });

const made = {
  ...{ success: true, message: 'SCHEDULED', checkin_id: 'wci_1', booking_id: 7 },
  ...{ status: 'SCHEDULED', sub_status: 'COMPLETE_INFO', missing_info: [] },
};
const body: JsonObject = {
  pnr: 'ABC123',
  flights: [{ departure_datetime: '2026-11-15T10:30:00' }],
  passengers: [],
};
const itinerary = { airline: 'EK', legs: [{ flightNumber: '3', origin: 'DXB', destination: 'LHR' }] };

interface Given {
  readonly status?: number;
  readonly label?: string;
  readonly operation?: OperationId;
}

function exchange(
  answer: unknown,
  { status = 200, label = 'primary#1', operation = 'wci.subscribe' }: Given = {},
): Exchange {
  const response = { status, headers: [['set-cookie', 'a=secret-cookie']] as const, truncated: false };
  return {
    ...{ id: 'x1', check: 'fixture', operation, enterprise: 'primary', key: label },
    request: {
      ...{ method: 'POST', baseUrl: 'https://qa.example.com', target: '/s' },
      ...{ headers: [['X-API-Key', key]] as const, body: null },
    },
    outcome: { kind: 'response', response: { ...response, body: Buffer.from(JSON.stringify(answer)) } },
    timings: { sentAt: now, receivedAt: now + 5, sent: 0, received: 5 },
  };
}

/** A book for one deployment, with one record. */
function bookWith(record = { itinerary, body, subscribed: exchange(made) }) {
  const target = `https://qa-${(count += 1)}.example.com`;
  bookFor(target).keep('complete-record', record);
  return target;
}

const read = { ...made, message: undefined, last_updated: new Date(now + 1000).toISOString() };
const sending = (answer: unknown, status = 200) => {
  const sent: ApiRequest[] = [];
  const send = (request: ApiRequest) => {
    sent.push(request);
    return Promise.resolve(exchange(answer, { status }));
  };
  return { sent, send };
};

test('an answer that repeats a key is not kept', () => {
  const target = bookWith({
    ...{ itinerary, body },
    subscribed: exchange({ ...made, checkin_id: `wci_${key}` }),
  });
  expect(bookFor(target).find('complete-record')).toBeNull();
  for (const file of readdirSync(folder)) expect(readFileSync(join(folder, file), 'utf8')).not.toContain(key);
});

test('a later run finds the record again, by the key that made it, and its subscribe as evidence of then', () => {
  const book = bookFor(bookWith(), { keys: keysOf('gk_live_new', key), at: now + 86_400_000 });
  expect([...book.roles()]).toEqual(['complete-record']);
  const { key: maker, subscribed, writtenAt, ...rest } = book.find('complete-record') ?? {};
  expect(maker?.label).toBe('primary#2');
  expect([rest, writtenAt]).toEqual([{ itinerary, body }, now + 5]);
  expect(subscribed).toMatchObject({ key: 'primary#2', timings: { sentAt: now, receivedAt: now + 5 } });
  expect(subscribed && isOfBook(subscribed)).toBe(true);
});

test.each([
  ['another key', { keys: keysOf('gk_live_somebody') }],
  ['a departure within three days', { at: Date.parse('2026-11-12T12:00:00Z') }],
])('%s finds none', (_why, options) => {
  expect(bookFor(bookWith(), options).find('complete-record')).toBeNull();
});

test('another deployment, a run that wants its records anew, and one of issued keys find none', () => {
  const target = bookWith();
  expect(bookFor(`${target}/v2`).find('complete-record')).toBeNull();
  expect(writeOnly(bookFor(target)).find('complete-record')).toBeNull();
  const issued = bookWith({ itinerary, body, subscribed: exchange(made, { label: 'issued#1' }) });
  expect(bookFor(issued).find('complete-record')).toBeNull();
});

test('no key and no cookie stands in the file', () => {
  bookWith();
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name), 'utf8');
    expect(text).not.toContain(key);
    expect(text).not.toContain('secret-cookie');
  }
});

test.each([15, -15])('a deployment whose clock is %i days off has its records used again', async (days) => {
  const off = days * 86_400_000;
  const shown = { ...read, last_updated: new Date(now + off + 1000).toISOString() };
  const ahead = new Date(now + off + 14 * 86_400_000).toISOString().slice(0, 19);
  const record = { itinerary, body: { ...body, flights: [{ departure_datetime: ahead }] } };
  const target = bookWith();
  const book = bookFor(target);
  book.keep('complete-record', { ...record, subscribed: exchange(made) });
  // Behind, what departs in a fortnight there departed yesterday here.
  book.see(exchange({ ...shown, checkin_id: 'wci_2' }, { operation: 'wci.status' }));
  book.see(exchange(shown, { operation: 'wci.status' }));
  const options = { book: bookFor(target), send: sending(shown).send, onReuse: () => undefined };
  expect(await reuse('complete-record', options)).not.toBeNull();
  const late = { ...shown, last_updated: new Date(now + off + 3_600_000).toISOString() };
  expect(await reuse('complete-record', { ...options, send: sending(late).send })).toBeNull();
});

const unexpected = () => expect.unreachable('expected no record to be used again');

test('a record that is as it was made is used for one read', async () => {
  const { sent, send } = sending(read);
  const reused: string[] = [];
  const options = { book: bookFor(bookWith()), send, onReuse: (id: string) => void reused.push(id) };
  expect((await reuse('complete-record', options))?.body).toEqual(body);
  expect(reused).toEqual([read.checkin_id]);
  expect(sent.map(({ operation }) => operation)).toEqual(['wci.status']);
});

test.each([
  ['has vanished', { success: false, error: 'NOT_FOUND' }, 404],
  ['moved on', { ...read, status: 'COMPLETED' }, 200],
  ['was updated', { ...read, last_updated: new Date(now + 3_600_000).toISOString() }, 200],
  ['is another one by that id', { ...read, booking_id: 8 }, 200],
])('one that %s is dropped', async (_what, answer, status) => {
  const book = bookFor(bookWith());
  expect(
    await reuse('complete-record', { book, send: sending(answer, status).send, onReuse: unexpected }),
  ).toBeNull();
  expect(book.find('complete-record')).toBeNull();
});

test.each([429, 500, 401])('HTTP %i says nothing of it, and it stays', async (status) => {
  const book = bookFor(bookWith());
  expect(
    await reuse('complete-record', {
      book,
      send: sending({ success: false }, status).send,
      onReuse: unexpected,
    }),
  ).toBeNull();
  expect(book.find('complete-record')).not.toBeNull();
});
