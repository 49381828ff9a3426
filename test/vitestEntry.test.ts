import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { root } from './support/docPages.ts';

/** Runs a test file of a user, and returns the lines of TAP that are no test that passed. */
async function linesOf(name: string, text: string): Promise<{ passed: number; others: readonly string[] }> {
  // Within the project, so that it finds the packages of its tests.
  mkdirSync(join(root, 'reports'), { recursive: true });
  const folder = mkdtempSync(join(root, 'reports', 'vitest-entry-'));
  writeFileSync(join(folder, `${name}.test.ts`), text);
  writeFileSync(join(folder, 'vitest.config.ts'), 'export default {};');
  const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder, '--reporter=tap-flat'];
  const env = { ...process.env, VITEST: '', GATECHECK_KEYS_PRIMARY: '', GATECHECK_STATE_DIR: folder };
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env }).catch(
    (error: unknown) => error as { readonly stdout: string },
  );
  rmSync(folder, { recursive: true });
  const lines = stdout.split('\n').filter((line) => /^(?:not )?ok /.test(line));
  const isPassed = (line: string) => line.startsWith('ok') && !line.includes('# SKIP');
  return { passed: lines.filter(isPassed).length, others: lines.filter((line) => !isPassed(line)) };
}

const imports = `
import { conformance } from '${join(root, 'src/vitest.ts')}';
import { startReference } from '${join(root, 'src/reference/startReference.ts')}';
import { afterAll } from 'vitest';
`;

const against = (defects: readonly string[], target = 'reference.url') => `${imports}
let reference;
afterAll(() => reference.close());
conformance({ apis: ['webcheckin'], only: ['wci.list.*', 'wci.update.refused'] }, async () => {
  reference = await startReference({ defects: ${JSON.stringify(defects)} });
  process.env.KEYS_OF_TEST = reference.keys.primary.join(',');
  return { config: { target: ${target}, keys: { primary: 'env:KEYS_OF_TEST' } } };
});
`;

test('a test for each requirement passes, fails by its name, or is skipped with the reason', async () => {
  const conforming = await linesOf('conforming', against([]));
  expect(conforming.passed).toBeGreaterThan(20);
  expect(conforming.others.filter((line) => line.startsWith('not ok'))).toEqual([]);
  const broken = await linesOf('broken', against(['total-of-the-page']));
  const failed = broken.others.filter((line) => line.startsWith('not ok'));
  expect(failed.map((line) => /WCI-[A-Z]+-\d+|the gate is met/.exec(line)?.[0])).toContain('the gate is met');
  expect(failed.length).toBeGreaterThan(1);
});

test('what nobody could judge is no success', async () => {
  const { passed, others } = await linesOf('lost', against([], `'http://127.0.0.1:1'`));
  expect(passed).toBe(0);
  expect(others.filter((line) => line.startsWith('not ok')).join()).toContain('the gate is met');
});
