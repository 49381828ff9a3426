import { expect, test } from 'vitest';
import { z } from 'zod';
import { loadCatalogue } from '../../catalogue/loadCatalogue.ts';
import { expectLaws } from '../../../test/laws/laws.ts';
import { listQuery, tolerantListQueries } from './listQueries.ts';

const integer = z.string().regex(/^(0|-?[1-9]\d*)$/);
const page = integer.refine((text) => Number(text) >= 0);
const limit = integer.refine((text) => Number(text) >= 1 && Number(text) <= 100);
const status = z.enum(['SCHEDULED', 'IN_PROGRESS', 'COMPLETED', 'FAILED']);
const schema = z.strictObject({ page: page.optional(), limit: limit.optional(), status: status.optional() });

test('valid queries stay within the bounds', () => {
  expectLaws(listQuery, (query) => schema.parse(query));
});

test.each(tolerantListQueries)('$name is outside the bounds of one parameter', ({ rule, query }) => {
  expect(loadCatalogue().has(rule)).toBe(true);
  expectLaws(query, (parameters) => {
    expect(Object.keys(parameters)).toHaveLength(1);
    expect(schema.safeParse(parameters).success).toBe(false);
  });
});

test('no parameter has one of the spellings without certain reading, where it matters what is read', () => {
  const plain = tolerantListQueries.filter(
    ({ name, isSpelled }) => !isSpelled && !name.endsWith('-fraction'),
  );
  for (const { query } of plain) {
    expectLaws(query, (parameters) => {
      for (const text of Object.values(parameters))
        expect(text).not.toMatch(/^\+|^-?0\d|\d[.ex]|^[A-Z]*[a-z]+[A-Z]/);
    });
  }
});
