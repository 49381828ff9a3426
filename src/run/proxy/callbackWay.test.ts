import { expect, test } from 'vitest';
import { CallbackWay, withStandIn } from './callbackWay.ts';

const way = new CallbackWay('a secret of the test', 'https://tunnel.example.com');
const own = 'https://client.example.com/hooks?a=1';
const bytes = (text: string) => Buffer.from(text);

test('an address stands for that of the client, is the same again, and leads back', () => {
  const address = way.standIn(own);
  expect(way.standIn(own)).toBe(address);
  expect(way.originalOf(new URL(address).pathname)).toMatchObject({ url: own });
  expect(way.originalOf(`/prefix${new URL(address).pathname}`)).toMatchObject({ url: own });
});

test.each(['/', '/abc', `/${'a'.repeat(22)}/${Buffer.from('http://127.0.0.1/').toString('base64url')}`])(
  'nobody else can make it call an address: %s',
  (target) => {
    expect(way.originalOf(target)).toBeNull();
  },
);

test('another secret makes other addresses', () => {
  const other = new CallbackWay('another secret', 'https://tunnel.example.com');
  expect(other.originalOf(new URL(way.standIn(own)).pathname)).toBeNull();
});

test('of a subscribe only the address changes, every other byte stays', () => {
  const body = `{ "pnr":"é\\u00e9", "callbackData" : {"callbackUrl":  ${JSON.stringify(own)},"auth_header":"X-API-Key: a"} }\n`;
  const changed = withStandIn(bytes(body), 'wci.subscribe', way);
  expect(changed?.toString()).toBe(body.replace(own, way.standIn(own)));
});

test('the part of a form is changed as well', () => {
  const part = `--b\r\ncontent-disposition: form-data; name="callbackData"\r\n\r\n{"callbackUrl":"${own}"}\r\n--b--`;
  expect(withStandIn(bytes(part), 'wci.subscribe', way)?.toString()).toContain(way.standIn(own));
});

test.each([
  ['no subscribe', 'wci.update', { callbackData: { callbackUrl: own } }],
  ['no callback', 'wci.subscribe', { pnr: 'ABC123' }],
  ['an address in another place', 'wci.subscribe', { callbackUrl: own }],
  [
    'what the target ought to refuse',
    'wci.subscribe',
    { callbackData: { callbackUrl: 'ftp://client.example.com' } },
  ],
  [
    'no public HTTPS name, for flights',
    'fla.subscribe',
    { callbackData: { callbackUrl: 'https://10.0.0.1/' } },
  ],
] as const)('%s stays as it is', (_why, operation, body) => {
  expect(withStandIn(bytes(JSON.stringify(body)), operation, way)).toBeNull();
});

test('Flight Alerts gets no address that it would refuse for the sake of the proxy', () => {
  const body = bytes(JSON.stringify({ callbackData: { fid: '1', callbackUrl: own } }));
  expect(withStandIn(body, 'fla.subscribe', new CallbackWay('s', 'http://127.0.0.1:9000'))).toBeNull();
  expect(withStandIn(body, 'fla.subscribe', way)).not.toBeNull();
});
