import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { foreignHar, recordReference, type RawTraffic } from '../../../test/support/recordReference.ts';
import { defects } from '../../reference/defects.ts';
import { resolveSettings } from '../../settings/resolveSettings.ts';
import { judgeRecorded } from '../judge.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-foreign-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What is broken in traffic by the recording of somebody's proxy, with the keys told. */
async function brokenIn({ evidence, keys }: RawTraffic) {
  const file = join(folder, 'proxy.har');
  writeFileSync(file, foreignHar(evidence));
  const settings = resolveSettings(
    { reportDir: join(folder, 'report'), keys: { primary: 'env:ONE', other: 'env:TWO' } },
    { env: { ONE: keys.primary.join(','), TWO: keys.other.join(',') }, sendsNothing: true },
  );
  const { result } = await judgeRecorded(settings, {
    ...{ files: [file], targets: [], isOneEnterprise: false, apis: null },
    ...{ command: 'gatecheck judge proxy.har', root: folder, notice: () => undefined },
  });
  const judged = result.requirements.filter(({ verdict }) => verdict === 'pass').length;
  return {
    judged,
    broken: result.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id),
  };
}

const only = ['wci.callbacks.*', 'wci.status.*', 'fla.callbacks.*', 'wci.scoping.*', 'fla.lookup.*'];

test('a proxy sees nothing wrong with a deployment that does everything as documented', async () => {
  const { judged, broken } = await brokenIn(await recordReference({}, { only }));
  expect(broken).toEqual([]);
  expect(judged).toBeGreaterThan(60);
});

test.each(['status-of-anyone', 'webhook-bearer-added', 'notify-fid-as-number', 'lookup-cacheable'])(
  'a proxy sees what the oracles of a run see: %s',
  async (id) => {
    const { policy } = defects.find((one) => one.id === id) ?? {};
    const traffic = await recordReference(policy, { only });
    expect(traffic.violated.size).toBeGreaterThan(0);
    expect((await brokenIn(traffic)).broken.sort()).toEqual([...traffic.violated].sort());
  },
);
