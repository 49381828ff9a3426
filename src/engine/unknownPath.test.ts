import { expect, test } from 'vitest';
import { exchange } from '../../test/support/judge/exchanges.ts';
import { isSameNotFound, mayBeUnknownPath } from './unknownPath.ts';

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
