import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../catalogue/packageRoot.ts';
import { publishedFiles } from './writePublished.ts';

test.each(Object.entries(publishedFiles()))(
  '%s is current (write it anew with npm run schemas)',
  (path, text) => {
    expect(readFileSync(join(packageRoot(), path), 'utf8')).toBe(text);
  },
);
