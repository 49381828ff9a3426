import { expect, test } from 'vitest';
import { exchange } from '../../../test/support/judge/exchanges.ts';
import { describeResponse } from './answer.ts';

const said = (body: object) => describeResponse(exchange({ operation: 'wci.subscribe', status: 400, body }));

test('an answer is described by its code and its words', () => {
  expect(said({ success: false, error: 'VALIDATION_ERROR', message: 'pnr is missing' })).toBe(
    'HTTP 400 VALIDATION_ERROR (pnr is missing)',
  );
  expect(said({ success: false, message: 'pnr is missing' })).toBe('HTTP 400 message pnr is missing');
});

test('of codes and words without end, the beginning is told', () => {
  const long = 'x'.repeat(900_000);
  expect(said({ success: false, error: long, message: `${long}y` }).length).toBeLessThan(300);
  expect(said({ success: false, message: long }).length).toBeLessThan(300);
});
