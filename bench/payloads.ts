import type { OperationId } from '../src/core/operations.ts';
import {
  item,
  legRequest,
  listBody,
  route,
  statusBody,
  subscribed,
  updateBody,
} from '../src/judge/testBodies.ts';
import * as api from '../src/send/request.ts';

/** The key that every request of the benchmark carries. */
export const benchKey = 'gc_bench_5f2b9c1e7a604d38';

/** A fixed exchange of one operation: what is sent, and what the static server answers with status 200. */
export interface Payload {
  readonly request: api.ApiRequest;
  readonly answer: unknown;
}

const id = 'chk-1234567890';
const passenger = {
  first_name: 'Testa',
  last_name: 'Gatecheck',
  email: 'gatecheck@example.com',
  country_code: '+1',
  phone: '2025550143',
  date_of_birth: '1990-05-17',
  nationality: 'AE',
  country_of_residence: 'AE',
  passport: {
    number: 'GC1234567',
    date_of_issue: '2024-11-21',
    expiry_date: '2029-11-20',
    place_of_issue: 'Dubai',
    nationality: 'AE',
    document_url: 'https://example.com/gatecheck/passport.pdf',
  },
  documents: [
    { type: 'VISA', document_number: 'GCV12345', issuing_country: 'GB', expiry_date: '2028-11-20' },
  ],
  seat_preference: { row_preference: 'front', column_preference: 'window' },
};
const flight = {
  airline: 'EK',
  flight_number: '3',
  origin: 'DXB',
  destination: 'LHR',
  departure_datetime: '2026-03-20T08:00:00',
  arrival_datetime: '2026-03-20T13:30:00',
};
const items = Array.from({ length: 8 }, (_, index) =>
  index === 0 ? item() : item({ checkin_id: `chk-000000000${index}`, booking_id: 5000 + index }),
);

/** One exchange of each operation, of about the size that a run against the embedded reference has on average. */
export const payloads: Readonly<Record<OperationId, Payload>> = {
  'wci.subscribe': {
    request: api.subscribe({ pnr: 'ABC123', flights: [flight], passengers: [passenger] }),
    answer: subscribed({ message: 'ALREADY_SUBSCRIBED' }),
  },
  'wci.update': {
    request: api.update({ checkin_id: id, passengers: [passenger] }),
    answer: updateBody(),
  },
  'wci.status': { request: api.status({ checkin_id: id }), answer: statusBody() },
  'wci.list': { request: api.list({ page: '0', limit: '25' }), answer: listBody(items) },
  'fla.lookup': {
    request: api.lookup({ flightNumber: 'QR1', departureDate: '2026-03-20' }),
    answer: [route('AUH', 'DOH'), route('DOH', 'LHR'), route('LHR', 'SIN')],
  },
  'fla.subscribe': {
    request: api.flightSubscribe(legRequest()),
    answer: { success: true, latest_status_snapshot: route('DOH', 'LHR') },
  },
};
