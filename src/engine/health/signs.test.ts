import { expect, test } from 'vitest';
import { exchange, type ExchangeSketch } from '../../../test/support/judge/exchanges.ts';
import { isOfTheApi, isSameNotFound, mayBeUnknownPath } from './signs.ts';

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

const notFound = (
  operation: 'wci.list' | 'wci.status' | 'fla.lookup',
  message: string,
  error = 'NOT_FOUND',
) => exchange({ operation, status: 404, body: { success: false, error, message } });

test.each([
  ['the same text for everything', ['Not found', 'Not found', 'Not found']],
  [
    'a text that names the path',
    [
      'Cannot GET /extPartner/api/webcheckin/requests',
      'Cannot GET /extPartner/api/webcheckin/status',
      'Cannot GET /extPartner/api/flight-alerts',
    ],
  ],
])('%s comes from where the API is not', (_what, [list = '', status = '', lookup = '']) => {
  const answers = [
    notFound('wci.list', list),
    notFound('wci.status', status),
    notFound('fla.lookup', lookup),
  ];
  expect(answers.map(mayBeUnknownPath)).toEqual([true, true, false]);
  expect(isSameNotFound(answers)).toBe(true);
});

test.each([
  [
    'an unknown flight',
    exchange({ operation: 'fla.lookup', status: 404, body: { success: false, error: 'FLIGHT_NOT_FOUND' } }),
  ],
  ['an inactive partner', notFound('fla.lookup', 'Partner not found')],
  ['an empty list', exchange({ operation: 'wci.list', body: { success: true, data: [] } })],
  ['a refused key', exchange({ operation: 'wci.list', status: 401, body: { error: 'Invalid API key' } })],
  ['no answer', exchange({ operation: 'wci.list', lost: true })],
])('%s is an answer of the API', (_what, answer) => {
  expect(mayBeUnknownPath(answer)).toBe(false);
});

test('a deployment that finds no records, and mistakes a missing parameter for one, is judged for it', () => {
  expect(
    isSameNotFound([notFound('wci.list', 'No requests found'), notFound('wci.status', 'Check-in not found')]),
  ).toBe(false);
});
