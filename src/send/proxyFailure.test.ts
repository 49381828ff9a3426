import { expect, test } from 'vitest';
import type { HttpSettings } from '../core/settings.ts';
import { describeFailure } from './failure.ts';
import { namingProxy } from './proxyFailure.ts';

const target = 'https://api.example.com';
const proxied = {
  proxy: null,
  environmentProxy: { http: undefined, https: 'http://proxy.example.com:3128' },
};

function told(error: Error, origin = target, http: object = proxied): string {
  const failure = describeFailure(error, false);
  return namingProxy(failure, error, { http: http as HttpSettings, origin }).message;
}

const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', port: 3128 });
const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND'), {
  ...{ code: 'ENOTFOUND', hostname: 'proxy.example.com' },
});

test.each<[what: string, error: Error]>([
  ['is refused', refused],
  ['is refused, wrapped by undici', new Error('failed', { cause: refused })],
  ['is refused at each of its addresses', new AggregateError([refused, refused], 'failed')],
  ['has no address', unknown],
])('a connection to the proxy that %s is told as such', (_what, error) => {
  expect(told(error)).toMatch(/^the proxy: /);
});

test.each<[what: string, error: Error, origin: string, http: object]>([
  ['without a proxy', refused, target, { proxy: null }],
  ['to another port', Object.assign(new Error('no'), { code: 'ECONNREFUSED', port: 443 }), target, proxied],
  ['to a target at the port of the proxy', refused, 'https://api.example.com:3128', proxied],
  ['after it was there', Object.assign(new Error('reset'), { code: 'ECONNRESET' }), target, proxied],
])('a failure %s is not the proxy’s', (_what, error, origin, http) => {
  expect(told(error, origin, http)).not.toMatch(/proxy/);
});
