import { expect, test } from 'vitest';
import { exchange } from '../../test/support/judge/exchanges.ts';
import { Dialect } from './dialect.ts';
import { createFixtures, recordOf } from './fixtures.ts';

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
    settings: { itineraries: { domestic: null } },
    identities: { pnr: () => 'ABCDEF' },
    dialect: new Dialect(),
    keys: { isTired: () => false },
    now: () => 0,
    send: () => Promise.resolve(((sent += 1), answer)),
  };
  const fixtures = createFixtures(options as unknown as Parameters<typeof createFixtures>[0])(1);
  await expect(fixtures.itinerary('domestic')).rejects.toThrow('was accepted');
  const once = sent;
  await expect(fixtures.itinerary('domestic')).rejects.toThrow('was accepted');
  expect(sent).toBe(once * searches);
});
