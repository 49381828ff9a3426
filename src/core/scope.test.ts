import { expect, test } from 'vitest';
import { Scope } from './scope.ts';

test('closes the latest first, and once', async () => {
  const scope = new Scope();
  const closed: string[] = [];
  scope.use('journal', (name) => closed.push(name));
  scope.defer(() => closed.push('target'));
  await Promise.all([scope.close(), scope.close()]);
  await scope.close();
  expect(closed).toEqual(['target', 'journal']);
});

test('what fails to close keeps nothing open, and is told', async () => {
  const scope = new Scope();
  const closed: string[] = [];
  scope.defer(() => closed.push('journal'));
  scope.defer(() => Promise.reject(new Error('first')));
  scope.defer(() => {
    throw new Error('latest');
  });
  await expect(scope.close()).rejects.toThrow('latest');
  expect(closed).toEqual(['journal']);
});
