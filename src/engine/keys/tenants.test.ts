import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Redactor } from '../../core/redact.ts';
import { noStateHandler } from '../../target/stateHandler.ts';
import { tenantKeys } from './tenants.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatecheck-tenants-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const ports = () => ({
  ...{ state: noStateHandler, redactor: new Redactor(), signal: new AbortController().signal },
  notice: () => undefined,
});

async function keysOf(text: string) {
  const file = join(folder, 'tenants.csv');
  writeFileSync(file, text);
  const keys = await tenantKeys({ tenants: null, tenantsFrom: file }, ports());
  return keys?.map(({ label, enterprise, value }) => [label, enterprise, value].join(' '));
}

test('each key of a file is an enterprise of its own, whatever the form of its line', async () => {
  const expected = ['tenant#1 tenant#1 key-a', 'tenant#2 tenant#2 key-b'];
  expect(await keysOf('key-a\nkey-b\n')).toEqual(expected);
  expect(await keysOf('one,key-a\r\ntwo,key-b\r\n\r\n')).toEqual(expected);
  expect(await keysOf('enterprise,key\n"one","key-a"\n"two","key-b"\n')).toEqual(expected);
  expect(await keysOf('API_KEY\nkey-a\nkey-b\nkey-a')).toEqual(expected);
  expect(await keysOf('\uFEFFkey,tenant\nkey-a,one\nkey-b,two\n')).toEqual(expected);
  expect(await keysOf('"Key","name"\n"key-a","a, b"\n"key-b","c ""d""\r\ne"\n')).toEqual(expected);
  expect(await keysOf('name,key\na;b,key-a\n"c"d,key-b')).toEqual(expected);
  expect(await keysOf('name\tkey\rone\tkey-a\rtwo\tkey-b\r')).toEqual(expected);
  expect(await keysOf('tenant;api-key;since\none;key-a;2024\n\ntwo;key-b;2025\n')).toEqual(expected);
});

test('a file that is none, has no key or more than 10,000 is refused with what it should be', async () => {
  await expect(keysOf('')).rejects.toThrow('expected 1 to 10000 keys, one per line; got 0');
  await expect(keysOf('one,key\n')).rejects.toThrow('got 0');
  await expect(keysOf('key-a\nkéy\n')).rejects.toThrow('got something else in line 2');
  const many = Array.from({ length: 10_001 }, (_, index) => `key-${index}`).join('\n');
  await expect(keysOf(many)).rejects.toThrow('got 10001');
  await expect(keysOf('key,tenant\nkey-a,one\n,two\n')).rejects.toThrow('got something else in line 3');
  await expect(keysOf('key,tenant\nkey-a,"o\nne"\n\n,two\n')).rejects.toThrow('got something else in line 5');
  const itself = { tenants: null, tenantsFrom: folder };
  await expect(tenantKeys(itself, ports())).rejects.toThrow('to be a file; got a folder');
  const wish = { tenants: null, tenantsFrom: join(folder, 'none.csv') };
  await expect(tenantKeys(wish, ports())).rejects.toThrow('expected a file of keys');
});

test('enterprises are created only where the state handler offers that', async () => {
  await expect(tenantKeys({ tenants: 3, tenantsFrom: null }, ports())).rejects.toThrow(
    'expected a state handler that offers enterprise.create',
  );
});

test('a state handler that gives one key to several enterprises is refused: each would see what the others made', async () => {
  const state = { ...noStateHandler, offers: () => true, set: () => Promise.resolve({ keys: ['key-a'] }) };
  const wish = { tenants: 3, tenantsFrom: null };
  await expect(tenantKeys(wish, { ...ports(), state })).rejects.toThrow('got 1 for 3');
});
