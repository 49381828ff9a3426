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
import type { FetchServer } from './inProcess.ts';
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

test.each<[name: string, server: unknown, message: string]>([
  ['another spelling', { fetc: () => null }, "openTarget has no option 'fetc' (did you mean 'fetch'?)"],
  [
    'a state handler in another spelling',
    { fetch: () => null, stateHandlr: () => null },
    "openTarget has no option 'stateHandlr'",
  ],
  ['no server', 5, 'openTarget expects { fetch, stateHandler? }'],
  ['an address', { fetch: 'http://127.0.0.1' }, 'openTarget expects { fetch, stateHandler? }'],
])('%s is a TypeError', (_name, server, message) => {
  expect(() => openTarget(server as FetchServer)).toThrow(TypeError);
  expect(() => openTarget(server as FetchServer)).toThrow(message);
});

test('an app of a framework has further members', () => {
  const app = { fetch: () => new Response(), get: () => null, state: {}, patch: () => null, handler: 1 };
  expect(() => openTarget(app)).not.toThrow();
});

test.each([
  [
    () => resolveSettings({ target: 'embedded' }, { envi: {} } as object),
    "resolveSettings has no option 'envi'",
  ],
  [() => createDeployment({ sed: 1 } as object), "createDeployment has no option 'sed'"],
])('an option that does not exist is a TypeError: %o', (call, message) => {
  expect(call).toThrow(TypeError);
  expect(call).toThrow(message);
});
