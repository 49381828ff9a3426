import { expect, test } from 'vitest';
import { shortPath } from './shortPath.ts';

test.each([
  ['/work/reports/latest', 'reports/latest'],
  ['/work', '.'],
  ['/tmp/elsewhere/report.html', '/tmp/elsewhere/report.html'],
  ['/', '/'],
])('%s as seen from /work is %s', (path, shown) => {
  expect(shortPath(path, '/work')).toBe(shown);
});
