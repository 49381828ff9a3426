import { expect, test } from 'vitest';
import { Redactor } from '../core/redact.ts';
import { replayLine } from './again.ts';

const redactor = new Redactor();
const here = { folder: '/home/me', redactor };

test.each([
  [{}, 'reports/r1', ['run'], 'gatecheck replay F.1'],
  [{ npm_command: 'exec' }, 'reports/r1', ['run'], 'npx gatecheck replay F.1'],
  [
    { npm_command: 'run-script', npm_lifecycle_event: 'gatecheck' },
    'reports/r1',
    ['run'],
    'npm run gatecheck -- replay F.1',
  ],
  [{}, 'out dir', ['run', '--report-dir', 'out dir'], "gatecheck replay F.1 --from 'out dir'"],
  [
    {},
    'reports/r1',
    ['run', '--target', 'http://x', '--state-handler', 'http://x/_state', '--max-quota=5', '--seed', '1'],
    'gatecheck replay F.1 --state-handler http://x/_state --max-quota=5',
  ],
])('started with %j, reports in %s, by %j: %s', (env, dir, args, line) => {
  expect(replayLine({ ...here, env, args }, 'F.1', `/home/me/${dir}`)).toBe(line);
});
