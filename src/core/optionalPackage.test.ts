import { expect, test } from 'vitest';
import { importing } from './optionalPackage.ts';

const fault = (code: string, message: string) => () =>
  Promise.reject(Object.assign(new Error(message), { code }));

test('a package that is not installed is told with what to install', async () => {
  const load = fault(
    'ERR_MODULE_NOT_FOUND',
    "Cannot find package 'testcontainers' imported from /x/image.js",
  );
  await expect(importing('--image', load)).rejects.toMatchObject({
    code: 'MISSING_PACKAGE',
    exitCode: 2,
    message: 'expected the package testcontainers, which --image needs; got none',
    hint: 'Install it next to Gatecheck: npm install --save-dev testcontainers',
  });
});

test('workers take both packages', async () => {
  const load = fault('ERR_MODULE_NOT_FOUND', "Cannot find package 'ioredis' imported from /x");
  await expect(importing('work over workers', load)).rejects.toMatchObject({
    hint: 'Install it next to Gatecheck: npm install --save-dev bullmq ioredis',
  });
});

test('any other fault stays what it is', async () => {
  const load = fault('ERR_MODULE_NOT_FOUND', "Cannot find package 'zod' imported from /x");
  await expect(importing('--image', load)).rejects.toThrow("Cannot find package 'zod'");
  await expect(importing('--image', fault('EACCES', 'no'))).rejects.toThrow('no');
  expect(await importing('--image', () => Promise.resolve(7))).toBe(7);
});
