import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadCatalogue, type Catalogue } from './loadCatalogue.ts';
import { packageRoot } from './packageRoot.ts';

const catalogue = loadCatalogue();
const rows = [...catalogue.requirements, ...catalogue.openPoints];

describe('the catalogue', () => {
  test('has unique ids', () => {
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  });

  test('keeps every id and variant name that was ever released', () => {
    const current = new Set(frozenLines(catalogue));
    expect(
      frozen().filter((line) => !current.has(line)),
      'put the row or variant back: other people refer to it',
    ).toEqual([]);
  });

  test('freezes what is added', () => {
    const known = new Set(frozen());
    expect(
      frozenLines(catalogue).filter((line) => !known.has(line)),
      'add these lines to fixtures/requirements/frozen-ids.txt',
    ).toEqual([]);
  });

  test('gives a reason for every row that nothing can observe', () => {
    const silent = rows.filter(({ level, observe }) => level === 'consumer' || observe === 'not-observable');
    expect(silent.length).toBeGreaterThan(0);
    expect(silent.filter(({ excused }) => excused === null)).toEqual([]);
  });

  test('excuses no row that can be observed', () => {
    const excused = rows.filter((row) => row.excused !== null && row.observe !== 'not-observable');
    expect(excused.map(({ id }) => id)).toEqual([]);
  });

  test('names conditions of what is judged only, in words that go behind `where`', () => {
    const conditional = catalogue.requirements.filter(({ condition }) => condition !== null);
    expect(conditional.length).toBeGreaterThan(0);
    const wrong = conditional.filter(
      ({ level, excused, condition }) =>
        !['must', 'should'].includes(level) ||
        excused !== null ||
        !/^(a|an|the|two) .*[^.]$/.test(condition ?? ''),
    );
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });

  test('gives every open point two variants, or says that it is open-ended', () => {
    const narrow = catalogue.openPoints.filter(
      ({ variants, openEnded }) => variants.length < 2 && !openEnded,
    );
    expect(narrow).toEqual([]);
  });

  test('lets open points affect rows that exist', () => {
    const affected = catalogue.openPoints.flatMap(({ affects }) => affects);
    expect(affected.filter((id) => !catalogue.has(id))).toEqual([]);
  });

  test('names sections that the documents have, and leaves none of their leaf sections out', () => {
    const cited = new Set(
      rows.flatMap(({ source }) => source.map((one) => `${one.document} > ${one.section}`)),
    );
    const sections = catalogue.documents.flatMap(({ id, sections: all }) =>
      all.map((section) => `${id} > ${section}`),
    );
    expect([...cited].filter((section) => !sections.includes(section))).toEqual([]);
    expect(sections.filter((section) => !cited.has(section))).toEqual([
      'web-check-in > Resources and their fields',
      'flight-alerts > Resources and their fields',
    ]);
  });

  test('warns, and does not fail, on plausible derivations', () => {
    const plausible = catalogue.requirements.filter(({ derived }) => derived === 'plausible');
    expect(new Set(plausible.map(({ level }) => level))).toEqual(new Set(['should']));
  });

  test('speaks plainly: no shorthand of its authors', () => {
    const shorthand = /\b(SUBOK|SUBINC|FGET|FSUB|K1|K2|KB|SH|UPD|LIST|harness)\b/;
    const texts = catalogue.requirements.flatMap(({ id, title, trap, excused }) =>
      [title, trap ?? '', excused ?? ''].map((text) => ({ id, text })),
    );
    expect(texts.filter(({ text }) => shorthand.test(text))).toEqual([]);
  });

  test('accounts in its notes for every excused and every plausible row', () => {
    const notes = readFileSync(join(packageRoot(), 'docs', 'catalogue-notes.md'), 'utf8');
    const told = catalogue.requirements.filter(
      ({ excused, derived }) => excused !== null || derived === 'plausible',
    );
    expect(
      told.filter(({ id }) => !notes.includes(id)).map(({ id }) => id),
      'give the reasons for these rows in docs/catalogue-notes.md, under "Excused rows" or "How derived rows were decided"',
    ).toEqual([]);
  });
});

function frozen(): string[] {
  const file = join(packageRoot(), 'fixtures', 'requirements', 'frozen-ids.txt');
  return readFileSync(file, 'utf8').trim().split('\n');
}

/** One line for each name that others refer to: the ids of all rows, and the variants of each open point. */
function frozenLines({ requirements, openPoints }: Catalogue): string[] {
  return [
    ...requirements.map(({ id }) => id),
    ...openPoints.flatMap(({ id, variants }) => [id, ...variants.map(({ name }) => `${id} ${name}`)]),
  ];
}
