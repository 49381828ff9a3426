import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { flightCallbackSchema } from '../../../test/laws/flightAlerts.ts';
import { expectLaws } from '../../../test/laws/laws.ts';
import { callbackSchema } from '../../../test/laws/webCheckIn.ts';
import { callbackUrlBelow, checkinCallback, fid, flightCallback } from './callback.ts';

test('callbackData of a check-in has an allowed header with one colon, and both client members', () => {
  expectLaws(checkinCallback('https://example.com/cb', 'a1b2'), (callback) => {
    const { auth_header: header, ...rest } = callbackSchema.required().parse(callback);
    expect(header).toContain('a1b2');
    expect(header).toMatch(/^[\x20-\x7e]+$/);
    expect(rest).toEqual({
      callbackUrl: 'https://example.com/cb',
      clientId: 'gatecheck',
      clientName: 'Gatecheck',
    });
  });
});

test('callbackData of a flight subscription is valid', () => {
  expectLaws(flightCallback('https://example.com/cb', 'a1b2'), (callback) =>
    flightCallbackSchema.parse(callback),
  );
});

test('external flight ids hold the token, are visible ASCII and reach 255 characters', () => {
  expectLaws(fid('a1b2'), (id) => expect(id).toMatch(/^(?=.*a1b2)[\x21-\x7e]{4,255}$/));
  const sample = fc.sample(fid('a1b2'), { seed: 1, numRuns: 100 });
  expect(Math.max(...sample.map((id) => id.length))).toBe(255);
  expect(sample.some((id) => id.startsWith('0'))).toBe(true);
});

test('addresses below a public one stay at its host and have no fragment', () => {
  expectLaws(callbackUrlBelow('https://sink.example.com/base/'), (text) => {
    const { origin, pathname, hash } = new URL(text);
    expect([origin, pathname.slice(0, 5), hash]).toEqual(['https://sink.example.com', '/base', '']);
  });
});
