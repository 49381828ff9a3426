import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { foreignHar, recordReference, type RawTraffic } from '../../../test/support/recordReference.ts';
import { asWrittenBy, recorders, type HarEntry } from '../../../test/support/recorders.ts';
import { defects } from '../../reference/defects.ts';
import { resolveSettings } from '../../settings/settings.ts';
import { judgeRecorded } from '../judge.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-foreign-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Har {
  readonly log: { entries: { request: { headers: { readonly name: string }[] } }[] };
}

/** What is broken in traffic by the recording of somebody's proxy, with the keys told. */
async function brokenIn({ evidence, keys }: RawTraffic, change: (har: Har) => unknown = () => undefined) {
  const file = join(folder, 'proxy.har');
  const har = JSON.parse(foreignHar(evidence)) as Har;
  change(har);
  writeFileSync(file, JSON.stringify(har));
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

const withoutKeys = ({ log }: Har) => {
  for (const { request } of log.entries)
    request.headers = request.headers.filter(({ name }) => name.toLowerCase() !== 'x-api-key');
};
const twice = ({ log }: Har) => (log.entries = log.entries.flatMap((one) => [one, one]));

test.each<[recorder: string, change: (har: Har) => unknown, judged: number]>([
  ['writes all down', () => undefined, 60],
  ['takes the keys out', withoutKeys, 40],
  ['writes each entry twice', twice, 60],
])(
  'a proxy that %s sees nothing wrong with a deployment that does everything as documented',
  async (_, change, least) => {
    const { judged, broken } = await brokenIn(await recordReference({}, { only }), change);
    expect(broken).toEqual([]);
    expect(judged).toBeGreaterThan(least);
  },
);

test.each(['status-of-anyone', 'webhook-bearer-added', 'notify-fid-as-number', 'lookup-cacheable'])(
  'a proxy sees what the oracles of a run see: %s',
  async (id) => {
    const { policy } = defects.find((one) => one.id === id) ?? {};
    const traffic = await recordReference(policy, { only });
    expect(traffic.violated.size).toBeGreaterThan(0);
    expect((await brokenIn(traffic)).broken.sort()).toEqual([...traffic.violated].sort());
  },
);

const written = (name: string) => (har: Har) => {
  Object.assign(har, asWrittenBy(name, har.log.entries as unknown as readonly HarEntry[]));
};
const traffic = new Map<string, Promise<RawTraffic>>();
const trafficOf = (id: string) => {
  const { policy } = defects.find((one) => one.id === id) ?? {};
  if (!traffic.has(id)) traffic.set(id, recordReference(policy, { only: ['wci.status.*', 'fla.lookup.*'] }));
  return traffic.get(id) ?? recordReference();
};

describe.each(Object.keys(recorders))('a recording of %s', (name) => {
  test('shows nothing wrong with a deployment that does everything as documented', async () => {
    const { judged, broken } = await brokenIn(await trafficOf('none'), written(name));
    expect(broken).toEqual([]);
    expect(judged).toBeGreaterThan(30);
  });

  test.each(['lookup-cacheable', 'booking-id-text'])('shows the mistake %s', async (id) => {
    const seen = await trafficOf(id);
    expect(seen.violated.size).toBeGreaterThan(0);
    expect((await brokenIn(seen, written(name))).broken.sort()).toEqual([...seen.violated].sort());
  });
});
