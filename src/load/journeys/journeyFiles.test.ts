import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readJourneys } from './journeyFiles.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatecheck-journeys-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const journey = (id: string) =>
  `{ id: '${id}', title: 't', apis: ['webcheckin'], needs: [], cost: { requests: 1 }, run: async () => {} }`;

test.each<[name: string, text: string, says: RegExp]>([
  ['none', 'export const a = 1;', /it exports no journey/],
  ['throws', 'throw new Error("x".repeat(5000));', /^.{150,700}$/],
  ['twice', `export default [${journey('mine')}, ${journey('mine')}];`, /two journeys have the id mine/],
  ['ours', `export default ${journey('dashboard')};`, /the journey dashboard is built into Gatecheck/],
  ['wrong', `export default { ...${journey('mine')}, weight: -1 };`, /weight: expected a number above 0/],
])('a file of journeys that is wrong is refused with what is wrong: %s', async (name, text, says) => {
  writeFileSync(join(folder, `${name}.mjs`), text);
  await expect(readJourneys(`${name}.mjs`, folder)).rejects.toThrow(says);
});
