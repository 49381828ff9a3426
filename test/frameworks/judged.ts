import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunResult } from '../../src/report/result.ts';
import { startEnv } from '../support/startEnv.ts';
import type { Conventions } from './conventions.ts';
import { parseConventions } from './presets.ts';
import { start, type Running } from './server.ts';

const main = join(import.meta.dirname, '../../src/cli/main.ts');

/** What Gatecheck is given beside the address. */
export const setUps = ['full', 'three', 'one', 'smoke'] as const;
export type SetUp = (typeof setUps)[number];

/** High limits, so that nobody waits for them: a state handler that moves the clock tries the documented ones all the same. */
const limits = { perMinute: 900, perHour: 15_000 };
const documented = { perMinute: 60, perHour: 1_000 };

/** What its operator is told to name where a deployment takes none of the built-in bookings. */
function itinerariesOf({ airlines, airports }: Conventions) {
  const airline = airlines === 'few' ? 'BA' : 'DY';
  const [home, near, abroad] = airports === 'few' ? ['DXB', 'AUH', 'DOH'] : ['OSL', 'BGO', 'ARN'];
  const to = (destination: string | undefined) => ({
    ...{ airline, legs: [{ flightNumber: '802', origin: home, destination }] },
  });
  return { international: to(abroad), domestic: to(near) };
}

function environmentOf({ keys, stateHandler }: Running, setUp: SetUp): Record<string, string> {
  const isFull = setUp === 'full';
  return {
    GATECHECK_KEYS_PRIMARY: keys.primary.slice(0, setUp === 'one' ? 1 : 2).join(','),
    ...(setUp !== 'one' && { GATECHECK_KEYS_OTHER: keys.other.join(',') }),
    ...(isFull && {
      GATECHECK_STATE_HANDLER: stateHandler,
      GATECHECK_KEY_REVOKED: keys.revoked,
      GATECHECK_KEY_DISABLED: keys.disabled,
      GATECHECK_KEY_NO_ENTITLEMENT: keys.noEntitlement,
      GATECHECK_KEY_SUSPENDED: keys.suspended,
      GATECHECK_KEY_EXHAUSTED: keys.exhausted,
    }),
  };
}

/** Judges a deployment with these conventions, as `gatecheck run` does. */
export async function judged(conventions: string, setUp: SetUp, seed = 7): Promise<RunResult> {
  const kept = setUp === 'full' ? documented : limits;
  const chosen = parseConventions(conventions);
  await using running = await start({ conventions: chosen, limits: kept });
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-frameworks-'));
  const flights = ['GC101', 'GC202'].map((flightNumber) => ({ flightNumber, departureDate: 3 }));
  const isRegional = [chosen.airports, chosen.airlines].includes('regional');
  const config = { limits: kept, flights, ...(isRegional && { itineraries: itinerariesOf(chosen) }) };
  writeFileSync(join(folder, 'gatecheck.config.json'), JSON.stringify(config));
  const profile = setUp === 'smoke' ? 'smoke' : 'standard';
  const args = ['run', '--target', running.url, '--seed', String(seed), '--profile', profile];
  const child = spawn(process.execPath, [main, ...args, '--quiet', '--report-dir', 'report'], {
    cwd: folder,
    stdio: 'ignore',
    env: { ...startEnv, GATECHECK_STATE_DIR: join(folder, 'state'), ...environmentOf(running, setUp) },
  });
  await new Promise((resolve) => child.on('close', resolve));
  return JSON.parse(readFileSync(join(folder, 'report', 'result.json'), 'utf8')) as RunResult;
}

/** What is blamed or left open, though the deployment conforms: the finding, or why nothing was found. */
export function complaintsOf({ requirements, findings }: RunResult): string[] {
  const blamed = requirements.filter(({ verdict }) => ['fail', 'warn', 'inconclusive'].includes(verdict));
  return blamed.map(({ id, verdict, reason }) => {
    const finding = findings.find(({ requirement }) => requirement === id);
    return `${verdict} ${id}: ${finding?.message ?? reason ?? ''}`;
  });
}
