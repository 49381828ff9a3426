import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { packageRoot } from './packageRoot.ts';

test('finds the package from src and from dist', () => {
  const root = packageRoot();
  expect(existsSync(join(root, 'fixtures', 'requirements'))).toBe(true);
  expect(packageRoot(pathToFileURL(join(root, 'dist', 'src', 'catalogue', 'packageRoot.js')).href)).toBe(
    root,
  );
});

test('says so where there is no package', () => {
  expect(() => packageRoot(pathToFileURL(join('/', 'nowhere', 'module.ts')).href)).toThrow(
    /package\.json of gatecheck/,
  );
});
