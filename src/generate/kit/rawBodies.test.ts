import { expect, test } from 'vitest';
import { loadCatalogue } from '../../catalogue/loadCatalogue.ts';
import { expectLaws } from '../../../test/laws/laws.ts';
import { rawBodies } from './rawBodies.ts';

const valid = '{"passengers":[{"first_name":"X","last_name":"}"}],"pnr":"ABC123"}\n';

function isJsonObject(text: string): boolean {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

test.each(['wci.subscribe', 'wci.update', 'fla.subscribe'] as const)(
  'no raw body of %s is a JSON object',
  (operation) => {
    for (const { rule, body } of rawBodies(operation, valid)) {
      expect(loadCatalogue().has(rule)).toBe(true);
      expectLaws(body, (text) => expect(isJsonObject(text)).toBe(false));
    }
  },
);

test('syntax errors are told from other JSON values', () => {
  const rules = rawBodies('wci.update', valid).map(({ rule, name }) => `${rule} ${name}`);
  expect(rules).toMatchInlineSnapshot(`
    [
      "SHR-ERR-012 empty-body",
      "SHR-ERR-012 opening-brace",
      "SHR-ERR-012 byte-order-mark",
      "SHR-ERR-012 cut-off",
      "SHR-ERR-012 not-json",
      "SHR-ERR-013 array",
      "SHR-ERR-013 deep",
      "SHR-ERR-013 scalar",
      "SHR-ERR-013 json-text",
      "SHR-ERR-013 null",
    ]
  `);
});
