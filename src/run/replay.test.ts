import { expect, test } from 'vitest';
import type { Finding } from '../engine/findings/finding.ts';
import { readSuites } from '../engine/session/suites.ts';
import { resolveSettings } from '../index.ts';
import { replay } from './replay.ts';

test.each(['wci.update.replaces', 'wci.status.own'])(
  'the case of %s, which needs a record of its own, is not sent where only reading is allowed',
  async (check) => {
    expect((await readSuites()).map(({ id }) => id)).toContain(check);
    const settings = resolveSettings(
      { target: 'http://127.0.0.1:1', keys: { primary: 'env:KEY' }, readOnly: true },
      { env: { KEY: 'k-123456' } },
    );
    const finding = { fingerprint: 'WCI-STS-004.1a2b3c4d', case: { check, cases: 1, steps: [] } };
    await expect(
      replay(finding as unknown as Finding, settings, { signal: new AbortController().signal }),
    ).rejects.toMatchObject({ code: 'READ_ONLY', exitCode: 2 });
  },
);
