import { expect, test } from 'vitest';
import type { Exchange, RecordedRequest } from '../core/evidence.ts';
import { keyVariable, renderCurl } from './curl.ts';

function exchangeOf(request: Partial<RecordedRequest>, key: string | null = 'primary#1'): Exchange {
  return {
    id: 'x1',
    check: 'c',
    operation: null,
    enterprise: null,
    key,
    request: { method: 'GET', baseUrl: 'http://t', target: '/a', headers: [], body: null, ...request },
    outcome: { kind: 'failure', failure: { reason: 'other', message: '', maybeDelivered: false } },
    timings: { sentAt: 0, receivedAt: 0, sent: 0, received: 0 },
  };
}

test.each<[what: string, request: Partial<RecordedRequest>, command: string]>([
  ['a plain read', {}, `curl -sS -i -X GET 'http://t/a'`],
  [
    'a key, which stays in the environment',
    { headers: [['X-API-Key', 's3cret']] },
    `curl -sS -i -X GET -H "X-API-Key: \${GATECHECK_KEYS_PRIMARY%%,*}" 'http://t/a'`,
  ],
  ['an empty key', { headers: [['X-API-Key', '']] }, `curl -sS -i -X GET -H 'X-API-Key;' 'http://t/a'`],
  [
    'a body that curl must not take for a file',
    { method: 'POST', body: Buffer.from('@/etc/passwd'), headers: [['content-type', 'text/plain']] },
    `curl -sS -i -X POST -H 'content-type: text/plain' --data-raw '@/etc/passwd' 'http://t/a'`,
  ],
  [
    'a body of no type',
    { method: 'POST', body: Buffer.from("it's") },
    String.raw`curl -sS -i -X POST -H 'Content-Type:' --data-raw 'it'\''s' 'http://t/a'`,
  ],
  [
    'bytes',
    { method: 'POST', body: new Uint8Array([0, 255]), headers: [['content-type', 'a/b']] },
    `printf %s AP8= | base64 -d | curl -sS -i -X POST -H 'content-type: a/b' --data-binary @- 'http://t/a'`,
  ],
  ['brackets', { target: '/a?b[]=1' }, `curl -sS -i -X GET --globoff 'http://t/a?b[]=1'`],
  ['dots in the path', { target: '/a/../b' }, `curl -sS -i -X GET --path-as-is 'http://t/a/../b'`],
  ['HEAD, whose answer has no body', { method: 'HEAD' }, `curl -sS -i --head 'http://t/a'`],
])('%s reads so', (_what, request, command) => {
  expect(renderCurl(exchangeOf(request))).toBe(command);
});

test('secrets are replaced before they are quoted', () => {
  const secret = `it's-a-secret`;
  const redact = (text: string) => text.replaceAll(secret, '‹label›');
  for (const request of [
    { body: Buffer.from(secret) },
    { body: Buffer.concat([Buffer.from([0]), Buffer.from(secret)]) },
    { headers: [['a', secret]] as const },
    { target: `/${secret}` },
  ]) {
    const command = renderCurl(exchangeOf(request), redact);
    const bytes = /printf %s (\S+)/.exec(command)?.[1] ?? '';
    expect(`${command} ${Buffer.from(bytes, 'base64').toString('latin1')}`).not.toContain('a-secret');
  }
});

test.each<[label: string | null, word: string]>([
  ['primary#1', '${GATECHECK_KEYS_PRIMARY%%,*}'],
  ['other#12', '$(printf %s "$GATECHECK_KEYS_OTHER" | cut -d, -f12)'],
  ['noEntitlement', '$GATECHECK_KEY_NO_ENTITLEMENT'],
  ['issued#1', '$GATECHECK_KEY'],
  ['$(rm -rf)', '$GATECHECK_KEY'],
  [null, '$GATECHECK_KEY'],
])('the key %s is found in %s', (label, word) => {
  expect(keyVariable(label)).toBe(word);
});
