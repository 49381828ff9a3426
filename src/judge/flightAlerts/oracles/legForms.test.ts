import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject } from '../../kernel/body.ts';
import { leg, legRequest, without } from '../../../../test/support/judge/bodies.ts';
import { exchange, judgeLast } from '../../../../test/support/judge/exchanges.ts';

const lookup = (...legs: readonly JsonObject[]) =>
  judgeLast(exchange({ operation: 'fla.lookup', body: legs }));
const subscribe = (snapshot: JsonObject) =>
  judgeLast(
    exchange({
      operation: 'fla.subscribe',
      sent: legRequest(),
      body: { success: true, latest_status_snapshot: snapshot },
    }),
  );

/** The leg with members of one of its objects replaced. */
function inside(name: string, more: JsonObject): JsonObject {
  const object = leg()[name];
  return leg({ [name]: { ...(isObject(object) ? object : {}), ...more } });
}

describe('conforming snapshots', () => {
  const cases: readonly [string, JsonObject][] = [
    ['an ordinary one', leg()],
    ['a stop', leg({ stopover: { airportIata: 'BAH', city: 'Manama' } })],
    [
      'blanks',
      {
        ...inside('departure', { gate: '', terminal: ' ', scheduledTime: '', boardingStatus: '' }),
        codeshareFlightNumber: '',
      },
    ],
    [
      'zeros',
      {
        ...inside('arrival', {
          terminal: '0',
          scheduledTime: '0000-00-00 00:00:00',
          estimatedTime: '0',
          actualTime: 0,
          utcOffsetSeconds: 0,
        }),
        codeshareFlightNumber: 0,
      },
    ],
    ['nulls all over', leg({ isCodeshare: null, status: null, airline: { name: null, code: null } })],
    ['a codeshare with a blank operator', leg({ isCodeshare: 1, codeshareFlightNumber: '' })],
    ['a status nobody knows', leg({ status: ' diverted to the moon ' })],
    ['a status that upstream may have sent', leg({ status: 'cancelled' })],
    ['an unknown boarding status', inside('departure', { boardingStatus: 'NEW: last-last call' })],
    ['the general boarding status', inside('departure', { boardingStatus: 'web check-in' })],
    ['an offset as a number', inside('departure', { utcOffsetSeconds: -12_600 })],
    ['an offset as a blank', inside('departure', { utcOffsetSeconds: '' })],
    ['an offset as a fraction', inside('departure', { utcOffsetSeconds: '10800.0' })],
    ['no alternateInfo but null', leg({ alternateInfo: null })],
    ['no alternateInfo but an empty array', leg({ alternateInfo: [] })],
    ['an empty alternate', leg({ alternateInfo: [{}] })],
    ['an alternate of nulls', leg({ alternateInfo: [{ status: null, departure: null, arrival: null }] })],
    [
      'a full alternate',
      leg({
        alternateInfo: [
          {
            status: 'diversion',
            departure: {
              city: 'X',
              airport: 'Y',
              scheduledTime: '2026-03-20 08:00:00',
              actualTime: null,
              utcOffsetSeconds: 3600,
            },
            arrival: {},
          },
        ],
      }),
    ],
    ['a prefix with a digit', leg({ flightNumber: '6E123', airline: { name: null, code: '6E1' } })],
    ['a prefix of three letters', leg({ flightNumber: 'QTR123', airline: { name: null, code: 'QTR' } })],
    ['a prefix with a letter last', leg({ flightNumber: '6EX12', airline: { name: null, code: '6EX' } })],
    ['a spaced flight number', leg({ flightNumber: 'QR 001' })],
    ['a blank airline code', leg({ airline: { name: '', code: '' } })],
    ['a blank flight number', leg({ flightNumber: '' })],
    ['further members', leg({ aircraft: { type: '77W' }, predictedTime: 'soon' })],
  ];

  test.each(cases)('%s', (_, body) => {
    expect(lookup(leg(), body).violated).toEqual([]);
    expect(subscribe(body).violated).toEqual([]);
  });
});

describe('violating snapshots', () => {
  const cases: readonly [string, JsonObject, readonly string[]][] = [
    ['a numeric flight number', leg({ flightNumber: 1 }), ['FLA-SNP-001']],
    ['a null flight number', leg({ flightNumber: null }), ['FLA-SNP-001']],
    ['a null stopover', leg({ stopover: null }), ['FLA-SNP-002']],
    ['no stopover', without(leg(), 'stopover'), ['FLA-SNP-002']],
    ['a stopover without city', leg({ stopover: { airportIata: null } }), ['FLA-SNP-002']],
    ['a list of stopovers', leg({ stopover: [] }), ['FLA-SNP-002']],
    ['a stopover city as an object', leg({ stopover: { airportIata: 'BAH', city: {} } }), ['FLA-SNP-002']],
    ['isCodeshare true', leg({ isCodeshare: true }), ['FLA-SNP-006']],
    ['isCodeshare false', leg({ isCodeshare: false }), ['FLA-SNP-006']],
    ['isCodeshare as a text', leg({ isCodeshare: '0' }), ['FLA-SNP-006']],
    ['isCodeshare 2', leg({ isCodeshare: 2 }), ['FLA-SNP-006']],
    ['a numeric codeshare', leg({ codeshareFlightNumber: 15 }), ['FLA-SNP-007']],
    ['a list of codeshares', leg({ codeshareFlightNumber: ['BA1'] }), ['FLA-SNP-007']],
    ['a numeric status', leg({ status: 3 }), ['FLA-SNP-008']],
    ['a status object', leg({ status: { code: 'delay' } }), ['FLA-SNP-008']],
    ['an airline as a text', leg({ airline: 'QR' }), ['FLA-SNP-011']],
    ['a null airline', leg({ airline: null }), ['FLA-SNP-011']],
    ['an airline name as a number', leg({ airline: { name: 1, code: null } }), ['FLA-SNP-011']],
    ['the code of another airline', leg({ airline: { name: null, code: 'BA' } }), ['FLA-SNP-012']],
    ['the other code of the airline', leg({ airline: { name: null, code: 'QTR' } }), ['FLA-SNP-012']],
    ...['QT', 'QTR1', 'QR'].map((code): [string, JsonObject, readonly string[]] => [
      `the code ${code} of a prefix of three letters`,
      leg({ flightNumber: 'QTR123', airline: { name: null, code } }),
      ['FLA-SNP-034'],
    ]),
    [
      'two of three characters, of which the last is a letter',
      leg({ flightNumber: '6EX123', airline: { name: null, code: '6E' } }),
      ['FLA-SNP-034'],
    ],
    ['no departure', without(leg(), 'departure'), ['FLA-SNP-013']],
    ['a numeric gate', inside('departure', { gate: 12 }), ['FLA-SNP-013']],
    ['a boarding status as a flag', inside('departure', { boardingStatus: true }), ['FLA-SNP-013']],
    ['an arrival as a text', leg({ arrival: 'LHR' }), ['FLA-SNP-014']],
    ['a baggage belt as a number', inside('arrival', { baggageBelt: 5 }), ['FLA-SNP-014']],
    ['a time as a number', inside('arrival', { actualTime: 1_772_366_400 }), ['FLA-SNP-014']],
    ['an offset as a flag', inside('arrival', { utcOffsetSeconds: false }), ['FLA-SNP-015']],
    ['an offset as hours and minutes', inside('arrival', { utcOffsetSeconds: '+03:00' }), ['FLA-SNP-015']],
    ['an offset in milliseconds', inside('departure', { utcOffsetSeconds: 10_800_000 }), ['FLA-SNP-015']],
    ['a time with T', inside('departure', { scheduledTime: '2026-03-20T08:00:00' }), ['FLA-SNP-016']],
    ['a time with Z', inside('arrival', { estimatedTime: '2026-03-20 08:00:00Z' }), ['FLA-SNP-016']],
    [
      'a time with an offset',
      inside('arrival', { actualTime: '2026-03-20 08:00:00+03:00' }),
      ['FLA-SNP-016'],
    ],
    ['a time without seconds', inside('departure', { actualTime: '2026-03-20 08:00' }), ['FLA-SNP-016']],
    [
      'an alternate time with T',
      leg({ alternateInfo: [{ arrival: { scheduledTime: '2026-03-20T08:00:00' } }] }),
      ['FLA-SNP-016'],
    ],
    ['alternateInfo as an object', leg({ alternateInfo: { status: 'x' } }), ['FLA-SNP-004']],
    ['an alternate as a text', leg({ alternateInfo: ['LGW'] }), ['FLA-SNP-004']],
    ['an alternate departure as a text', leg({ alternateInfo: [{ departure: 'LGW' }] }), ['FLA-SNP-004']],
    [
      'an alternate airport as an object',
      leg({ alternateInfo: [{ departure: { airport: { iata: 'LGW' } } }] }),
      ['FLA-SNP-005'],
    ],
    ['an absent status', without(leg(), 'status'), ['FLA-SNP-026']],
    ['an absent gate', leg({ departure: without(leg().departure as JsonObject, 'gate') }), ['FLA-SNP-026']],
    ['an absent airline name', leg({ airline: { code: 'QR' } }), ['FLA-SNP-026']],
  ];

  test.each(cases)('%s', (_, body, violated) => {
    expect(lookup(leg(), body).violated).toEqual(violated);
    const isAbsent = ['stopover', 'airline', 'departure', 'arrival'].some((name) => body[name] === undefined);
    expect(subscribe(body).violated).toEqual([...violated, ...(isAbsent ? ['FLA-SNP-022'] : [])]);
  });

  test.each([-12, 5.5, '3'])('an offset of %j may be hours', (utcOffsetSeconds) => {
    const { violated, unclear } = lookup(inside('arrival', { utcOffsetSeconds }));
    expect({ violated, unclear }).toEqual({ violated: [], unclear: ['FLA-SNP-015'] });
  });
});

test('an empty lookup is a sample of no leg', () => {
  expect(lookup().holds.filter((id) => id.startsWith('FLA-SNP'))).toEqual([]);
});
