import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { listBody } from '../../../test/support/judge/bodies.ts';
import { exchange } from '../../../test/support/judge/exchanges.ts';
import { foreignHar } from '../../../test/support/recordReference.ts';
import { resolveSettings } from '../../settings/settings.ts';
import { judgeRecorded } from '../judge.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-many-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What is broken in a recording of lists that one client sent, the last of them at some time. */
async function brokenIn(count: number, lastAt: number, limits = {}) {
  const file = join(folder, 'client.har');
  const requestHeaders = [['X-API-Key', 'a-key-of-somebody']] as const;
  const lists = Array.from({ length: count }, (_, index) => {
    const at = Math.round((index * lastAt) / (count - 1));
    return exchange({ operation: 'wci.list', body: listBody([]), at, until: at + 20, requestHeaders });
  });
  writeFileSync(file, foreignHar(lists));
  const settings = resolveSettings(
    { target: 'embedded', reportDir: join(folder, 'report'), ...limits },
    { env: {} },
  );
  const { result } = await judgeRecorded(settings, {
    ...{ files: [file], targets: [], isOneEnterprise: false, apis: null },
    ...{ command: 'gatecheck judge client.har', root: folder, notice: () => undefined },
  });
  return result.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
}

test('a recording of 70 requests of a key that were served within 14 s breaks the limit of the minute', async () => {
  expect(await brokenIn(70, 14_000)).toEqual(['SHR-LIM-002']);
  expect(await brokenIn(70, 75_000)).toEqual([]);
  expect(await brokenIn(70, 14_000, { limits: { perMinute: 100 } })).toEqual([]);
});
