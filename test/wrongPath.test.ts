import { expect, test } from 'vitest';
import { gatecheck } from './support/gatecheck.ts';
import { answer, openHostileServer } from './support/hostileServer.ts';

const env = { GATECHECK_KEYS_PRIMARY: 's3cret-key-of-a-wrong-path' };

test('a server that answers a 404 in the form of the API to everything is not the API', async () => {
  const json = { 'Content-Type': 'application/json' };
  const body = '{"success":false,"error":"NOT_FOUND","message":"Route not found"}';
  const server = await openHostileServer((socket) => socket.write(answer('404 Not Found', json, body)));
  const ended = await gatecheck(['run', '--target', `${server.url}/wrong`, '--profile', 'smoke'], { env });
  await server.close();
  expect(ended.code).toBe(3);
  expect(ended.stdout).toContain('is not this API');
  expect(ended.stdout).toContain('the path before /extPartner in --target');
  expect(server.requests()).toBeLessThan(6);
});
