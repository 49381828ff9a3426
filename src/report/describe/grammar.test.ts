import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadCatalogue } from '../../catalogue/loadCatalogue.ts';
import { apis, type OperationId } from '../../core/operations.ts';
import { corruptionsOf, possible } from '../../generate/kit/corruption.ts';
import { bookingDraft, renderBooking } from '../../generate/webcheckin/booking.ts';
import { bookingTable } from '../../spec/grammar/booking.ts';
import { flightSubscribeTable } from '../../spec/grammar/flightSubscribe.ts';
import type { Table } from '../../spec/grammar/form.ts';
import { readForms } from '../../spec/grammar/readForms.ts';
import type { JsonObject } from '../../spec/kit/json.ts';
import { itinerariesToTry } from '../../spec/kit/places.ts';
import { renderOpenApi } from './openapi.ts';

const now = Date.UTC(2031, 10, 4, 23, 6, 7);
const ajv = addFormats.default(new Ajv2020({ strict: false }));
ajv.addSchema({ ...renderOpenApi(loadCatalogue(), apis), $id: 'openapi' });

const booking = fc
  .tuple(bookingDraft(now), fc.constantFrom(...itinerariesToTry('international', null)))
  .map(([draft, itinerary]) => renderBooking(draft, { itinerary, now, pnr: 'ABC123' }));
const subscription = fc.constant<JsonObject>({
  ...{ flightNumber: 'EK3', departureDate: '2031-11-20' },
  ...{ departureAirportIata: 'DXB', arrivalAirportIata: 'LHR' },
  callbackData: { fid: '00123', callbackUrl: 'https://hooks.example.com/gatecheck' },
});

/** What a schema does not say: of a calendar, of two members, of a list of airports, of a host. */
const beyondSchemas: Readonly<Record<string, readonly string[]>> = {
  CheckinSubscribe: [
    ...['month-00', 'month-13', 'day-00', 'nonexistent-day', 'hour-25', 'minute-60', 'second-61'],
    ...['origin-without-timezone', 'origin-is-destination', 'departure-in-the-past'],
  ],
  FlightSubscribe: [
    'date-past',
    ...[
      'below-localhost',
      'ipv4',
      'ipv4-private',
      'ipv6',
      'ipv6-mapped',
      'localhost',
      'localhost-of-the-root',
      'single-label',
    ].map((host) => `callbackUrl-${host}`),
  ],
};

const operations: readonly (readonly [string, OperationId, Table, fc.Arbitrary<JsonObject>])[] = [
  ['CheckinSubscribe', 'wci.subscribe', bookingTable(now), booking],
  ['FlightSubscribe', 'fla.subscribe', flightSubscribeTable(now), subscription],
];

test.each(operations)(
  '%s allows what the grammar allows, and forbids what it refuses',
  (name, operation, table, valid) => {
    const validate = ajv.compile({ $ref: `openapi#/components/schemas/${name}` });
    const [forbidden, allowed] = [new Set<string>(), new Set<string>()];
    let [faults, free] = [0, 0];
    for (const { applicable, apply } of possible(
      corruptionsOf(table, () => true),
      valid,
    )) {
      const changed = fc.tuple(valid.filter(applicable), apply).map(([body, change]) => change(body));
      for (const body of fc.sample(changed, { seed: 3, numRuns: 8 })) {
        const features = readForms(body, { operation, carrier: 'json', now });
        const fault = features.find(({ kind }) => kind === 'fault');
        const isFree = features.every(({ kind }) => kind === 'free');
        faults += Number(fault !== undefined);
        free += Number(isFree);
        if (fault && validate(body)) allowed.add(fault.name);
        if (isFree && !validate(body)) forbidden.add(JSON.stringify(validate.errors?.[0]));
      }
    }
    expect(
      [faults, free].every((count) => count > 40),
      `${faults} faults, ${free} free`,
    ).toBe(true);
    expect([...forbidden]).toEqual([]);
    expect(
      [...allowed].sort(),
      'the `shape` of the member has to refuse what these forms make; what no schema can say stands in `beyondSchemas`',
    ).toEqual(beyondSchemas[name]?.toSorted());
  },
);
