import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { resultSchema } from '../src/index.ts';
import { faultyRun, fuzzedRun, fuzzFaults } from './hostile/faultyRuns.ts';
import { sentKeys } from './hostile/row.ts';
import { hostileRows } from './hostile/rows.ts';
import { runRow } from './hostile/runRow.ts';
import { gatecheck } from './support/gatecheck.ts';

// The whole table, with its figures, is `npm run hostile`.

test('the table holds at least 150 servers, each of its own name', () => {
  expect(hostileRows.length).toBeGreaterThanOrEqual(150);
  expect(new Set(hostileRows.map(({ group, name }) => `${group} ${name}`)).size).toBe(hostileRows.length);
});

/** Every fourth, all that might show a key, and all that stands before a deployment since a while. */
const sample = hostileRows.filter(
  ({ group, name }, index) =>
    index % 4 === 0 || group === 'key echoes' || name.includes('from the ninth request on'),
);

test.concurrent.each(sample.map((row) => [row.group, row.name, row] as const))(
  'a server of the group %s survives: %s',
  { timeout: 60_000 },
  async (_group, _name, row) => {
    expect((await runRow(row)).faults).toEqual([]);
  },
);

test.each(['never answers', 'garbage', '400 kB of blanks in each text', 'totalPages is 2000000000'])(
  'the command line survives it as well: %s',
  { timeout: 120_000 },
  async (name) => {
    const row = hostileRows.find((one) => one.name === name);
    const target = await row?.open();
    const args = ['run', '--target', target?.url ?? '', '--profile', 'smoke', '--max-requests', '12'];
    const http = { connectTimeout: '300ms', responseTimeout: '300ms' };
    const env = { GATECHECK_KEYS_PRIMARY: sentKeys.join(','), NODE_OPTIONS: '--max-old-space-size=512' };
    const ended = await gatecheck([...args, '--report-dir', 'out'], { config: { http }, env });
    await target?.close();
    const file = join(ended.folder, 'out/result.json');
    expect(existsSync(file)).toBe(true);
    expect(resultSchema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).success).toBe(true);
    expect(ended.code).toBe(row?.end === 'lost' ? 3 : 1);
    expect(ended.stdout + ended.stderr).not.toMatch(/\n\s+at .+:\d+:\d+/);
    rmSync(ended.folder, { recursive: true, force: true });
  },
);

describe('over a bad network', () => {
  test.each([0.01, 0.05, 0.2])(
    'with %d of the requests disturbed, nothing fails that is right',
    async (share) => {
      const verdicts: string[] = [];
      for (let seed = 1; seed <= 12; seed += 1) {
        const { result } = await faultyRun(share, seed);
        expect(result.findings.filter(({ severity }) => severity !== 'warn')).toEqual([]);
        expect(result.summary.failed).toBe(0);
        verdicts.push(result.summary.verdict);
      }
      const decided = verdicts.filter((verdict) => verdict !== 'inconclusive').length;
      expect(decided).toBeGreaterThanOrEqual(share === 0.01 ? 11 : share === 0.05 ? 9 : 0);
    },
  );
});

test.each([1, 26, 48, 55, 116, 172, 204])(
  'any member of any answer may be anything: seed %i',
  { timeout: 60_000 },
  async (seed) => {
    expect(fuzzFaults(await fuzzedRun(seed))).toEqual([]);
  },
);
