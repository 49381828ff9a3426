import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { variants } from '../bench/limiters/variants.ts';
import { loadCatalogue } from '../src/catalogue/loadCatalogue.ts';
import { defects } from '../src/reference/defects.ts';
import { dialectPoints } from '../src/reference/dialects.ts';
import { variations } from '../src/wire/variations.ts';

const page = await readFile(new URL('../docs/proof.md', import.meta.url), 'utf8');
const section = page.slice(page.indexOf('## What trials found'));
const points = section
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter(([, first = '', rows = '']) => !/^-+$/.test(first) && rows !== 'rows')
  .map(([, point = '', rows = '', proof = '']) => ({ point, rows: rows.split(' ').filter(Boolean), proof }));

const known: Readonly<Record<string, (name: string) => boolean>> = {
  defect: namesOf(defects),
  dialect: namesOf(dialectPoints.map(({ name }) => ({ id: name }))),
  wire: namesOf(variations),
  limiter: (name) => variants.some(({ title }) => title === name),
  test: (path) => existsSync(new URL(`../${path}`, import.meta.url)),
};

describe('the points that trials found', () => {
  test('are read from the page', () => {
    expect(points.length).toBeGreaterThan(50);
  });

  test.each(points)('$point: its rows exist', ({ rows }) => {
    const catalogue = loadCatalogue();
    expect(rows.filter((row) => !catalogue.has(row))).toEqual([]);
  });

  test.each(points)('$point: what proves it exists', ({ proof }) => {
    const named = [...proof.matchAll(/(\w+) `([^`]+)`/g)].map(([, kind = '', name = '']) => ({ kind, name }));
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter(({ kind, name }) => known[kind]?.(name) !== true)).toEqual([]);
  });
});

function namesOf(things: readonly { readonly id: string }[]): (name: string) => boolean {
  const ids = new Set(things.map(({ id }) => id));
  return (name) => ids.has(name);
}
