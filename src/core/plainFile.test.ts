import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { requirePlainFile } from './plainFile.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-plain-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => join(folder, name);

test.skipIf(process.platform === 'win32').each<[what: string, path: string, make: () => unknown]>([
  ['a folder', at('folder'), () => mkdirSync(at('folder'))],
  ['a named pipe', at('pipe'), () => execFileSync('mkfifo', [at('pipe')])],
  ['a device', '/dev/zero', () => null],
  ['a link that leads to itself', at('loop'), () => symlinkSync('loop', at('loop'))],
])('%s is refused before it is read', (what, path, make) => {
  make();
  expect(() => requirePlainFile('the evidence', path)).toThrow(
    `Expected the evidence to be a file; got ${what} at ${path}.`,
  );
});

test('a file, a link to one, and what is not there are left to their reader', () => {
  writeFileSync(at('file'), '');
  symlinkSync('file', at('link'));
  for (const name of ['file', 'link', 'nothing', 'file/below'])
    expect(() => requirePlainFile('the evidence', at(name))).not.toThrow();
});
