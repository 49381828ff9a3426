import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  createDeployment,
  defaultEnterprises,
  documentedPolicy,
  openTarget,
  resolveSettings,
  run,
} from '../index.ts';
import type { Policy } from '../reference/policy.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-in-process-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function judge(policy: Partial<Policy> = {}) {
  const { enterprises, keys } = defaultEnterprises(1);
  const app = createDeployment({ enterprises, policy: { ...documentedPolicy, ...policy } });
  const settings = resolveSettings(
    {
      target: 'http://127.0.0.1',
      only: ['wci.status.*'],
      seed: 1,
      reportDir: folder,
      keys: { primary: 'env:KEYS' },
    },
    { env: { KEYS: keys.primary.join(',') } },
  );
  const server = {
    fetch: (request: Request) => app.fetch(request),
    stateHandler: (request: Request) => app.stateHandler(request),
  };
  const { result, exitCode } = await run(settings, { root: folder, openTarget: openTarget(server) });
  await app.close();
  return { result, exitCode };
}

test('a fetch handler of this process is judged without a port', async () => {
  const { result, exitCode } = await judge();
  expect([exitCode, result.summary.failed]).toEqual([0, 0]);
  expect(result.requirements.find(({ id }) => id === 'WCI-STS-001')?.verdict).toBe('pass');
});
