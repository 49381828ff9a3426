import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from './packageRoot.ts';
import { readYaml, renderParsed } from './readYaml.ts';

const itineraries = join(packageRoot(), 'fixtures', 'places', 'itineraries.yaml');

test('what a build keeps of a file is what the file says', () => {
  const kept = Object.values(JSON.parse(renderParsed([itineraries])) as Record<string, string>);
  expect(kept.map((text) => JSON.parse(text) as unknown)).toEqual([readYaml(itineraries)]);
});

test('a file that no build has seen is parsed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-yaml-'));
  const path = join(folder, 'new.yaml');
  const now = Date.now();
  writeFileSync(path, `at: ${now}\nlist: [a, b]\n`);
  expect(readYaml(path)).toEqual({ at: now, list: ['a', 'b'] });
  rmSync(folder, { recursive: true });
});
