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

const accepted = () =>
  exchange({ operation: 'wci.subscribe', body: subscribed(), sent: booking, requestHeaders: json });
const refused = (sent: object, status = 400) =>
  exchange({
    ...{ operation: 'wci.subscribe', status, sent, requestHeaders: json },
    body: { success: false, error: 'VALIDATION_ERROR', message: 'no' },
  });

function keptIn(...all: readonly ReturnType<typeof exchange>[]) {
  const watch = acceptedBefore.createWatch(nothingKnown);
  const samples = all.map((one) => watch.exchange?.(one) ?? []).at(-1) ?? [];
  return samples.flatMap(({ requirement, judgement: { status } }) =>
    status === 'holds' ? [requirement] : [],
  );
}

test('an accepted request keeps the rules of what is allowed in it', () => {
  expect(keptIn(accepted())).toContain('WCI-SUB-001');
  expect(keptIn(accepted()).length).toBeGreaterThan(3);
});

test('a refused fault keeps its rule where all the rest was accepted', () => {
  expect(keptIn(accepted(), refused(faulty))).toEqual(['WCI-SUB-030']);
});

test('a refusal tells nothing where something else may be the reason', () => {
  expect(keptIn(refused(faulty))).toEqual([]);
  const others = { ...faulty, passengers: [{ ...booking.passengers[0], date_of_birth: 'soon' }] };
  expect(keptIn(accepted(), refused(others))).toEqual([]);
  expect(keptIn(accepted(), refused(faulty, 402))).toEqual([]);
});
