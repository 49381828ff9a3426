import { describe, expect, test } from 'vitest';
import { passenger, passport } from '../../../test/support/judge/passenger.ts';
import { readForms } from '../grammar/readForms.ts';
import { readinessOf } from './readiness.ts';

const asked = { operation: 'wci.subscribe', carrier: 'json' } as const;
const abroad = [
  {
    airline: 'EK',
    flight_number: '3',
    origin: 'DXB',
    destination: 'LHR',
    departure_datetime: '2026-07-29T10:30:00',
  },
];
const home = [{ ...abroad[0], origin: 'SFO', destination: 'LAX' }];

interface Given {
  readonly pnr?: string | null;
  readonly flights?: readonly object[];
}

function judge(people: readonly object[], { pnr = 'ABC123', flights = abroad }: Given = {}) {
  const body = JSON.parse(JSON.stringify({ pnr, flights, passengers: people })) as never;
  const { passengers, flights: legs } = body as { passengers: []; flights: [] };
  return readinessOf({ pnr, flights: legs, passengers, forms: readForms(body, asked), asked });
}

describe('what a booking lacks', () => {
  test.each([
    ['nothing', [passenger], {}, true, 'WCI-SUB-005'],
    ['a passport', [{ ...passenger, passport: null }], {}, false, 'WCI-RDY-001'],
    [
      'a passport number',
      [{ ...passenger, passport: { ...passport, number: null } }],
      {},
      false,
      'WCI-RDY-002',
    ],
    ['an email', [{ ...passenger, email: null }], {}, false, 'WCI-RDY-010'],
    ['a valid email', [{ ...passenger, email: 'gatecheck@' }], {}, false, 'WCI-RDY-011 x@'],
    ['a pnr', [passenger], { pnr: null }, false, 'WCI-RDY-014'],
    [
      'a nationality',
      [{ ...passenger, nationality: null, passport: { ...passport, nationality: null } }],
      {},
      false,
      'WCI-RDY-006',
    ],
    ['two things', [{ ...passenger, email: null, passport: null }], {}, false, 'WCI-SUB-014'],
  ])('%s', (_what, people, given, complete, rule) => {
    expect(judge(people, given)).toMatchObject({ complete, rules: [rule] });
  });

  test('one of several passengers, a scan and an address are told apart from it', () => {
    const two = judge([passenger, { ...passenger, passport: null }]);
    expect(two.rules).toEqual(['WCI-RDY-001', 'WCI-RDY-009', 'WCI-RDY-009 behind another of the same name']);
    const scanned = judge([
      { ...passenger, passport: { file_field: 'scan', document_url: 'https://example.com' } },
    ]);
    expect(scanned.rules).toEqual(['WCI-MP-011', 'WCI-RDY-016', 'WCI-SUB-014']);
  });

  test('a journey at home needs no passport, and one out of a country and back does, by the likelier reading', () => {
    const bare = [{ ...passenger, passport: null }];
    expect(judge(bare, { flights: home })).toEqual({
      complete: true,
      rules: ['WCI-RDY-015'],
      isCertain: false,
    });
    const leg = (origin: string, destination: string) => ({ ...abroad[0], origin, destination });
    const back = { complete: false, rules: ['WCI-RDY-080'], isCertain: false };
    expect(judge(bare, { flights: [leg('JFK', 'DXB'), leg('DXB', 'BOS')] })).toMatchObject(back);
    expect(judge(bare, { flights: [leg('JFK', 'DXB'), leg('DXB', 'JFK')] }).complete).toBe(null);
  });

  test.each([
    ['a phone number', [{ ...passenger, phone: null }], {}],
    [
      'a passport that ends soon',
      [{ ...passenger, passport: { ...passport, expiry_date: '2026-09-01' } }],
      {},
    ],
    ['a pnr of another form', [passenger], { pnr: '!?*' }],
  ])('is open for %s', (_what, people, given) => {
    expect(judge(people, given).complete).toBe(null);
  });
});
