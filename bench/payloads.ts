import {
  errorBody,
  item,
  legRequest,
  listBody,
  route,
  statusBody,
  subscribed,
  updateBody,
} from '../test/support/judge/bodies.ts';
import * as api from '../src/send/request.ts';

/** The key that every request of the benchmark carries. */
export const benchKey = 'gc_bench_5f2b9c1e7a604d38';

/** A fixed exchange: what is sent, and what the static server answers. */
interface Payload {
  readonly request: api.ApiRequest;
  readonly status: number;
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

/** One exchange of each operation that succeeds, of about the size that such a one has in a run on average. */
const accepted: readonly Payload[] = [
  ok(
    api.subscribe({ pnr: 'ABC123', flights: [flight], passengers: [passenger] }),
    subscribed({ message: 'ALREADY_SUBSCRIBED' }),
  ),
  ok(api.update({ checkin_id: id, passengers: [passenger] }), updateBody()),
  ok(api.status({ checkin_id: id }), statusBody()),
  ok(api.list({ page: '0', limit: '25' }), listBody(items)),
  ok(api.lookup({ flightNumber: 'QR1', departureDate: '2026-03-20' }), [
    route('AUH', 'DOH'),
    route('DOH', 'LHR'),
    route('LHR', 'SIN'),
  ]),
  ok(api.flightSubscribe(legRequest()), { success: true, latest_status_snapshot: route('DOH', 'LHR') }),
];

/** And one that is refused. */
const refused: readonly Payload[] = [
  refusal(api.subscribe({ pnr: 'ABC123', flights: [flight], passengers: [] }), 400, 'VALIDATION_ERROR'),
  refusal(api.update({ checkin_id: 'chk-unknown', passengers: [passenger] }), 404, 'NOT_FOUND'),
  refusal(api.status({ checkin_id: 'chk-unknown' }), 404, 'NOT_FOUND'),
  refusal(api.list({ page: '0', limit: '25', status: 'UNKNOWN' }), 400, 'VALIDATION_ERROR'),
  refusal(api.lookup({ flightNumber: 'QR', departureDate: '2026-03-20' }), 400, 'VALIDATION_ERROR'),
  refusal(api.flightSubscribe(legRequest({ departureDate: '' })), 400, 'VALIDATION_ERROR'),
];

/** `mixed`: half of them are refused, as in a run, in which every rule is broken on purpose. */
export const mixes = { mixed: [...accepted, ...refused], accepted } as const;
export type Mix = keyof typeof mixes;

function ok(request: api.ApiRequest, answer: unknown): Payload {
  return { request, status: 200, answer };
}

function refusal(request: api.ApiRequest, status: number, code: string): Payload {
  return { request, status, answer: errorBody(code) };
}
