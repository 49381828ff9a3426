import { expect, test } from 'vitest';
import { isDamaged } from './damaged.ts';

const city = "São Tomé & D'Oro";

test.each([
  "SÃ£o TomÃ© & D'Oro",
  "S?o Tom? & D'Oro",
  "S\ufffdo Tom\ufffd & D'Oro",
  'São Tomé &amp; D&#39;Oro',
  'São Tomé &amp; D&#x27;Oro',
  'São Tomé &amp; D&apos;Oro',
  "S\\u00e3o Tom\\u00e9 & D'Oro",
])('%s is damaged', (got) => {
  expect(isDamaged(got, city)).toBe(true);
});

test.each([city, "Sao Tome & D'Oro", 'SÃO TOMÉ', 'Rome', ''])('%s is another text', (got) => {
  expect(isDamaged(got, city)).toBe(false);
});

test('an entity that stands there is no damage, and no code point beyond Unicode is read', () => {
  expect(isDamaged('A &amp; B', 'A &amp; B')).toBe(false);
  expect(isDamaged('&#99999999;', city)).toBe(false);
});
