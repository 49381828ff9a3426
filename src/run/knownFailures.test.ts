import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { resolveSettings } from '../settings/settings.ts';
import { knownFailures } from './knownFailures.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-known-'));
afterAll(() => rmSync(folder, { recursive: true }));

const knownWith = (fingerprint: string) => {
  const baseline = join(folder, 'known.yaml');
  writeFileSync(baseline, `- fingerprint: ${fingerprint}\n  reason: PAY-112\n  date: 2026-11-23\n`);
  return knownFailures(resolveSettings({ target: 'embedded', baseline }, { env: {} }));
};

test('an entry of a rule that does not exist, which would never go stale, is refused with what was meant', async () => {
  expect(await knownWith('WCI-STS-004.1a2b3c4d')).toHaveLength(1);
  await expect(knownWith('WCI-STX-004.1a2b3c4d')).rejects.toMatchObject({
    code: 'BASELINE',
    exitCode: 2,
    message: expect.stringContaining("got WCI-STX-004 (did you mean 'WCI-STS-004'?)") as string,
  });
});
