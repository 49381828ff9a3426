import { expect, test } from 'vitest';
import { subscribed } from '../../../../test/support/judge/bodies.ts';
import { exchange, testStart } from '../../../../test/support/judge/exchanges.ts';
import { passenger } from '../../../../test/support/judge/passenger.ts';
import type { Exchange } from '../../../core/evidence.ts';
import type { Note } from '../../../trace/evidence.ts';
import { knownBookings } from './knownBookings.ts';

const flights = [
  {
    airline: 'EK',
    flight_number: '3',
    origin: 'DXB',
    destination: 'LHR',
    departure_datetime: '2026-03-29T10:30:00',
  },
];
const id = 'chk-1234567890';

const judge = (...evidence: readonly (Exchange | Note)[]) => judgeMoved(0, ...evidence);

function judgeMoved(movedMs: number, ...evidence: readonly (Exchange | Note)[]): readonly string[] {
  const watch = knownBookings.createWatch({
    movedMs,
    isAlone: evidence.some((one) => 'request' in one && one.key === 'alone#1'),
  });
  for (const one of evidence) {
    if ('type' in one) watch.note?.(one);
    else watch.exchange?.(one);
  }
  const ended = watch.end?.() ?? [];
  return ended.flatMap(({ requirement, judgement }) =>
    judgement.status === 'violated' ? [requirement] : [],
  );
}

const json = [['content-type', 'application/json']] as const;

function subscribe(people: readonly object[], missing: readonly string[], at = 0, more: object = {}) {
  return exchange({
    ...{
      operation: 'wci.subscribe',
      at,
      requestHeaders: json,
      sent: { pnr: 'ABC123', flights, passengers: people },
    },
    body: subscribed({ checkin_id: id, status: 'SCHEDULED', missing_info: missing, ...more }),
  });
}

function update(people: readonly object[], at: number, more: object = {}) {
  return exchange({
    ...{ operation: 'wci.update', at, requestHeaders: json, sent: { checkin_id: id, passengers: people } },
    body: {
      success: true,
      type: 'passengers',
      operation: 'update',
      data: { checkin_id: id, status: 'SCHEDULED' },
    },
    ...more,
  });
}

function status(missing: readonly string[], at: number, more: object = {}) {
  const body = { success: true, checkin_id: id, status: 'SCHEDULED', missing_info: missing, ...more };
  return exchange({ operation: 'wci.status', query: `checkin_id=${id}`, at, body });
}

test('a subscribe shows what its booking lacks', () => {
  expect(judge(subscribe([passenger], []))).toEqual([]);
  expect(judge(subscribe([{ ...passenger, passport: null }], []))).toEqual(['WCI-RDY-001']);
  expect(judge(subscribe([passenger], ['email']))).toEqual(['WCI-SUB-005']);
});

test('an update replaces the passengers, which a later read shows', () => {
  const bare = [{ ...passenger, passport: null }];
  const made = [subscribe(bare, ['passport']), update([passenger], 2000)];
  expect(judge(...made, status([], 20_000))).toEqual([]);
  // Another update has shown that such passengers are complete.
  const other = [subscribe([passenger], [])];
  expect(judge(...other, update(bare, 1000), status([], 20_000))).toEqual([]);
  expect(judge(subscribe(bare, ['passport']), update([passenger], 2000), status(['passport'], 2500))).toEqual(
    [],
  );
});

test('reads and refused updates change nothing', () => {
  const refused = { status: 400, body: { success: false, error: 'VALIDATION_ERROR', message: 'no' } };
  const before = [subscribe([passenger], []), status([], 1000)];
  expect(judge(...before, update([{}], 2000, refused), status(['email'], 20_000))).toEqual(['WCI-UPD-037']);
  expect(judge(...before, status(['email'], 20_000))).toEqual(['WCI-STS-009']);
});

test('a read while an update is under way shows nothing, and neither does one after an answer that was lost', () => {
  const before = [subscribe([passenger], []), status([], 1000)];
  const during = status(['passport'], 2050);
  const bare = [{ ...passenger, passport: null }];
  expect(judge(...before, during, update(bare, 2000, { until: 3000 }))).toEqual([]);
  expect(judge(...before, update(bare, 2000, { lost: true }), status(['passport'], 20_000))).toEqual([]);
});

const step = (operation: string, params: Readonly<Record<string, string>>, at: number): Note => ({
  ...{ type: 'step', id: 's1', operation, params, startedAt: at, endedAt: at },
  ...{ outcome: 'done', error: null, told: {}, movedMs: 0 },
});

test('a booking that the state handler moved reads so', () => {
  const made = subscribe([passenger], []);
  const from = made.timings.receivedAt;
  const manual = step('automation.set', { mode: 'manual' }, from - 5000);
  const moved = step('checkin.progress', { checkin_id: id, status: 'FAILED' }, from + 1000);
  expect(judge(manual, made, moved, status([], 60_000))).toEqual(['WCI-STS-013']);
  expect(judge(manual, made, moved, status([], 60_000, { status: 'FAILED' }))).toEqual([]);
});

test('what automation may have moved is not known any more once it is switched off', () => {
  const made = subscribe([passenger], []);
  const manual = step('automation.set', { mode: 'manual' }, made.timings.receivedAt + 30_000);
  const seen = [made, status([], 1000), manual, status([], 60_000, { status: 'IN_PROGRESS' })];
  expect(judgeMoved(20 * 86_400_000, ...seen)).toEqual([]);
});

test('where the clock was moved near to the departure, the deployment may have gone on by itself', () => {
  const seen = [subscribe([passenger], []), status([], 1000), status([], 60_000, { status: 'IN_PROGRESS' })];
  expect(judge(...seen)).toEqual(['WCI-SUB-065']);
  expect(judgeMoved(20 * 86_400_000, ...seen)).toEqual([]);
});

const found = (more: object = {}) => ({
  body: { ...subscribed({ checkin_id: id, status: 'SCHEDULED', missing_info: [], ...more }) },
});
const again = (more: object, given: object = {}) =>
  exchange({
    ...{ operation: 'wci.subscribe', at: 60_000, requestHeaders: json },
    ...{ sent: { pnr: 'ABC123', flights, passengers: [passenger] }, ...found(more), ...given },
  });
const named = { message: 'ALREADY_SUBSCRIBED' };
const early = [subscribe([passenger], []), again(named)];

test('a repeated subscribe finds its attempt, and says so', () => {
  expect(judge(...early)).toEqual([]);
  expect(judge(subscribe([passenger], []), again({}))).toEqual(['WCI-SUB-015']);
  expect(judge(subscribe([passenger], []), again({ checkin_id: 'chk-0987654321' }))).toEqual([
    'WCI-SUB-015',
    'WCI-SUB-016',
  ]);
  expect(judge(...early, again({ ...named, booking_id: null }))).toEqual(['WCI-SUB-016']);
});

test('what a subscribe says of its own booking fits together', () => {
  const shown = (more: object) => subscribe([passenger], [], 0, more);
  expect(judge(shown({ sub_status: 'READY' }))).toEqual(['WCI-SUB-004']);
  expect(judge(shown({ missing_info: null }))).toEqual(['WCI-SUB-005']);
  const bare = [{ ...passenger, passport: null }];
  expect(judge(subscribe(bare, [], 0, { missing_info: null }))).toEqual(['WCI-SUB-014']);
  // A status that knows better shows which of the two is wrong.
  expect(judge(subscribe(bare, []), status(['passport'], 1000))).toEqual(['WCI-STS-007', 'WCI-SUB-014']);
});

test('what one form of a value has shown is not said of another', () => {
  const malformed = (email: string) => [{ ...passenger, email }];
  const bare = [{ ...passenger, passport: null }];
  const seen = [
    { ...subscribe(malformed('gatecheck@'), ['email']), enterprise: 'other' },
    subscribe([passenger], []),
    update(bare, 1000),
    status(['passport'], 20_000),
  ];
  expect(judge(...seen, update(malformed('gatecheck'), 30_000), status([], 50_000))).toEqual(['WCI-RDY-011']);
  const both = [passenger, { ...passenger, first_name: 'Other', email: 'gatecheck@' }];
  expect(judge(...seen, update(both, 30_000), status([], 50_000))).toEqual([]);
});

test('a repeated subscribe knows what a status has shown of an update', () => {
  const bare = [{ ...passenger, passport: null }];
  const seen = [subscribe([passenger], []), update(bare, 59_000), status(['passport'], 59_500)];
  expect(judge(...seen, again({ ...named, missing_info: ['passport'] }))).toEqual([]);
  expect(judge(...seen, again(named))).toEqual(['WCI-STS-007']);
});

test('a repeated subscribe soon after an update may not know of it yet', () => {
  const bare = [{ ...passenger, passport: null }];
  const made = [subscribe(bare, ['passport']), update([passenger], 59_900)];
  const stale = again({ ...named, missing_info: ['passport'] });
  expect(judge(...made, stale, status([], 90_000))).toEqual([]);
});

test('where one key finds an attempt, the other has to find it too', () => {
  const other = { key: 'primary#2' };
  expect(judge(...early, again({ checkin_id: 'chk-0987654321' }, other))).toEqual(['WCI-SUB-020']);
});

test('what ended may be subscribed anew, and says so by another id', () => {
  const made = subscribe([passenger], []);
  const ended = step(
    'checkin.progress',
    { checkin_id: id, status: 'COMPLETED' },
    made.timings.receivedAt + 1000,
  );
  expect(judge(made, ended, again({ checkin_id: 'chk-0987654321' }))).toEqual([]);
  expect(judge(made, ended, again({ ...named, status: 'COMPLETED' }))).toEqual([]);
  const shown = status([], 30_000, { status: 'COMPLETED' });
  expect(judge(made, ended, shown, again(named))).toEqual(['WCI-SUB-017']);
});

test('a booking with another locator and another flight is new', () => {
  const sent = { pnr: 'XYZ987', flights: [{ ...flights[0], flight_number: '5' }], passengers: [passenger] };
  expect(judge(subscribe([passenger], []), again(named, { sent }))).toEqual(['WCI-SUB-002']);
  const same = { ...sent, pnr: 'ABC123' };
  expect(judge(subscribe([passenger], []), again(named, { sent: same }))).toEqual([]);
});

function list(items: readonly object[], at: number, total = items.length, query = 'page=0&limit=100') {
  const pagination = { page: 0, limit: 100, total, totalPages: Math.ceil(total / 100) };
  const body = { success: true, data: items, pagination };
  return exchange({ operation: 'wci.list', query, at, body });
}

const item = { checkin_id: id, pnr: 'ABC123', ...flights[0], status: 'SCHEDULED', missing_info: [] };

test('a list holds what was made, whole and as it was sent', () => {
  const made = subscribe([passenger], []);
  expect(judge(made, list([item], 60_000))).toEqual([]);
  expect(judge(made, list([], 60_000))).toEqual(['WCI-LST-021']);
  expect(judge(made, list([], 3000))).toEqual([]);
  const moved = { ...item, departure_datetime: '2026-03-29T06:30:00' };
  expect(judge(made, list([moved], 60_000))).toEqual(['WCI-DT-014']);
  expect(judge(made, list([item], 60_000, 9))).toEqual(['WCI-LST-005']);
});

test('an unknown filter is ignored', () => {
  const seen = [subscribe([passenger], []), list([item], 60_000)];
  const unknown = list([], 61_000, 0, 'page=0&limit=100&status=BOGUS');
  expect(judge(...seen, unknown)).toContain('WCI-LST-014');
  // A list right after a write may be one from before it.
  const early = [subscribe([passenger], []), list([], 3000)];
  expect(judge(...early, list([item], 61_000, 1, 'page=0&limit=100&status=BOGUS'))).toEqual([]);
});

test('a departure that is too close is not accepted', () => {
  const close = [{ ...flights[0], departure_datetime: '2026-03-01T16:30:00' }];
  const sent = { pnr: 'ABC123', flights: close, passengers: [passenger] };
  const accepted = exchange({
    ...{ operation: 'wci.subscribe', at: 0, requestHeaders: json, sent },
    body: subscribed({ checkin_id: id, status: 'SCHEDULED', missing_info: [] }),
  });
  expect(judge(accepted)).toContain('WCI-JRN-001');
});

test('new bookings take a unit each', () => {
  const made = (pnr: string, units: number, at: number) =>
    exchange({
      ...{ operation: 'wci.subscribe', at, requestHeaders: json, key: 'alone#1' },
      sent: { pnr, flights, passengers: [passenger] },
      body: subscribed({
        ...{ checkin_id: `chk-${pnr}`, status: 'SCHEDULED', missing_info: [] },
        quota: { included_units: 10, consumed_units: units },
      }),
    });
  expect(judge(made('AAAAA1', 1, 0), made('AAAAA2', 2, 1000))).toEqual([]);
  expect(judge(made('AAAAA1', 1, 0), made('AAAAA2', 3, 1000))).toEqual(['WCI-QTA-001']);
  // Beside one that was right, a unit too many may be somebody else's; a missing one is not.
  const right = [made('AAAAA1', 1, 0), made('AAAAA2', 2, 1000)];
  expect(judge(...right, made('AAAAA3', 4, 2000))).toEqual([]);
  expect(judge(...right, made('AAAAA3', 2, 2000))).toEqual(['WCI-QTA-001']);
  // Answers of bookings that were under way together may arrive in any order.
  const late = made('AAAAA1', 1, 1000);
  const sentAt = made('AAAAA2', 2, 0).timings.sentAt;
  const overtaken = { ...late, timings: { ...late.timings, sentAt } };
  expect(judge(made('AAAAA2', 2, 500), overtaken, made('AAAAA3', 3, 2000))).toEqual([]);
});

test('a booking may have moved by itself where somebody else moved the clock, which the next step tells', () => {
  const day = 86_400_000;
  const told = (at: number, movedMs: number): Note => ({
    ...{ type: 'step', id: 's1', operation: 'capabilities', params: null, outcome: 'done', error: null },
    ...{ startedAt: testStart + at - 1, endedAt: testStart + at, movedMs },
    told: { now: '2026-03-01T12:00:00.000Z' },
  });
  const moved = status([], 30_000, { status: 'IN_PROGRESS' });
  const before = [told(0, 0), subscribe([passenger], [], 1000), status([], 2000), moved];
  expect(judge(...before)).not.toEqual([]);
  expect(judge(...before, told(40_000, 20 * day))).toEqual([]);
});

test('what answers agree on, and what became complete, is seen to be kept', () => {
  const watch = knownBookings.createWatch({ movedMs: 0 });
  const kept = (one: Exchange) => (watch.exchange?.(one) ?? []).map(({ requirement }) => requirement);
  expect(kept(subscribe([passenger], []))).not.toContain('WCI-STS-007');
  const shown = { checkin_id: id, status: 'SCHEDULED', missing_info: [] };
  const status = exchange({ operation: 'wci.status', at: 60_000, query: `checkin_id=${id}`, body: shown });
  expect(kept(status)).toEqual(expect.arrayContaining(['WCI-STS-007', 'WCI-SUB-065']));
});

const bare = [{ ...passenger, passport: null }];
const shownAt = (second: number) => ({
  last_updated: `2026-03-01T12:00:${String(second).padStart(2, '0')}.500Z`,
});
const answering = (missing: readonly string[], more: object = {}) => ({
  body: {
    ...{ success: true, type: 'passengers', operation: 'update' },
    data: { checkin_id: id, status: 'SCHEDULED', missing_info: missing, ...more },
  },
});

test('what an update answers agrees with a read right after it, and with those that follow', () => {
  const made = [subscribe([passenger], []), update(bare, 2000, answering([], shownAt(2)))];
  const reads = [2100, 6000].map((at) => status(['passport'], at, shownAt(2)));
  expect(judge(...made, ...reads)).toEqual(['WCI-UPD-033']);
  // A read that comes later may show what has followed.
  expect(judge(...made, ...reads.slice(1))).toEqual([]);
});

test('an update that makes another of what was known has a later last_updated', () => {
  const first = [subscribe([passenger], []), update(bare, 2000, answering(['passport'], shownAt(2)))];
  const again = (second: number) => update([passenger], 20_000, answering([], shownAt(second)));
  expect(judge(...first, again(2))).toEqual(['WCI-UPD-034']);
  expect(judge(...first, again(20))).toEqual([]);
  // The same passengers may be no change.
  expect(judge(...first, update(bare, 20_000, answering(['passport'], shownAt(2))))).toEqual([]);
});

test('a longer list adds its passengers', () => {
  const made = [subscribe([passenger], []), status([], 1000)];
  const both = [passenger, { ...passenger, first_name: 'Other', passport: null }];
  const all = [passenger, { ...passenger, first_name: 'Other' }];
  const seen = [subscribe(all, []), update(both, 100), status(['passport'], 20_000)];
  const known = seen.map((one) => ({ ...one, enterprise: 'other' }));
  expect(judge(...known, ...made, update(both, 2000), status([], 20_000))).toEqual(['WCI-UPD-028']);
});

test('a list that is as new as an update shows that this kept the pnr', () => {
  const watch = knownBookings.createWatch({ movedMs: 0 });
  const kept = (one: Exchange) => (watch.exchange?.(one) ?? []).map(({ requirement }) => requirement);
  const sent = { checkin_id: id, passengers: [passenger], pnr: 'XYZ789' };
  // Whole seconds do not tell apart what came within one.
  const second = (at: number) => ({ last_updated: `2026-03-01T12:00:0${at}.000Z` });
  kept(subscribe([passenger], []));
  kept(update([passenger], 2000, { ...answering([], second(2)), sent }));
  expect(kept(list([{ ...item, ...second(1) }], 2200))).not.toContain('WCI-UPD-019');
  expect(kept(list([{ ...item, ...second(2), pnr: 'XYZ789' }], 2400))).not.toContain('WCI-UPD-019');
  expect(kept(list([{ ...item, ...second(2) }], 2600))).toContain('WCI-UPD-019');
});

test('an arrival is not converted, after which it would be behind the next departure or before its own', () => {
  const legs = (suffix: string) => [
    { ...flights[0], arrival_datetime: `2026-03-29T14:30:00${suffix}` },
    { ...flights[0], origin: 'LHR', destination: 'JFK', departure_datetime: '2026-03-29T18:30:00' },
  ];
  const booked = (suffix: string, answer: object) =>
    exchange({
      ...{ operation: 'wci.subscribe', requestHeaders: json, ...answer },
      sent: { pnr: 'ABC123', flights: legs(suffix), passengers: [passenger] },
    });
  const made = { at: 0, body: subscribed({ checkin_id: id, status: 'SCHEDULED', missing_info: [] }) };
  const rejected = { at: 60_000, status: 422, body: { success: false, error: 'REJECTED', message: 'no' } };
  for (const suffix of ['-12:00', '+14:00']) {
    expect(judge(booked('', made), booked(suffix, rejected))).toEqual(['WCI-DT-024']);
    const watch = knownBookings.createWatch({ movedMs: 0 });
    const kept = watch.exchange?.(booked(suffix, made)) ?? [];
    expect(kept.map(({ requirement }) => requirement)).toContain('WCI-DT-024');
  }
  expect(judge(booked('', made), booked('+04:00', rejected))).not.toContain('WCI-DT-024');
});

test('a status that wrongly shows nothing missing is not what an update has completed', () => {
  const lacking = { sub_status: 'MISSING_INFO' };
  const shown = (at: number) => status([], at, { ...lacking, ...shownAt(5) });
  const made = [subscribe([passenger], []), status([], 1000)];
  const poorer = update(bare, 2000, answering(['passport'], { ...lacking, ...shownAt(2) }));
  expect(judge(...made, poorer, shown(20_000), shown(40_000))).not.toContain('WCI-UPD-046');
  const whole = [subscribe(bare, ['passport']), update([passenger], 2000, answering([], shownAt(2)))];
  expect(judge(...whole, shown(20_000), shown(40_000))).toContain('WCI-UPD-046');
});
