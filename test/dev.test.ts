import type { ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { expect, test } from 'vitest';
import { systemClock } from '../src/core/clock.ts';
import { createDeployment } from '../src/reference/deployment.ts';
import { defaultEnterprises } from '../src/reference/enterprises.ts';
import { listen } from '../src/reference/listen.ts';
import { defects } from '../src/reference/defects.ts';
import { documentedPolicy, type Policy } from '../src/reference/policy.ts';
import { gatecheck } from './support/gatecheck.ts';

const { enterprises, keys } = defaultEnterprises(1);

/** The reference as a developer has it: with one mistake, or without. */
function start(port: number, policy?: Partial<Policy>) {
  const deployment = createDeployment({
    clock: systemClock,
    seed: 1,
    enterprises,
    policy: { ...documentedPolicy, ...policy },
  });
  return listen(deployment, { host: '127.0.0.1', port, stateHandler: true });
}

/** Resolves when the process has written what is waited for. */
async function said({ stdout, stderr }: ChildProcess, pattern: RegExp): Promise<void> {
  let text = '';
  for (; !pattern.test(text);) {
    const [chunk] = (await Promise.race([
      once(stdout ?? new EventEmitter(), 'data'),
      once(stderr ?? new EventEmitter(), 'data'),
    ])) as [Buffer];
    text += chunk.toString();
  }
}

const invocation = (child: (child: ChildProcess) => void) => ({
  env: { GATECHECK_KEYS_PRIMARY: keys.primary.join(',') },
  meanwhile: child,
});

test(
  'dev waits for the server to restart, and then begins with what failed',
  { timeout: 60_000 },
  async () => {
    const defect = defects.find(({ id }) => id === 'status-alias-unknown');
    const broken = await start(0, defect?.policy);
    const { port } = new URL(broken.url);
    let again: Awaited<ReturnType<typeof start>> | undefined;
    const play = async (child: ChildProcess) => {
      await said(child, /waiting for the server to restart/);
      await broken.close();
      await systemClock.sleep(200);
      const mended = said(child, /nothing failed; waiting/);
      again = await start(Number(port));
      await mended;
      child.kill('SIGINT');
    };
    const args = ['dev', '--target', broken.url, '--only', 'WCI-STS-*', '--max-quota', '20'];
    const { code, stdout, stderr } = await gatecheck(
      args,
      invocation((child) => void play(child)),
    );
    await again?.close();
    expect(stderr).toMatch(/1 requirement failed; waiting|\d+ requirements failed; waiting/);
    expect(stdout).toContain('what failed before:');
    expect(stderr).toContain('nothing failed; waiting for the server to restart');
    expect(code).toBe(130);
  },
);

test(
  'dev waits for a server that is not there yet, with its state handler',
  { timeout: 60_000 },
  async () => {
    const free = await start(0);
    const { port } = new URL(free.url);
    await free.close();
    let late: Awaited<ReturnType<typeof start>> | undefined;
    const play = async (child: ChildProcess) => {
      await said(child, /undecided; waiting for the server to restart/);
      const judged = said(child, /nothing failed; waiting/);
      late = await start(Number(port));
      await judged;
      child.kill('SIGINT');
    };
    const handler = ['--state-handler', `${free.url}/_state`];
    const args = ['dev', '--target', free.url, '--only', 'WCI-STS-001', ...handler];
    const { stderr } = await gatecheck(
      args,
      invocation((child) => void play(child)),
    );
    await late?.close();
    expect(stderr).toContain('Expected a state handler');
    expect(stderr).toContain('nothing failed; waiting for the server to restart');
    expect(stderr).not.toContain('interrupt again to end at once');
  },
);

test('dev without a server says how to try it', async () => {
  const { code, stderr } = await gatecheck(['dev']);
  expect(code).toBe(2);
  expect(stderr).toContain('expected --target, the server that is being written; got the embedded target');
});
