import { expect, test } from 'vitest';
import { subscribed } from '../../../test/support/judge/bodies.ts';
import { exchange } from '../../../test/support/judge/exchanges.ts';
import { nothingKnown } from '../kernel/oracle.ts';
import { acceptedBefore } from './acceptedBefore.ts';

const leg = {
  ...{ airline: 'EK', flight_number: '3', origin: 'DXB', destination: 'LHR' },
  departure_datetime: '2026-07-29T10:30:00',
};
const booking = {
  ...{ pnr: 'ABC123', flights: [leg] },
  passengers: [{ first_name: 'Testa', last_name: 'Gatecheck' }],
};
const faulty = { ...booking, flights: [{ ...leg, origin: undefined }] };
const json = [['Content-Type', 'application/json']] as const;

const accepted = (sent: object = booking, message = 'SCHEDULED') =>
  exchange({ operation: 'wci.subscribe', body: subscribed({ message }), sent, requestHeaders: json });
const refused = (sent: object, status = 400) =>
  exchange({
    ...{ operation: 'wci.subscribe', status, sent, requestHeaders: json },
    body: { success: false, error: 'VALIDATION_ERROR', message: 'no' },
  });

function judged(wanted: string, all: readonly ReturnType<typeof exchange>[]) {
  const watch = acceptedBefore.createWatch(nothingKnown);
  const samples = all.map((one) => watch.exchange?.(one) ?? []).at(-1) ?? [];
  return [...samples, ...(wanted === 'violated' ? (watch.end?.() ?? []) : [])].flatMap(
    ({ requirement, judgement: { status } }) => (status === wanted ? [requirement] : []),
  );
}

const keptIn = (...all: readonly ReturnType<typeof exchange>[]) => judged('holds', all);
const brokenBy = (...all: readonly ReturnType<typeof exchange>[]) => judged('violated', all);

test('an accepted request keeps the rules of what is allowed in it', () => {
  expect(keptIn(accepted())).toContain('WCI-SUB-001');
  expect(keptIn(accepted()).length).toBeGreaterThan(3);
});

test('a refused fault keeps its rule where all the rest was accepted', () => {
  expect(keptIn(accepted(), refused(faulty))).toEqual(['WCI-SUB-030']);
});

test('a repeat shows that all the rest is no reason to refuse a fault, also when it comes later', () => {
  const repeat = accepted(booking, 'ALREADY_SUBSCRIBED');
  expect(keptIn(repeat, refused(faulty))).toEqual(['WCI-SUB-030']);
  for (const later of [repeat, accepted()]) {
    const watch = acceptedBefore.createWatch(nothingKnown);
    const early = refused(faulty);
    expect(watch.exchange?.(early)).toEqual([]);
    watch.exchange?.(later);
    expect(watch.end?.()).toMatchObject([{ requirement: 'WCI-SUB-030', evidence: [early] }]);
  }
});

test('a number of five digits is as well-formed as one of three', () => {
  const sent = { ...booking, flights: [{ ...leg, flight_number: '12345' }] };
  expect(keptIn(accepted(sent))).toContain('WCI-SUB-071');
  expect(brokenBy(accepted(), refused(sent), accepted())).toEqual(['WCI-SUB-071']);
  expect(brokenBy(accepted(), refused(sent, 422), accepted())).toEqual([]);
});

test('a refusal tells nothing where something else may be the reason', () => {
  expect(keptIn(refused(faulty))).toEqual([]);
  const others = { ...faulty, passengers: [{ ...booking.passengers[0], date_of_birth: 'soon' }] };
  expect(keptIn(accepted(), refused(others))).toEqual([]);
  expect(keptIn(accepted(), refused(faulty, 402))).toEqual([]);
});

const looked = (query: object, status: number, error = 'FLIGHT_NOT_FOUND') =>
  exchange({
    ...{
      operation: 'fla.lookup',
      status,
      body: status === 200 ? [] : { success: false, error, message: 'no' },
    },
    query: String(
      new URLSearchParams({ flightNumber: 'EK3', departureDate: '2028-03-01', ...query }),
    ).replaceAll('+', '%20'),
  });

test('a flight that was searched for shows that its number and its date are valid', () => {
  expect(keptIn(looked({ flightNumber: 'UAE3' }, 404))).toEqual(['FLA-GET-020']);
  expect(keptIn(looked({ departureDate: '2028-02-29' }, 404))).toEqual(['FLA-GET-038']);
  expect(keptIn(looked({ flightNumber: 'UAE3' }, 404, 'NOT_FOUND'))).toEqual([]);
});

test('what should be refused keeps its rule where it is', () => {
  const spaced = { departureDate: ' 2028-03-01' };
  expect(keptIn(looked({}, 200), looked(spaced, 400, 'VALIDATION_ERROR'))).toEqual(['FLA-GET-041']);
  expect(keptIn(looked(spaced, 400, 'VALIDATION_ERROR'))).toEqual([]);
});

const withLeg = (change: object) => ({ ...booking, flights: [{ ...leg, ...change }] });

test('a combination of spellings keeps the rule of each, and a repeat does so too', () => {
  const combined = withLeg({ departure_datetime: ' 2026-07-29 10:30Z' });
  for (const message of ['SCHEDULED', 'ALREADY_SUBSCRIBED'])
    expect(keptIn(accepted(combined, message))).toEqual(
      expect.arrayContaining(['WCI-DT-002', 'WCI-DT-003', 'WCI-DT-006', 'WCI-DT-009', 'WCI-DT-010']),
    );
  expect(keptIn(accepted(faulty, 'ALREADY_SUBSCRIBED'))).toEqual([]);
});

test('what the likelier reading refuses keeps its rule where it is refused', () => {
  expect(keptIn(accepted(), refused(withLeg({ departure_datetime: '2026-07-29t10:30:00' })))).toEqual([
    'WCI-DT-034',
  ]);
});

test('a payload that is refused as a journey is judged too late', () => {
  const broken = withLeg({ departure_datetime: 'soon' });
  expect(brokenBy(refused(broken, 422))).toEqual(['WCI-DT-016']);
  expect(brokenBy(refused(withLeg({ destination: 'CDG' }), 422))).toEqual([]);
});

test('an arrival is written as a departure may be', () => {
  const spelled = '2026-07-29 14:30Z';
  const [departing, arriving] = [{ departure_datetime: spelled }, { arrival_datetime: spelled }].map(withLeg);
  const plain = accepted(withLeg({ arrival_datetime: '2026-07-29T14:30:00' }));
  expect(brokenBy(plain, accepted(departing, 'ALREADY_SUBSCRIBED'), refused(arriving ?? {}), plain)).toEqual([
    'WCI-DT-022',
  ]);
  expect(brokenBy(plain, refused(arriving ?? {}), plain)).toEqual(['WCI-DT-010']);
});
