import { expect, test } from 'vitest';
import { memoryFolder } from './memoryFolder.ts';

test.each([
  [{}, /\/\.local\/state\/gatecheck$/],
  [{ XDG_STATE_HOME: '/var/states' }, /^\/var\/states\/gatecheck$/],
  [{ LOCALAPPDATA: '/users/me/data' }, /^\/users\/me\/data\/gatecheck$/],
  [{ GATECHECK_STATE_DIR: 'kept', XDG_STATE_HOME: '/var/states' }, /^\/work\/kept$/],
  [{ GATECHECK_STATE_DIR: '/elsewhere' }, /^\/elsewhere$/],
])('with %j what runs know of each other stands in %s', (env, path) => {
  expect(memoryFolder('/work', env)).toMatch(path);
});
