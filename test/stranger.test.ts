import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunResult } from '../src/report/result.ts';
import type { Manners } from './stranger/manners.ts';
import { startStranger } from './stranger/server.ts';
import { startEnv } from './support/startEnv.ts';

const main = join(import.meta.dirname, '../src/cli/main.ts');
const keys = { acme: ['stranger-acme-0001', 'stranger-acme-0002'], zeta: ['stranger-zeta-0001'] };

const plain: Manners = {
  quota: 'new',
  badQuery: 'falls-back',
  queueMs: 20,
  duplicates: true,
  tells: 'all',
  withheld: [],
};

/** Judges a server that Gatecheck's own reference has nothing in common with. */
async function judged(manners: Partial<Manners>): Promise<{ code: number | null; result: RunResult }> {
  const stranger = await startStranger({ ...plain, ...manners }, keys);
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-stranger-'));
  const inAMonth = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  const flights = ['EK3', 'QF1'].map((flightNumber) => ({ flightNumber, departureDate: inAMonth }));
  const limits = { perMinute: 100_000, perHour: 1_000_000 };
  writeFileSync(join(folder, 'gatecheck.config.json'), JSON.stringify({ limits, flights }));
  const options = ['--target', stranger.url, '--state-handler', `${stranger.url}/_state`, '--seed', '7'];
  const budgets = ['--max-quota', '1000', '--max-requests', '6000', '--max-subscriptions', '500'];
  const args = [main, 'run', ...options, ...budgets, '--report-dir', join(folder, 'report')];
  const child = spawn(process.execPath, args, {
    cwd: folder,
    stdio: 'ignore',
    env: {
      ...startEnv,
      GATECHECK_STATE_DIR: join(folder, 'state'),
      GATECHECK_KEYS_PRIMARY: keys.acme.join(','),
      GATECHECK_KEYS_OTHER: keys.zeta.join(','),
      GATECHECK_KEY_REVOKED: 'stranger-revoked-0001',
    },
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  await stranger.close();
  const result = JSON.parse(readFileSync(join(folder, 'report', 'result.json'), 'utf8')) as RunResult;
  return { code, result };
}

/**
 * Matters of reading in which this server does not do what the documents make plausible, and of which is only warned: it takes
 * a round trip, and any text for a date of a passport; it answers 400 for bad callback data, and each notification comes twice.
 */
const readings = ['WCI-JRN-021', 'WCI-RDY-021', 'WCI-SUB-074', 'WCI-CBR-020'];

// They mostly wait for what comes late.
test.concurrent.each<[what: string, manners: Partial<Manners>, most: number]>([
  ['tells all and repeats itself', {}, 440],
  [
    'shows no quota, refuses bad pages, and does not tell what is pending',
    {
      quota: 'never',
      badQuery: 'refused',
      tells: 'changed',
      duplicates: false,
      withheld: ['callbacks.pending'],
    },
    440,
  ],
])(
  'a conforming server that %s is found conforming',
  async (_what, manners, least) => {
    const { code, result } = await judged(manners);
    const said = result.findings.map(({ requirement, message }) => `${requirement}: ${message}`);
    const undecided = result.requirements.filter(
      ({ level, verdict }) => level === 'must' && verdict === 'inconclusive',
    );
    expect(said.filter((finding) => !readings.some((id) => finding.startsWith(id)))).toEqual([]);
    expect(undecided.map(({ id, reason }) => `${id}: ${reason ?? ''}`)).toEqual([]);
    expect(code).toBe(0);
    expect(result.summary.coverage.must.judged).toBeGreaterThan(least);
  },
  300_000,
);
