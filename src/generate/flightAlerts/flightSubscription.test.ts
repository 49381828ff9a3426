import { expect, test } from 'vitest';
import { flightSubscribeSchema } from '../../../test/laws/flightAlerts.ts';
import { expectLaws } from '../../../test/laws/laws.ts';
import { legSpelling, renderFlightSubscription } from './flightSubscription.ts';

const leg = { flightNumber: 'QR123', departureDate: '2031-03-05', departure: 'DOH', arrival: 'LHR' };
const schema = flightSubscribeSchema('2031-03-04');

test('every spelling of a leg is a valid subscription of the same date', () => {
  expectLaws(legSpelling(leg), (spelled) => {
    expect(schema.parse(renderFlightSubscription(spelled, null)).departureDate).toBe('2031-03-05');
  });
});

test('no callback is asked for by null or by leaving the member out', () => {
  expect(renderFlightSubscription(leg, null)).toHaveProperty('callbackData', null);
  expect(renderFlightSubscription(leg, 'absent')).not.toHaveProperty('callbackData');
});
