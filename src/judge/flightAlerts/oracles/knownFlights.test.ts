import { describe, expect, test } from 'vitest';
import { delivery } from '../../../../test/support/judge/deliveries.ts';
import { exchange, testStart, type ExchangeSketch } from '../../../../test/support/judge/exchanges.ts';
import { isDelivery, type Delivery, type Exchange } from '../../../core/evidence.ts';
import type { JsonObject } from '../../../trace/body.ts';
import type { Note } from '../../../trace/evidence.ts';
import { samplesOf } from '../../kernel/oracle.ts';
import { knownFlights } from './knownFlights.ts';

function judge(...evidence: readonly (Exchange | Delivery | Note)[]): readonly string[] {
  const watch = knownFlights.createWatch({ movedMs: 0 });
  for (const one of evidence) {
    if ('type' in one) watch.note?.(one);
    else if (isDelivery(one)) watch.delivery?.(one);
    else watch.exchange?.(one);
  }
  return (watch.end?.() ?? []).map(({ requirement }) => requirement);
}

function kept(...evidence: readonly (Exchange | Delivery | Note)[]): readonly string[] {
  const watch = knownFlights.createWatch({ movedMs: 0 });
  const said = evidence.flatMap((one) => {
    if ('type' in one) watch.note?.(one);
    return 'type' in one ? [] : samplesOf(watch, one);
  });
  return said.map(({ requirement }) => requirement);
}

function broken(...evidence: readonly Exchange[]): readonly string[] {
  const watch = knownFlights.createWatch({ movedMs: 0 });
  return evidence.flatMap((one) =>
    samplesOf(watch, one).flatMap(({ requirement, judgement }) =>
      judgement.status === 'violated' ? [requirement] : [],
    ),
  );
}

const flight = { flightNumber: 'EK3', departureDate: '2026-03-09' };

function step(operation: string, params: JsonObject, at: number): Note {
  return {
    ...{ type: 'step', id: 's1', operation, params, startedAt: testStart + at, endedAt: testStart + at },
    ...{ outcome: 'done', error: null, told: {}, movedMs: 0 },
  };
}

function leg(
  from: string,
  to: string,
  more: { readonly departure?: object; readonly arrival?: object } = {},
) {
  return {
    ...{ flightNumber: 'EK3', status: 'schedule', isCodeshare: 0, airline: { name: 'E', code: 'EK' } },
    stopover: { airportIata: null, city: null },
    departure: {
      ...{ airportIata: from, terminal: null, gate: 'A7' },
      ...{ scheduledTime: '2026-03-09 09:25:00', estimatedTime: null, ...more.departure },
    },
    arrival: { airportIata: to, baggageBelt: '4', scheduledTime: '2026-03-09 12:25:00', ...more.arrival },
  };
}

const put = (legs: readonly JsonObject[], at = 0) => step('flights.put', { ...flight, legs }, at);
const change = (changes: JsonObject, at: number) =>
  step('flights.change', { ...flight, departureAirportIata: 'DXB', arrivalAirportIata: 'LHR', changes }, at);
const look = (body: unknown, at: number, more: Partial<ExchangeSketch> = {}) =>
  exchange({ operation: 'fla.lookup', body, at, ...more });
const notFound = { status: 404, body: { success: false, error: 'FLIGHT_NOT_FOUND', message: 'none' } };
const two = [leg('DXB', 'LHR'), leg('LHR', 'JFK')];
const [first = leg('DXB', 'LHR')] = two;

describe('a flight that the state handler made', () => {
  test('shows all its legs, and no others', () => {
    expect(judge(put(two), look(two, 1000))).toEqual([]);
    expect(judge(put(two), look([first], 1000))).toEqual(['FLA-GET-006']);
    expect(judge(put([first]), look(two, 1000))).toEqual(['FLA-GET-005']);
  });

  test('may show what a step has left out', () => {
    const airports = { departure: { airportIata: 'DXB' }, arrival: { airportIata: 'LHR' } };
    expect(judge(put([airports]), look([first], 1000))).toEqual([]);
    expect(judge(put([{ ...airports, status: null }]), look([first], 1000))).toEqual(['FLA-SNP-010']);
  });

  test('is not judged by an answer during a step about it, but by one during a step about another', () => {
    const other = { ...flight, flightNumber: 'EK4' };
    const during = step('flights.put', { ...flight, legs: two }, 1000);
    expect(judge(put(two), look([first], 1000), during)).toEqual([]);
    expect(judge(put(two), look([first], 1000), step('flights.put', { ...other, legs: two }, 1000))).toEqual([
      'FLA-GET-006',
    ]);
  });

  test('may show a null that upstream has given, and none that it has not', () => {
    const none = { ...first, alternateInfo: null };
    expect(judge(put([none]), look([none], 1000))).toEqual([]);
    expect(judge(put([first]), look([none], 1000))).toEqual(['FLA-SNP-031']);
  });

  test('is found, once any answer has shown that the handler does what it says', () => {
    expect(judge(put(two), look(null, 1000, notFound))).toEqual([]);
    expect(judge(put(two), look(null, 1000, notFound), look(two, 2000))).toEqual(['FLA-GET-001']);
    const spelled = { ...notFound, query: 'flightNumber=EK003&departureDate=2026-03-09' };
    expect(judge(put(two), look(two, 1000), look(null, 2000, spelled))).toEqual(['FLA-GET-013']);
  });

  test('may be as it was before for a minute, where somebody had asked about it', () => {
    const before = look(null, 0, notFound);
    const other = look(two, 70_000, { query: 'flightNumber=EK3&departureDate=2026-03-10' });
    const others = step('flights.put', { ...flight, departureDate: '2026-03-10', legs: two }, 300);
    expect(judge(before, put(two, 200), others, look(null, 30_000, notFound), other)).toEqual([]);
    expect(judge(before, put(two, 200), others, look(null, 70_000, notFound), other)).toEqual([
      'FLA-GET-035',
    ]);
  });

  test.each([
    ['FLA-SNP-030', { arrival: { baggageBelt: null } }],
    ['FLA-SNP-032', { departure: { terminal: '1' } }],
    ['FLA-SNP-019', { departure: { estimatedTime: '2026-03-09 09:25:00' } }],
    ['FLA-SNP-017', { arrival: { scheduledTime: '2026-03-09 15:25:00' } }],
  ])('shows what upstream has of it: %s', (rule, other) => {
    expect(judge(put([first]), look([leg('DXB', 'LHR', other)], 1000))).toEqual([rule]);
  });

  test('shows the latest values', () => {
    const gate = (value: string) => leg('DXB', 'LHR', { departure: { gate: value } });
    const seen = [put([first]), look([first], 1000), change({ departure: { gate: 'B1' } }, 2000)];
    expect(judge(...seen, look([gate('B1')], 3000), look([first], 30_000))).toEqual([]);
    expect(judge(...seen, look([gate('B1')], 3000), look([first], 70_000))).toEqual(['FLA-GET-035']);
    expect(judge(...seen, look([gate('B9')], 3000))).toEqual(['FLA-SNP-030']);
  });

  test('fails as upstream does', () => {
    const fails = step('provider.fail', { mode: 'invalid-data' }, 500);
    const answer = (error: string) => look({ success: false, error, message: 'x' }, 1000, { status: 502 });
    expect(judge(put(two), fails, answer('INVALID_PROVIDER_DATA'))).toEqual([]);
    expect(judge(put(two), fails, answer('PROVIDER_UNAVAILABLE'))).toEqual(['FLA-GET-033']);
  });
});

test('the legs of one date are not those of another', () => {
  const other = look([first], 2000, { query: 'flightNumber=EK3&departureDate=2026-03-10' });
  expect(judge(put([first]), look([first], 1000), other)).toEqual(['FLA-GET-028']);
});

test('a date is past where all clocks say so, and today is not', () => {
  const on = (date: string, at: number, status: number) =>
    look(status === 400 ? { error: 'VALIDATION_ERROR' } : [first], at, {
      ...{ status, query: `flightNumber=EK3&departureDate=${date}` },
    });
  expect(judge(on('2026-02-28', 0, 200))).toEqual(['FLA-GET-024']);
  expect(judge(on('2026-02-28', 0, 200), on('2026-02-27', 0, 400))).toEqual(['FLA-GET-024']);
  expect(judge(on('2026-03-01', 0, 400))).toEqual([]);
  expect(judge(on('2026-03-01', 0, 400), on('2026-03-02', 0, 200))).toEqual(['FLA-GET-025']);
});

describe('a subscription', () => {
  const json = [['content-type', 'application/json']] as const;
  const mine = { fid: '001', callbackUrl: 'https://example.com/a' };
  const ends = { departureAirportIata: 'DXB', arrivalAirportIata: 'LHR' };
  const ask = (callbackData: unknown, at: number, more: Partial<ExchangeSketch> = {}, asked: object = ends) =>
    exchange({
      ...{ operation: 'fla.subscribe', at, requestHeaders: json },
      sent: { ...flight, ...asked, ...(callbackData === null ? {} : { callbackData }) },
      body: { success: true, latest_status_snapshot: first, ...(more.body as object | undefined) },
      ...(more.status === undefined ? {} : more),
    });
  const key = { body: { callbackApiKey: 'fac_12345678' } };
  const conflict = (error: string) => ({ status: 409, body: { success: false, error, message: 'other' } });
  const other = { ...mine, callbackUrl: 'https://example.com/b' };

  test('keeps its callback against another one', () => {
    const made = ask(mine, 0, key);
    expect(judge(made, ask(other, 1000, conflict('CALLBACK_ALREADY_REGISTERED')))).toEqual([]);
    expect(judge(made, ask(other, 1000))).toEqual(['FLA-SUB-008']);
    expect(judge(made, ask(other, 1000, conflict('EXTERNAL_FID_ALREADY_REGISTERED')))).toEqual([
      'FLA-SUB-008',
    ]);
    expect(judge(made, ask({ ...mine, fid: '1' }, 1000))).toEqual(['FLA-SUB-009']);
  });

  test('is not changed by what must not change it', () => {
    const refused = conflict('CALLBACK_ALREADY_REGISTERED');
    const trace = [ask(mine, 0, key), ask(mine, 1000), ask(other, 2000, refused), ask(mine, 3000, refused)];
    expect(judge(...trace)).toEqual(['FLA-SUB-011']);
    const dropped = [ask(mine, 0, key), ask(mine, 1000), ask(null, 2000), ask(mine, 3000, key)];
    expect(judge(...dropped)).toEqual(['FLA-SUB-012']);
  });

  test('returns a key to the first callback of a leg, if the flight was made by the state handler', () => {
    expect(judge(ask(mine, 1000))).toEqual([]);
    expect(judge(put(two), ask(mine, 1000))).toEqual(['FLA-SUB-005']);
    // One that was under way meanwhile got the key.
    const late = ask(mine, 900, {
      status: 200,
      until: 3000,
      body: { success: true, callbackApiKey: 'fac_1' },
    });
    expect(judge(put(two), ask(mine, 1000), late)).toEqual([]);
    expect(judge(put(two), ask(null, 1000), ask(mine, 2000))).toEqual(['FLA-SUB-013']);
  });

  test('is that of one leg', () => {
    const legs = [first, leg('DXB', 'JFK')];
    const beside = { ...ends, arrivalAirportIata: 'JFK' };
    const refused = ask({ ...other, fid: '2' }, 3000, conflict('CALLBACK_ALREADY_REGISTERED'), beside);
    const another = { ...flight, departureDate: '2026-03-11' };
    const plain = [
      step('flights.put', { ...another, legs }, 0),
      ask({ ...mine, fid: '3' }, 100, key, { ...ends, ...another }),
    ];
    expect(judge(...plain, put(legs), ask(mine, 1000, key), refused)).toEqual(['FLA-SUB-015']);
  });

  test('is told of changes of its own leg alone', () => {
    const legs = [first, leg('DXB', 'JFK')];
    const told = (gate: string) =>
      delivery({
        body: { fid: mine.fid, changes: { departure: { gate } } },
        token: 'example.com/a',
      });
    const moved = (gate: string, at: number) => change({ departure: { gate } }, at);
    const aside = step(
      'flights.change',
      {
        ...flight,
        departureAirportIata: 'DXB',
        arrivalAirportIata: 'JFK',
        changes: { departure: { gate: 'C3' } },
      },
      3000,
    );
    const made = [put(legs), ask(mine, 1000, key)];
    expect(judge(...made, told('B2'), moved('B2', 2000), aside)).toEqual([]);
    expect(judge(...made, moved('B2', 2000), told('C3'), aside)).toEqual(['FLA-SUB-014']);
    expect(kept(...made, aside, moved('B2', 4000), told('B2'))).toContain('FLA-SUB-014');
    expect(kept(...made, moved('B2', 2000), told('B2'), aside)).not.toContain('FLA-SUB-014');
    // An address that two legs share is told by the fid which of them has changed.
    const beside = ask({ ...mine, fid: '2' }, 1500, key, { ...ends, arrivalAirportIata: 'JFK' });
    expect(judge(...made, beside, moved('B2', 2000), told('C3'), aside)).toEqual(['FLA-CB-023']);
    expect(kept(...made, beside, moved('B2', 2000), told('B2'))).toContain('FLA-CB-023');
  });

  test('needs no lookup before, and is to a leg that a lookup has shown', () => {
    expect(kept(ask(null, 1000))).toContain('FLA-GET-037');
    expect(kept(look(two, 500), ask(null, 1000))).not.toContain('FLA-GET-037');
    const back = { departureAirportIata: 'LHR', arrivalAirportIata: 'DXB' };
    expect(judge(look([first], 0), ask(null, 1000, {}, back))).toEqual(['FLA-SUB-022']);
    expect(kept(look([first], 0), ask(null, 1000, notFound, back))).toContain('FLA-SUB-022');
    const other = { ...ends, departureDate: '2026-03-10' };
    expect(judge(put([first]), look([first], 0), ask(null, 1000, {}, other))).toEqual(['FLA-SUB-023']);
    expect(kept(put([first]), look([first], 0), ask(null, 1000, notFound, other))).toContain('FLA-SUB-023');
  });

  test('is refused where two legs fit, or upstream does not confirm it', () => {
    const ambiguous = [put([first, { ...first }]), look([first, { ...first }], 500)];
    expect(judge(...ambiguous, ask(null, 1000, conflict('AMBIGUOUS_FLIGHT')))).toEqual([]);
    expect(judge(...ambiguous, ask(null, 1000, conflict('OTHER')))).toContain('FLA-SUB-024');
    expect(judge(...ambiguous, ask(null, 1000, notFound))).toEqual(['FLA-SUB-024']);
    const fails = step('provider.fail', { mode: 'subscription' }, 500);
    expect(judge(put([first]), fails, ask(null, 1000))).toEqual(['FLA-SUB-025']);
    expect(judge(put([first]), look([first], 100), fails, ask(null, 1000))).toEqual([]);
  });

  test('is the same in another spelling, and at the same time', () => {
    const spelled = { ...ends, flightNumber: 'ek3' };
    expect(judge(ask(mine, 0, key), ask(mine, 1000), ask(mine, 2000, key, spelled))).toEqual(['FLA-SUB-017']);
    expect(judge(ask(mine, 0, key), ask(mine, 1000, key, spelled))).toEqual([]);
    const meanwhile = { until: 3000, ...conflict('CALLBACK_ALREADY_REGISTERED') };
    expect(
      broken(ask(mine, 1000, { status: 200, until: 2000, ...key }), ask(mine, 1500, meanwhile)),
    ).toContain('FLA-SUB-029');
  });

  test('is no internal error again and again', () => {
    const failed = (at: number) => ask(other, at, { status: 500, body: { success: false, error: 'X' } });
    const made = [put([first]), ask(mine, 1000, key)];
    expect(judge(...made, failed(2000), failed(3000))).toEqual([]);
    expect(judge(...made, failed(2000), ask(mine, 2500), failed(3000))).toEqual(['FLA-SUB-008']);
  });

  test('is no matter of a subscribe without one', () => {
    const refused = ask(null, 2000, conflict('CALLBACK_ALREADY_REGISTERED'));
    expect(kept(put([first]), ask(null, 1000), ask(null, 2000))).toContain('FLA-SUB-037');
    expect(judge(put([first]), ask(null, 1000), refused)).toEqual(['FLA-SUB-037']);
  });
});

describe('a rule is seen to be kept', () => {
  test('where upstream has a value that is shown, and not where it has none', () => {
    expect(kept(put(two), look(two, 1000))).toEqual(expect.arrayContaining(['FLA-GET-006', 'FLA-SNP-030']));
    expect(kept(put([first]), look([first], 1000))).not.toContain('FLA-GET-006');
    expect(kept(look(two, 1000))).toEqual(['FLA-GET-029', 'FLA-SNP-027']);
  });

  test('where what is not found was not put, once something was found that was', () => {
    const other = { ...notFound, query: 'flightNumber=EK3&departureDate=2026-03-10' };
    expect(kept(put(two), look(null, 1000, other))).not.toContain('FLA-GET-028');
    expect(kept(put(two), look(two, 1000), look(null, 2000, other))).toContain('FLA-GET-028');
  });
});
