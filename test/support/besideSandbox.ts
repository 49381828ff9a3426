import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { gatecheck } from './gatecheck.ts';

/** What a sandbox gives the other terminal: the variables, and the file that they stand in. */
interface Given {
  readonly env: Record<string, string>;
  readonly file: string;
}

/** What comes of a flow against a sandbox, `gatecheck serve` with these options, which ends with it. */
export async function besideSandbox<T>(
  options: readonly string[],
  flow: (given: Given) => Promise<T>,
): Promise<T> {
  const file = join(mkdtempSync(join(tmpdir(), 'gatecheck-beside-')), 'env');
  const started = async () => {
    await expect.poll(() => existsSync(file), { timeout: 60_000 }).toBe(true);
    return flow({ env: variablesIn(file), file });
  };
  const { promise, resolve } = Promise.withResolvers<T>();
  // Its failure is that of the test, once the sandbox has ended.
  promise.catch(() => undefined);
  await gatecheck(['serve', '--port', '0', ...options, '--env', file], {
    meanwhile: (child) => resolve(started().finally(() => child.kill('SIGINT'))),
  });
  return promise;
}

function variablesIn(file: string): Record<string, string> {
  const lines = readFileSync(file, 'utf8').matchAll(/^export (\w+)='(.*)'$/gm);
  return Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value]));
}
