import { expect, test } from 'vitest';
import { renderFlightSubscription } from './flightSubscription.ts';

const leg = { flightNumber: 'QR123', departureDate: '2031-03-05', departure: 'DOH', arrival: 'LHR' };

test('no callback is asked for by null or by leaving the member out', () => {
  expect(renderFlightSubscription(leg, null)).toHaveProperty('callbackData', null);
  expect(renderFlightSubscription(leg, 'absent')).not.toHaveProperty('callbackData');
});
