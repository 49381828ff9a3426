import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { quickTest } from './quickTest.ts';

const text = z.custom((value) => value === null || typeof value === 'string', 'a string or null');
const schemas: readonly (readonly [name: string, schema: z.ZodType, accepted: unknown])[] = [
  ['a present value', z.unknown().refine((value) => value !== undefined, 'present'), null],
  ['a string', z.string(), ''],
  ['a refined string', z.string().refine((value) => value.trim() !== '', 'a text'), 'a'],
  ['a number', z.number(), 1.5],
  ['one of some values', z.enum(['a', 'b']), 'b'],
  ['one value', z.literal('a'), 'a'],
  ['a custom value', text, null],
  ['a custom value or none', text.optional(), undefined],
  ['a nullable string', z.string().nullable(), null],
  ['a string, null or nothing', z.string().nullish(), null],
  ['an array', z.array(z.string()), ['a']],
  ['an object', z.object({ a: text, b: z.object({ c: z.number() }).nullish() }), { a: 'a', b: { c: 1 } }],
];

/** Values near to the schemas, so that many are accepted. */
const { value: values } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('', ' ', 'a', 'b', 0, 1.5, Number.NaN, Number.POSITIVE_INFINITY, null, undefined, true),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.record({ a: tie('value'), b: tie('value'), c: tie('value') }, { requiredKeys: [] }),
  ),
}));

describe.each(schemas)('%s', (_name, schema, accepted) => {
  const isSurelyRight = quickTest(schema);

  test('is told at once', () => {
    expect(isSurelyRight(accepted)).toBe(true);
  });

  test('is never said of a value that the schema refuses', () => {
    fc.assert(
      fc.property(values, (value) => !isSurelyRight(value) || schema.safeParse(value).success),
      { numRuns: 500, seed: 1 },
    );
  });
});

test.each([
  ['an integer in a range', z.int().min(0), 1],
  ['a format of text', z.email(), 'a@example.com'],
  ['a strict object', z.strictObject({ a: z.string() }), { a: 'a' }],
  ['a transformed value', z.string().transform((value) => value.length), 'a'],
])('%s is left to the schema', (_name, schema, value) => {
  expect(quickTest(schema)(value)).toBe(false);
  expect(schema.safeParse(value).success).toBe(true);
});
