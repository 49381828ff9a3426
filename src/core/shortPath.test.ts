import { expect, test } from 'vitest';
import { shortPath } from './shortPath.ts';

test.each([
  ['/project/reports/latest', 'reports/latest'],
  ['/project', '.'],
  ['/tmp/elsewhere/report.html', '/tmp/elsewhere/report.html'],
  ['/', '/'],
])('%s as seen from /project is %s', (path, shown) => {
  expect(shortPath(path, '/project')).toBe(shown);
});
