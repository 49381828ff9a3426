import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { textAt } from '../kit/json.ts';
import { expectLaws } from '../../../test/laws/laws.ts';
import { airportSpelling } from '../../generate/kit/airportSpelling.ts';
import { isFaultOrDoubtful } from '../../generate/kit/corruption.ts';
import { flightNumberSpelling, validFlightNumber } from '../../generate/flightAlerts/flightNumbers.ts';
import { flightNumberForms } from './flightNumber.ts';

const cleaned = (text: string) => text.toUpperCase().replaceAll(/[ -]/g, '');

test('valid flight numbers have two or three letters and digits, then one to four digits, and no zero', () => {
  expectLaws(validFlightNumber, (text) => {
    expect(text).toMatch(/^(?=.*[A-Z])[A-Z1-9]{2,3}[1-9]{1,4}$/);
  });
});

test.each(['QR123', 'EK5', 'BA1234'])(
  'spellings of %s clean to it, zeros after the airline aside',
  (canonical) => {
    expectLaws(flightNumberSpelling(canonical), (text) => {
      expect(cleaned(text).replace(/^([A-Z]{2})0+/, '$1')).toBe(canonical);
    });
  },
);

test.each(['6E123', 'QTR123', 'A1B22', 'G95'])('spellings of %s hold no further zeros', (canonical) => {
  expectLaws(flightNumberSpelling(canonical), (text) => expect(cleaned(text)).toBe(canonical));
});

test('a hundred spellings hold each kind of difference', () => {
  const texts = fc.sample(flightNumberSpelling('QR123'), { seed: 1, numRuns: 100 });
  const kinds = [/[qr]/, / /, /-/, /^\s/, /\s$/, /0/, /^QR0*123$/];
  expect(kinds.filter((kind) => !texts.some((text) => kind.test(text)))).toEqual([]);
});

test('what some reading allows is in no family of violations', () => {
  const samples = flightNumberForms((row) => row)
    .filter(isFaultOrDoubtful)
    .flatMap(({ make }) => fc.sample(make(fc), { seed: 1, numRuns: 300 }))
    .map((change) => textAt(change({ flightNumber: 'EK3' }), 'flightNumber'));
  expect(samples.filter((text) => /^[A-Z0-9]{2,3}\d{1,4}$/.test(cleaned(text)))).toEqual([]);
  expect(samples.filter((text) => text.includes('0'))).toEqual([]);
});

test('spellings of an airport code trim and upper-case to it', () => {
  expectLaws(airportSpelling('DOH'), (text) => expect(text.trim().toUpperCase()).toBe('DOH'));
});
