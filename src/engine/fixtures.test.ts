import { expect, test } from 'vitest';
import type { ApiRequest } from '../send/request.ts';
import { exchange } from '../../test/support/judge/exchanges.ts';
import { Dialect } from './dialect.ts';
import { createFixtures, recordOf } from './fixtures.ts';

const ownItinerary = { airline: 'FI', legs: [{ flightNumber: '450', origin: 'LHR', destination: 'JFK' }] };

test('a booking_id keeps its digits, however many there are', () => {
  const text = '{"success":true,"message":"SCHEDULED","checkin_id":"c-1","booking_id" : 9007199254741167}';
  const made = exchange({ operation: 'wci.subscribe', status: 200, body: {} });
  if (made.outcome.kind !== 'response') throw new Error('expected a response');
  const response = { ...made.outcome.response, body: Buffer.from(text) };
  const record = recordOf({}, { ...made, outcome: { kind: 'response', response } });
  expect(record.bookingDigits).toBe('9007199254741167');
});

test.each([
  ['a gateway kept it from being found', 503, 2],
  ['the deployment refused it', 422, 1],
])('an itinerary is looked for again where %s: HTTP %i, %i searches', async (_why, status, searches) => {
  let sent = 0;
  const answer = exchange({ operation: 'wci.subscribe', status, body: { success: false } });
  const options = {
    settings: { itineraries: { domestic: null, international: null, twoLeg: null } },
    book: { find: () => null },
    identities: { pnr: () => 'ABCDEF' },
    dialect: new Dialect(),
    keys: { isTired: () => false },
    now: () => 0,
    spare: () => 100,
    send: () => Promise.resolve(((sent += 1), answer)),
  };
  const fixtures = createFixtures(options as unknown as Parameters<typeof createFixtures>[0])(1);
  await expect(fixtures.itinerary('domestic')).rejects.toThrow('was accepted');
  const once = sent;
  await expect(fixtures.itinerary('domestic')).rejects.toThrow('was accepted');
  expect(sent).toBe(once * searches);
});

test('where all are refused, the line of the config comes before the words of the deployment; the airline of a configured one is tried', async () => {
  const airlines = new Set<unknown>();
  const body = { success: false, error: 'REJECTED', message: 'Only ours.' };
  const answer = exchange({ operation: 'wci.subscribe', status: 422, body });
  const options = {
    settings: { itineraries: { domestic: null, international: ownItinerary, twoLeg: null } },
    identities: { pnr: () => 'ABCDEF' },
    dialect: new Dialect(),
    keys: { isTired: () => false },
    book: { find: () => null },
    now: () => 0,
    spare: () => 100,
    send: (request: ApiRequest) => {
      airlines.add(request.body?.toString().match(/"airline":"(\w+)"/)?.[1]);
      return Promise.resolve(answer);
    },
  };
  const fixtures = createFixtures(options as unknown as Parameters<typeof createFixtures>[0])(1);
  await expect(fixtures.itinerary('domestic')).rejects.toThrow(
    "no domestic booking was accepted: name one that the target supports in the config, itineraries: { domestic: { airline: 'AI', legs: [{ flightNumber: '2927', origin: 'DEL', destination: 'BOM' }] } }; ",
  );
  expect(airlines).toContain('FI');
});

test.each([
  [100, true],
  [12, false],
])(
  'with %i requests to spare, a date line is searched for beyond the first refusal: %s',
  async (spare, isSearched) => {
    const answer = exchange({ operation: 'wci.subscribe', status: 422, body: { success: false } });
    let sent = 0;
    const options = {
      settings: { itineraries: { domestic: null, international: ownItinerary, twoLeg: null } },
      identities: { pnr: () => 'ABCDEF' },
      dialect: new Dialect(),
      keys: { isTired: () => false },
      book: { find: () => null },
      ...{ now: () => 0, spare: () => spare },
      send: (_request: ApiRequest, purpose: string) => {
        if (purpose === 'itinerary.dateLine') sent += 1;
        return Promise.resolve(answer);
      },
    };
    const fixtures = createFixtures(options as unknown as Parameters<typeof createFixtures>[0])(1);
    await expect(fixtures.itinerary('dateLine')).rejects.toThrow('no dateLine booking was accepted');
    expect(sent > 2).toBe(isSearched);
    expect(fixtures.mayTryAnother()).toBe(isSearched);
  },
);
