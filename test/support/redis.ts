import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from './freePort.ts';

/** Whether `redis-server` is on the path; tests that need it say so where it is not. */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
if (!hasRedis)
  process.stderr.write('Skipped: what runs over Redis, since redis-server is not on the PATH.\n');

export interface OwnRedis {
  readonly url: string;
  /** It answers nobody until it is resumed, and keeps what it has. */
  readonly pause: () => void;
  readonly resume: () => void;
  readonly stop: () => Promise<void>;
}

/** A Redis of the test's own, which keeps nothing. */
export async function startRedis(): Promise<OwnRedis> {
  const port = await freePort();
  const child = spawn(
    'redis-server',
    ['--save', '', '--appendonly', 'no', '--bind', '127.0.0.1', '--port', String(port)],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  await ready(child);
  return {
    url: `redis://127.0.0.1:${port}`,
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    stop: async () => {
      child.kill('SIGCONT');
      child.kill();
      if (child.exitCode === null) await once(child, 'close');
    },
  };
}

async function ready(child: ChildProcess): Promise<void> {
  let text = '';
  await new Promise<void>((resolve, reject) => {
    child.once('close', () => reject(new Error(`redis-server ended: ${text}`)));
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (/ready to accept connections/i.test(text)) resolve();
    });
  });
}
