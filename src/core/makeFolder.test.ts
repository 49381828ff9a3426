import { existsSync, mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from './makeFolder.ts';

test('a folder is made with those above it, and stays where it is there', () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'gatecheck-folder-')), 'a', 'b', 'c');
  makeFolder(folder, 0o700);
  makeFolder(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test.skipIf(!existsSync('/proc/self'))(
  'a file system that refuses every folder as not found is an error',
  () => {
    expect(() => makeFolder('/proc/nope/deeper')).toThrow(/ENOENT/);
  },
);
