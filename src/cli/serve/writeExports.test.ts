import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeExports } from './serve.ts';

const lines = ["export A='1'", "export B='2'"];
const scratch = () => mkdtempSync(join(tmpdir(), 'gatecheck-exports-'));

test('a file that others could read is replaced by one that only the user can, whole, with nothing beside it', async () => {
  const folder = scratch();
  const file = join(folder, 'env');
  writeFileSync(file, 'old', { mode: 0o644 });
  const before = statSync(file).ino;
  await writeExports(file, lines);
  expect(readFileSync(file, 'utf8')).toBe("export A='1'\nexport B='2'\n");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(file).ino).not.toBe(before);
  expect(readdirSync(folder)).toEqual(['env']);
});

test('a link stays a link', async () => {
  const folder = scratch();
  const [file, link] = [join(folder, 'env'), join(folder, 'link')];
  writeFileSync(file, '');
  symlinkSync(file, link);
  await writeExports(link, lines);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readFileSync(file, 'utf8')).toContain("export B='2'");
});

test('a place that cannot be written is a mistake of the command line', async () => {
  const nowhere = join(scratch(), 'no/folder/env');
  await expect(writeExports(nowhere, lines)).rejects.toThrow(/--env: expected a file that can be written/);
});
