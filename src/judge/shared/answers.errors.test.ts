import { describe, expect, test } from 'vitest';
import { errorBody } from '../../../test/support/judge/bodies.ts';
import { exchange, judgeLast, type ExchangeSketch } from '../../../test/support/judge/exchanges.ts';

const status = { operation: 'wci.status' } as const;
const lookup = { operation: 'fla.lookup' } as const;

describe('conforming errors', () => {
  const cases: readonly [string, ExchangeSketch][] = [
    [
      'a 400 with further context',
      { ...status, status: 400, body: errorBody('VALIDATION_ERROR', { details: [{ path: 'x' }] }) },
    ],
    ['a 401 with a code', { ...status, status: 401, body: errorBody('INVALID_API_KEY') }],
    ['a 401 with a text', { ...status, status: 401, body: errorBody('Invalid API key') }],
    [
      'a 404 with reason beside message',
      { ...status, status: 404, body: errorBody('NOT_FOUND', { reason: null }) },
    ],
    [
      'a 409 whose code is a text',
      { operation: 'wci.update', status: 409, body: errorBody('already completed') },
    ],
    ['a flight 401 with a text only', { ...lookup, status: 401, body: { error: 'API key required' } }],
    ['a flight 401 with a code', { ...lookup, status: 401, body: errorBody('UNAUTHORIZED') }],
    [
      'a flight 500 of the authentication layer',
      { ...lookup, status: 500, body: { error: 'Authentication error' } },
    ],
    ['a flight 500 of the handlers', { ...lookup, status: 500, body: errorBody('INTERNAL_ERROR') }],
    [
      'an authentication error in the form of a handler',
      { ...lookup, status: 500, body: { success: false, error: 'Authentication error' } },
    ],
    [
      'a flight 429 of the limiter, with a text',
      {
        ...lookup,
        status: 429,
        body: { success: false, error: 'Too many requests', message: 'Wait', retryAfter: 3 },
      },
    ],
    [
      'an error with another media type',
      {
        ...status,
        status: 404,
        body: errorBody('NOT_FOUND'),
        headers: [['Content-Type', 'application/problem+json']],
      },
    ],
  ];

  test.each(cases)('%s', (_, sketch) => {
    expect(judgeLast(exchange(sketch)).violated).toEqual([]);
  });
});

describe('broken errors', () => {
  const body = errorBody('NOT_FOUND');
  const cases: readonly [string, ExchangeSketch, readonly string[]][] = [
    ['a page', { ...status, status: 400, raw: '<h1>Bad Request</h1>' }, ['SHR-ERR-001']],
    ['nothing at all', { ...status, status: 404, raw: '' }, ['SHR-ERR-001']],
    ['a JSON text', { ...status, status: 401, raw: '"Invalid API key"' }, ['SHR-ERR-001']],
    ['an array', { ...status, status: 404, body: [body] }, ['SHR-ERR-001']],
    [
      'bytes that are no text',
      { ...status, status: 500, raw: new Uint8Array([0xff, 0xfe]) },
      ['SHR-ERR-001'],
    ],
    ['success true', { ...status, status: 404, body: { ...body, success: true } }, ['SHR-ERR-002']],
    ['success as a text', { ...status, status: 404, body: { ...body, success: 'false' } }, ['SHR-ERR-002']],
    ['no success', { ...status, status: 404, body: { error: 'NOT_FOUND', message: 'No.' } }, ['SHR-ERR-002']],
    [
      'success true on a 401',
      { ...status, status: 401, body: { success: true, error: 'UNAUTHORIZED', message: 'No.' } },
      ['SHR-ERR-002'],
    ],
    [
      'success null on a 401',
      { ...status, status: 401, body: { success: null, error: 'UNAUTHORIZED', message: 'No.' } },
      ['SHR-ERR-002'],
    ],
    ['no error', { ...status, status: 404, body: { success: false, message: 'No.' } }, ['SHR-ERR-003']],
    [
      'an error object',
      { ...status, status: 404, body: { ...body, error: { code: 'NOT_FOUND' } } },
      ['SHR-ERR-003'],
    ],
    ['a blank error', { ...status, status: 404, body: { ...body, error: ' ' } }, ['SHR-ERR-003']],
    [
      'a 401 without error',
      { ...status, status: 401, body: { success: false, message: 'Unauthorized' } },
      ['SHR-ERR-003'],
    ],
    [
      'a 401 with error only',
      { ...status, status: 401, body: { error: 'UNAUTHORIZED' } },
      ['SHR-ERR-002', 'SHR-ERR-004'],
    ],
    [
      'an error as HTML',
      { ...status, status: 404, body, headers: [['Content-Type', 'text/html']] },
      ['SHR-ERR-036'],
    ],
    [
      'an error without content type',
      { ...status, status: 404, body, headers: [['Content-Type', null]] },
      ['SHR-ERR-036'],
    ],
    [
      'a flight error as plain text',
      { ...lookup, status: 404, body: errorBody('NOT_FOUND'), headers: [['content-type', 'text/plain']] },
      ['SHR-ERR-037'],
    ],
    ['no message', { ...status, status: 404, body: { success: false, error: 'NOT_FOUND' } }, ['SHR-ERR-004']],
    ['a message object', { ...status, status: 404, body: { ...body, message: ['No.'] } }, ['SHR-ERR-004']],
    [
      'an empty message on a 401',
      { ...status, status: 401, body: { success: false, error: 'X', message: '' } },
      ['SHR-ERR-004'],
    ],
    ['a flight page', { ...lookup, status: 404, raw: 'Cannot GET' }, ['SHR-ERR-020']],
    [
      'a flight error without message',
      { ...lookup, status: 404, body: { success: false, error: 'NOT_FOUND' } },
      ['SHR-ERR-020'],
    ],
    [
      'a flight error without success',
      { ...lookup, status: 400, body: { error: 'VALIDATION_ERROR', message: 'No.' } },
      ['SHR-ERR-020'],
    ],
    [
      'a flight 502 code without message',
      { ...lookup, status: 502, body: { success: false, error: 'PROVIDER_UNAVAILABLE' } },
      ['SHR-ERR-020'],
    ],
    ['a flight 500 page', { ...lookup, status: 500, raw: '<h1>Oops</h1>' }, ['SHR-ERR-020']],
    [
      'a flight 401 without error',
      { ...lookup, status: 401, body: { success: false, message: 'No.' } },
      ['SHR-ERR-035'],
    ],
    ['an empty flight 401', { ...lookup, status: 401, raw: '' }, ['SHR-ERR-035']],
  ];

  test.each(cases)('%s', (_, sketch, violated) => {
    expect(judgeLast(exchange(sketch)).violated).toEqual(violated);
  });
});

test('a text in the error of a flight 401 is the permission that SHR-ERR-021 gives', () => {
  expect(judgeLast(exchange({ ...lookup, status: 401, body: { error: 'Invalid API key' } })).holds).toContain(
    'SHR-ERR-021',
  );
  expect(
    judgeLast(exchange({ ...lookup, status: 401, body: errorBody('UNAUTHORIZED') })).holds,
  ).not.toContain('SHR-ERR-021');
});

test('an error that was not read to its end says nothing of its body', () => {
  const cut = judgeLast(exchange({ ...status, status: 404, raw: '{"succ', truncated: true }));
  const ofBody = ['SHR-ERR-001', 'SHR-ERR-002', 'SHR-ERR-003', 'SHR-ERR-004', 'SHR-ERR-036'];
  expect(cut.holds.filter((id) => ofBody.includes(id))).toEqual([]);
  expect(cut).toMatchObject({ violated: [], unclear: [], notApplicable: ['SHR-ERR-011'] });
});
