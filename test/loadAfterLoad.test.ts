import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSandbox } from './support/sandbox.ts';
import { loadAt, loadOf } from './support/writtenLoad.ts';

test.each([[['--processes', '1']], [['--processes', '2']]])(
  'a limiter that still counts the load before this one is not blamed: %j',
  async (more) => {
    const sandbox = await openSandbox({ limits: { perMinute: 60, perHour: 10_000 } });
    try {
      const env = { GATECHECK_STATE_DIR: mkdtempSync(join(tmpdir(), 'gatecheck-state-')) };
      const args = ['--keys', '1', '--rate', '20/s', '--duration', '2s', '--mix', 'wci.list=1', ...more];
      const given = { env, config: { limits: { perMinute: 60, perHour: 10_000 } } };
      await loadAt(sandbox, args, given);
      const { limiter } = loadOf(await loadAt(sandbox, args, given));
      expect(limiter?.refused).toBeGreaterThan(10);
      expect(limiter?.underAdmitted).toEqual([]);
    } finally {
      await sandbox.close();
    }
  },
);
