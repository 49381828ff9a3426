import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startEnv } from './support/startEnv.ts';

const main = join(import.meta.dirname, '../src/cli/main.ts');

test('serve answers, logs each request, and Ctrl-C stops it with exit code 0', async () => {
  const child = spawn(process.execPath, [main, 'serve', '--port', '0'], { env: { ...startEnv } });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  await expect.poll(() => stdout, { timeout: 10_000 }).toMatch(/Ctrl-C/);
  const url = /curl .* (http\S+)/.exec(stdout)?.[1] ?? '';
  const apiKey = /X-API-Key: (\w+)/.exec(stdout)?.[1] ?? '';
  expect((await fetch(url, { headers: { 'X-API-Key': apiKey } })).status).toBe(200);
  expect((await fetch(url)).status).toBe(401);
  await expect
    .poll(() => stderr)
    .toMatch(/GET .*requests {2}primary#1 {2}200 {2}\d+ ms\n.* no key {2}401 \w+/);
  const exited = new Promise((resolve) => child.on('exit', (code) => resolve(code)));
  child.kill('SIGINT');
  expect(await exited).toBe(0);
});

test('serve refuses a port that is in use', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const { status, stderr } = spawnSync(process.execPath, [main, 'serve', '--port', String(port)], {
    ...{ encoding: 'utf8', env: { ...startEnv, NO_COLOR: '1' } },
  });
  server.close();
  expect(status).toBe(2);
  expect(stderr).toMatch(/it is in use\. Choose another with --port/);
});
