import { expect, test } from 'vitest';
import { exchange, type ExchangeSketch } from '../../test/support/judge/exchanges.ts';
import { describeWrongServer, isOfTheApi } from './recognise.ts';

const html = [['Content-Type', 'text/html']] as const;
type Row = readonly [what: string, sketch: Omit<ExchangeSketch, 'operation'>];

test.each<Row>([
  ['a list', { body: { success: true, data: [] } }],
  ['a list without success', { body: { data: [] } }],
  ['an array of legs', { body: [] }],
  ['a refusal in its own form', { status: 404, body: { success: false, error: 'NOT_FOUND' } }],
  ['a refusal with a code alone', { status: 500, body: { error: 'INTERNAL_ERROR' } }],
  ['a refused request with another form of error', { status: 400, body: { message: 'checkin_id missing' } }],
  ['a refused key in words', { status: 401, body: { error: 'Invalid API key' } }],
])('%s is of the API', (_what, sketch) => {
  expect(isOfTheApi(exchange({ operation: 'wci.list', ...sketch }))).toBe(true);
});

test.each<Row>([
  ['a login page', { raw: '<h1>Sign in</h1>', headers: html }],
  ['a page of a firewall', { status: 403, raw: '<h1>Access denied</h1>', headers: html }],
  ['a refusal of a gateway', { status: 403, body: { message: 'Missing Authentication Token' } }],
  ['a path that a framework does not know', { status: 404, body: { error: 'Not Found', statusCode: 404 } }],
  ['another API', { body: { hello: 'world' } }],
  ['null', { body: null }],
  ['nothing', { raw: '' }],
  ['a redirect', { status: 302, raw: '', headers: [['Location', 'https://login.example']] }],
  ['a gateway without a deployment', { status: 503, raw: 'no healthy upstream' }],
  ['no answer', { lost: true }],
])('%s is not', (_what, sketch) => {
  expect(isOfTheApi(exchange({ operation: 'wci.list', ...sketch }))).toBe(false);
});

test.each<[sketch: Omit<ExchangeSketch, 'operation'>, words: RegExp]>([
  [{ status: 403, raw: 'no', headers: html }, /HTTP 403.*\(text\/html\).*firewall/],
  [{ status: 407, raw: 'no' }, /http\.proxy/],
  [{ status: 401, raw: 'no' }, /http\.headers/],
  [
    { status: 302, raw: '', headers: [['Location', 'https://login.example/x']] },
    /https:\/\/login\.example\/x/,
  ],
  [{ status: 503, raw: 'no' }, /behind that gateway/],
  [{ raw: '<html>', headers: html }, /login page/],
])('%o is told with what to do', (sketch, words) => {
  expect(describeWrongServer(exchange({ operation: 'wci.list', ...sketch }), 'https://qa.example')).toMatch(
    words,
  );
});
