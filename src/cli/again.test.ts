import { mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Redactor } from '../core/redact.ts';
import { replayLine, replayLineFrom } from './again.ts';

const redactor = new Redactor();
const folder = mkdtempSync(join(tmpdir(), 'gatecheck-again-'));
for (const dir of ['reports/r1', 'reports/dev', 'out dir']) mkdirSync(join(folder, dir), { recursive: true });
symlinkSync('r1', join(folder, 'reports/latest'));
const here = { folder, redactor };

test.each([
  [{}, 'reports/r1', ['run'], 'gatecheck replay F.1'],
  [{ npm_command: 'exec' }, 'reports/r1', ['run'], 'npx gatecheck replay F.1'],
  [
    { npm_command: 'run-script', npm_lifecycle_event: 'gatecheck' },
    'reports/r1',
    ['run'],
    'npm run gatecheck -- replay F.1',
  ],
  // `npm start` and other scripts have a command of their own.
  [
    { npm_lifecycle_event: 'start', npm_lifecycle_script: 'node bin/gatecheck.js run' },
    'reports/r1',
    ['run'],
    'npx gatecheck replay F.1',
  ],
  [
    { npm_lifecycle_event: 'gatecheck', npm_lifecycle_script: 'node bin/gatecheck.js' },
    'reports/r1',
    ['run'],
    'npm run gatecheck -- replay F.1',
  ],
  // What is not the latest run has to be named.
  [{}, 'reports/dev', ['dev'], 'gatecheck replay F.1 --from reports/dev'],
  [{}, 'out dir', ['run', '--report-dir', 'out dir'], "gatecheck replay F.1 --from 'out dir'"],
  [
    {},
    'reports/r1',
    ['run', '--target', 'http://x', '--state-handler', 'http://x/_state', '--max-quota=5', '--seed', '1'],
    'gatecheck replay F.1 --state-handler http://x/_state --max-quota=5',
  ],
])('started with %j, reports in %s, by %j: %s', (env, dir, args, line) => {
  expect(replayLine({ ...here, env, args }, 'F.1', join(folder, dir))).toBe(line);
});

test('a line of a part reads what it was joined into, with its own options', () => {
  const started = { ...here, env: {}, args: ['report', '--merge'] };
  const dir = join(folder, 'out dir');
  const of = (command: string) => replayLineFrom(started, command, dir);
  expect(of("npx gatecheck replay F.1 --from 'shard 1' --api webcheckin")).toBe(
    "gatecheck replay F.1 --from 'out dir' --api webcheckin",
  );
  expect(of('gatecheck replay F.1')).toBe("gatecheck replay F.1 --from 'out dir'");
  expect(of('gatecheck load --seed 1')).toBe('gatecheck load --seed 1');
});
