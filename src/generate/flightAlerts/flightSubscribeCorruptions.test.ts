import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { testCorruptions, type Breaks } from '../../../test/laws/corruptions.ts';
import { departureDates, flightAndDateBreaks } from '../../../test/laws/flightAndDate.ts';
import { flightSubscribeSchema } from '../../../test/laws/flightAlerts.ts';
import { flightCallback } from '../webcheckin/callback.ts';
import { validFlightNumber } from './flightNumbers.ts';
import { flightSubscribeCorruptions } from './corruptions.ts';
import type { JsonObject } from '../../spec/kit/json.ts';

const now = Date.UTC(2031, 2, 4, 12);
const schema = flightSubscribeSchema('2031-03-04');
const callbackData = fc.option(flightCallback('https://example.com/cb', 'a1'));
const valid: fc.Arbitrary<JsonObject> = fc.record(
  {
    flightNumber: validFlightNumber,
    departureDate: departureDates(now),
    departureAirportIata: fc.constant('DOH'),
    arrivalAirportIata: fc.constant('LHR'),
    callbackData,
  },
  { noNullPrototype: true },
);

const fields = ['flightNumber', 'departureDate', 'departureAirportIata', 'arrivalAirportIata'];
const url = 'callbackData.callbackUrl';
const breaks: Breaks = {
  ...Object.fromEntries(
    fields.flatMap((field) => [
      [`absent-${field}`, field],
      [`null-${field}`, field],
      [`${field}-of-other-type`, field],
      [`${field}-in-an-array`, field],
    ]),
  ),
  ...flightAndDateBreaks,
  'departureAirportIata-with-zero-character': 'departureAirportIata letters',
  'departureAirportIata-with-quote': 'departureAirportIata letters',
  'departureAirportIata-very-long': 'departureAirportIata letters',
  'arrivalAirportIata-with-zero-character': 'arrivalAirportIata letters',
  'arrivalAirportIata-with-quote': 'arrivalAirportIata letters',
  'arrivalAirportIata-very-long': 'arrivalAirportIata letters',
  'departureAirportIata-of-other-length': 'departureAirportIata letters',
  'departureAirportIata-with-digit': 'departureAirportIata letters',
  'departureAirportIata-empty': 'departureAirportIata letters',
  'arrivalAirportIata-of-other-length': 'arrivalAirportIata letters',
  'arrivalAirportIata-with-digit': 'arrivalAirportIata letters',
  'arrivalAirportIata-empty': 'arrivalAirportIata letters',
  'absent-fid': 'callbackData.fid',
  'null-fid': 'callbackData.fid',
  'number-fid': 'callbackData.fid',
  'boolean-fid': 'callbackData.fid',
  'fid-of-other-type': 'callbackData.fid',
  'empty-fid': 'callbackData.fid',
  'fid-too-long': 'callbackData.fid',
  'absent-callbackUrl': url,
  'null-callbackUrl': url,
  'number-callbackUrl': url,
  'callbackUrl-http': `${url} scheme`,
  'callbackUrl-other-scheme': `${url} scheme`,
  'callbackUrl-user': `${url} credentials`,
  'callbackUrl-password': `${url} credentials`,
  'callbackUrl-ipv4': `${url} ipv4`,
  'callbackUrl-ipv4-private': `${url} ipv4`,
  'callbackUrl-ipv4-number': `${url} ipv4`,
  'callbackUrl-ipv4-short': `${url} ipv4`,
  'callbackUrl-ipv6': `${url} ipv6`,
  'callbackUrl-ipv6-mapped': `${url} ipv6`,
  'callbackUrl-fragment': `${url} fragment`,
  'callbackUrl-empty-fragment': `${url} fragment`,
  'callbackUrl-localhost': `${url} internal`,
  'callbackUrl-below-localhost': `${url} internal`,
  'callbackUrl-localhost-of-the-root': `${url} internal`,
  'callbackUrl-single-label': `${url} internal`,
  'callbackUrl-private-domain': `${url} internal`,
  'callbackUrl-no-url': `${url} no url`,
  'callbackData-not-object': 'callbackData',
  'callbackData-empty': 'callbackData.fid, callbackData.callbackUrl',
};

describe('flight subscribe corruptions', () => {
  testCorruptions(flightSubscribeCorruptions(now), valid, { schema, breaks });
});

test('the valid body is one of the document, with and without callback', () => {
  fc.assert(
    fc.property(valid, (body) => {
      expect(schema.safeParse(body).error).toBeUndefined();
    }),
    { seed: 1 },
  );
});
