import { describe, expect, test } from 'vitest';
import type { OperationId } from '../../core/operations.ts';
import { errorBody, listBody } from '../../../test/support/judge/bodies.ts';
import { exchange, judgeLast, type ExchangeSketch } from '../../../test/support/judge/exchanges.ts';

const requirement: Readonly<Record<OperationId, string>> = {
  'wci.subscribe': 'SHR-ERR-014',
  'wci.update': 'SHR-ERR-015',
  'wci.status': 'SHR-ERR-016',
  'wci.list': 'SHR-ERR-017',
  'fla.lookup': 'SHR-ERR-018',
  'fla.subscribe': 'SHR-ERR-019',
};

const documented: readonly [OperationId, number, string][] = [
  ['wci.subscribe', 402, 'QUOTA_EXHAUSTED'],
  ['wci.subscribe', 422, 'REJECTED'],
  ['wci.update', 404, 'NOT_FOUND'],
  ['wci.update', 409, 'INVALID_STATE'],
  ['wci.update', 422, 'REJECTED'],
  ['wci.status', 404, 'NOT_FOUND'],
  ['wci.list', 500, 'INTERNAL_ERROR'],
  ['fla.lookup', 404, 'FLIGHT_NOT_FOUND'],
  ['fla.lookup', 502, 'PROVIDER_UNAVAILABLE'],
  ['fla.subscribe', 409, 'AMBIGUOUS_FLIGHT'],
  ['fla.subscribe', 502, 'SUBSCRIPTION_FAILED'],
];

test.each(documented)('%s may answer %i %s', (operation, status, code) => {
  const { holds, violated } = judgeLast(exchange({ operation, status, body: errorBody(code) }));
  expect(violated).toEqual([]);
  expect(holds).toContain(requirement[operation]);
});

/** With the row that such an answer breaks besides that of the statuses. */
const undocumented: readonly [OperationId, number, string?][] = [
  ['wci.subscribe', 404],
  ['wci.subscribe', 409],
  ['wci.subscribe', 403],
  ['wci.subscribe', 503],
  ['wci.update', 402, 'WCI-QTA-006'],
  ['wci.status', 402, 'WCI-QTA-006'],
  ['wci.status', 409],
  ['wci.status', 422],
  ['wci.list', 404, 'WCI-LST-001'],
  ['wci.list', 502],
  ['fla.lookup', 409],
  ['fla.lookup', 504],
  ['fla.subscribe', 402, 'WCI-QTA-014'],
  ['fla.subscribe', 422],
];

test.each(undocumented)('%s may not answer %i with a body of the API', (operation, status, also) => {
  const { violated } = judgeLast(exchange({ operation, status, body: errorBody('SOME_CODE') }));
  expect(violated).toEqual([requirement[operation], ...(also === undefined ? [] : [also])]);
});

test.each([201, 202, 204, 301, 304, 307])('a success or redirect %i is no documented answer', (status) => {
  const { violated } = judgeLast(exchange({ operation: 'wci.status', status, raw: '' }));
  expect(violated).toEqual(['SHR-ERR-016']);
});

describe('what may come from in front of the service', () => {
  const html = '<html><body>Bad gateway</body></html>';
  const cases: readonly [string, ExchangeSketch][] = [
    ...[405, 408, 411, 413, 414, 415, 417, 421, 425, 426, 431].map((status): [string, ExchangeSketch] => [
      `a page with ${status}`,
      { operation: 'wci.subscribe', status, raw: html },
    ]),
    [
      'a 415 in the form of the API',
      { operation: 'wci.update', status: 415, body: errorBody('UNSUPPORTED_MEDIA_TYPE') },
    ],
    ['a 502 page on web check-in', { operation: 'wci.status', status: 502, raw: html }],
    ['a 502 page on a lookup', { operation: 'fla.lookup', status: 502, raw: html }],
    ['an empty 502', { operation: 'fla.subscribe', status: 502, raw: '' }],
    [
      'a 502 of a JSON gateway',
      { operation: 'fla.lookup', status: 502, body: { message: 'Internal server error' } },
    ],
    [
      'a 503 of a framework',
      { operation: 'wci.list', status: 503, body: { statusCode: 503, error: 'Service Unavailable' } },
    ],
    ['a 504', { operation: 'fla.lookup', status: 504, raw: 'upstream request timeout' }],
    ['a 522 of a content network', { operation: 'wci.list', status: 522, raw: html }],
  ];

  test.each(cases)('%s is unclear, and breaks at most the form of what is in front', (_, sketch) => {
    const { holds, violated, unclear } = judgeLast(exchange(sketch));
    const isPage = (sketch.status ?? 200) < 500 && sketch.raw === html;
    const isJson = sketch.status === 415 && sketch.body !== undefined;
    expect({ holds, violated }).toEqual({
      holds: isJson ? ['SHR-AUT-023', 'SHR-ERR-040'] : [],
      violated: isPage ? ['SHR-ERR-040'] : [],
    });
    expect(unclear).toEqual(sketch.operation ? [requirement[sketch.operation]] : []);
  });
});

describe('a request that is too long', () => {
  const html = '<html><body>Request Header Or Cookie Too Large</body></html>';
  const asked = (length: number, raw: string): ExchangeSketch => ({
    ...{ operation: 'wci.status', status: 400, raw },
    requestHeaders: [['X-Padding', 'x'.repeat(length)]],
  });

  test('may be a bad request of the server in front, which breaks no must', () => {
    expect(judgeLast(exchange(asked(9000, html))).violated).toEqual(['SHR-ERR-040']);
    expect(judgeLast(exchange(asked(9000, ''))).violated).toEqual([]);
    expect(judgeLast(exchange(asked(90, html))).violated).toContain('SHR-ERR-001');
  });
});

describe('400 of a list', () => {
  const refused = { operation: 'wci.list', status: 400, body: errorBody('VALIDATION_ERROR') } as const;

  test.each([
    'page=-1',
    'page=abc',
    'page=',
    'page=1.5',
    'page=0&page=1',
    'limit=0',
    'limit=101',
    'limit=x',
    'limit=99999999999999999999',
    'status=BOGUS',
    'status=scheduled',
    'status=',
    'unknown=1',
    'page=0&color=red',
  ])('is an open reading of ?%s', (query) => {
    expect(judgeLast(exchange({ ...refused, query })).violated).toEqual([]);
  });

  test.each([undefined, 'page=0', 'limit=100', 'limit=1&page=9999', 'status=FAILED&limit=25&page=2'])(
    'has no excuse for ?%s',
    (query) => {
      const sketch = query === undefined ? refused : { ...refused, query };
      expect(judgeLast(exchange(sketch)).violated).toEqual(['SHR-ERR-017']);
    },
  );
});

test('no answer and an undocumented path are no samples', () => {
  const nothing = { holds: [], violated: [], unclear: [], notApplicable: [] };
  expect(judgeLast(exchange({ operation: 'wci.list', lost: true }))).toEqual(nothing);
  expect(judgeLast(exchange({ operation: null, status: 404, raw: 'what?' }))).toEqual(nothing);
});

test('an enterprise without records gets its empty list', () => {
  const { holds, violated } = judgeLast(
    exchange({ operation: 'wci.list', body: listBody([], { totalPages: 0 }) }),
  );
  expect(violated).toEqual([]);
  expect(holds).toContain('SHR-ERR-017');
});
