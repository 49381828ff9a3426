import { expect, test } from 'vitest';
import type * as fc from 'fast-check';
import type { z } from 'zod';
import { loadCatalogue } from '../../src/catalogue/loadCatalogue.ts';
import { corrupted, type Corruption } from '../../src/generate/kit/corruption.ts';
import { expectLaws } from './laws.ts';

/** Where and how each corruption breaks the document's schema: name to `path` or `path fault`, indexes as `*`. */
export type Breaks = Readonly<Record<string, string>>;

/** What corruptions of an object break where the object stands. */
export function breaksIn(place: string, breaks: Breaks): Breaks {
  return Object.fromEntries(Object.entries(breaks).map(([name, broken]) => [name, `${place}.${broken}`]));
}

/** Tests that each corruption always breaks exactly what its name says, and that its requirement is one that can be broken. */
export function testCorruptions<T>(
  corruptions: readonly Corruption<T>[],
  valid: fc.Arbitrary<T>,
  against: { readonly schema: z.ZodType; readonly breaks: Breaks },
): void {
  const catalogue = loadCatalogue();

  test('every corruption is expected, once', () => {
    expect(
      corruptions.map(({ name }) => name).sort(),
      'put each new name, with what it breaks, into the `breaks` of this test (some are in test/laws/)',
    ).toEqual(Object.keys(against.breaks).sort());
  });

  test.each(corruptions)('$name breaks $rule and nothing else', (corruption) => {
    expect(['must', 'should'], 'only a must or a should can be broken').toContain(
      catalogue.get(corruption.rule).level,
    );
    const expected = against.breaks[corruption.name];
    expectLaws(
      corrupted(corruption, valid),
      (request) =>
        expect(
          faults(against.schema, request),
          'what the schema of this test (in test/laws/) finds wrong is not what `breaks` says: if it finds nothing, teach it the rule',
        ).toBe(expected),
      25,
    );
  });
}

function faults(schema: z.ZodType, value: unknown): string {
  const issues = schema.safeParse(value).error?.issues ?? [];
  const labels = issues.map(({ path, code, message }) => {
    const place = path.map((part) => (typeof part === 'number' ? '*' : String(part))).join('.');
    return code === 'custom' ? `${place} ${message}`.trim() : place;
  });
  return [...new Set(labels)].join(', ');
}
