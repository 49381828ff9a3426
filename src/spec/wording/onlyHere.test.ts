import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** A pattern or a comparison of texts on what a violation says in words. */
const reading =
  /(?:\.exec|\.test|\.match|\.matchAll)\(\s*(?:\w+\()?\s*`?(?:\$\{)?(?:[\w.]*\.)?(?:expected|actual)\b|\b(?:finding|lead|other|judgement|judged)\.(?:expected|actual)\??\.(?:startsWith|endsWith|includes|match|split|replace)\b|\b(?:expected|actual)\.(?:startsWith|endsWith|match|matchAll|includes|replace)\(/;

test('no code reads back what a finding says in words: its place, values and reasons are data', () => {
  const files = [
    'src/report',
    'src/engine',
    'src/run',
    'src/judge',
    'src/spec',
    'src/show',
    'suites',
  ].flatMap((folder) => globSync(`${folder}/**/*.ts`).filter((file) => !file.endsWith('.test.ts')));
  const found = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => reading.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(files.length).toBeGreaterThan(300);
  expect(found).toEqual([]);
});
