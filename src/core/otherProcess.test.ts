import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { isRunning, startOf } from './otherProcess.ts';

test('this process runs, and one that never was does not', () => {
  expect([isRunning(process.pid), isRunning(2 ** 30), startOf(2 ** 30)]).toEqual([true, false, null]);
});

test.runIf(process.platform === 'linux')(
  'one that has ended, and whose parent never asks for it, is gone',
  async () => {
    // The parent becomes another program, which knows nothing of its child.
    const parent = spawn('sh', ['-c', 'sleep 0.05 & echo $!; exec sleep 20'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [text] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(text.toString());
    const start = startOf(pid);
    await expect.poll(() => isRunning(pid), { timeout: 5000 }).toBe(false);
    // It is still there, with its number.
    expect(process.kill(pid, 0)).toBe(true);
    expect([startOf(pid), isRunning(parent.pid ?? 0)]).toEqual([start, true]);
    parent.kill('SIGKILL');
  },
);
