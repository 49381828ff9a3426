import { expect, test } from 'vitest';
import { errorBody } from '../../../test/support/judge/bodies.ts';
import { exchange } from '../../../test/support/judge/exchanges.ts';
import { FailedFaults } from './failedFaults.ts';

const lookup = (flightNumber: string, status: number) =>
  exchange({
    ...{ operation: 'fla.lookup', status, body: status === 200 ? [] : errorBody('INTERNAL_ERROR') },
    query: String(new URLSearchParams({ flightNumber, departureDate: '2026-03-09' })),
  });
const fine = () => lookup('EK3', 200);
const failed = () => lookup("EK'3", 500);

function broken(...all: readonly ReturnType<typeof lookup>[]): readonly string[] {
  const faults = new FailedFaults();
  return all.flatMap((one) => faults.judge(one)).map(({ requirement }) => requirement);
}

test('a fault that is an internal error again is not refused', () => {
  expect(broken(failed(), fine(), failed())).toEqual(['FLA-GET-019']);
});

test('internal errors at once, or of what was refused since, may be an accident', () => {
  expect(broken(fine(), failed(), failed(), fine())).toEqual([]);
  expect(broken(failed(), lookup('EK3', 500), failed())).toEqual([]);
  expect(broken(failed(), lookup("EK'3", 400), failed())).toEqual([]);
});
