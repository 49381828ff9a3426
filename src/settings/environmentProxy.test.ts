import { expect, test } from 'vitest';
import { environmentProxyOf, proxyProblems, proxySecrets } from './environmentProxy.ts';

test.each<[env: Record<string, string>, proxy: ReturnType<typeof environmentProxyOf>]>([
  [{}, null],
  [{ NO_PROXY: 'a' }, null],
  [{ HTTPS_PROXY: 'http://p:1' }, { http: null, https: 'http://p:1', none: '' }],
  [
    { http_proxy: 'http://p:1', HTTP_PROXY: 'http://q:1', no_proxy: 'a,b' },
    { http: 'http://p:1', https: null, none: 'a,b' },
  ],
  [{ HTTP_PROXY: ' ' }, null],
])('of %o', (env, proxy) => {
  expect(environmentProxyOf(env)).toEqual(proxy);
});

test('an address that is none is told without being shown, and so are no credentials', () => {
  const proxy = { http: 'proxy with s3cret', https: 'http://user:s3%20cret@p:1', none: '' };
  const problems = proxyProblems(proxy);
  expect(problems).toHaveLength(1);
  expect(JSON.stringify(problems)).not.toContain('s3cret');
  expect(proxySecrets(proxy)).toEqual(['s3%20cret', 's3 cret']);
  // A sign that is no code is refused, and the password is not shown for that.
  const odd = { http: null, https: 'http://user:s3cret%zz@p:1', none: '' };
  expect(proxyProblems(odd)).toHaveLength(1);
  expect(proxySecrets(odd)).toEqual(['s3cret%zz']);
});
