import type { JsonObject } from '../../../src/judge/kernel/body.ts';

/** Answers as a conforming server gives them, to be varied by tests. */
export const errorBody = (error: string, more: JsonObject = {}): JsonObject => ({
  success: false,
  error,
  message: 'Something was wrong.',
  ...more,
});

export const subscribed = (more: JsonObject = {}): JsonObject => ({
  success: true,
  message: 'SCHEDULED',
  booking_id: 4711,
  checkin_id: 'chk-1234567890',
  status: 'SCHEDULED',
  sub_status: 'COMPLETE_INFO',
  missing_info: [],
  status_message: 'Check-in is scheduled.',
  quota: { included_units: 100, consumed_units: 3 },
  ...more,
});

/** As `status` shows it, and inside `data` of an update. */
export const record = (more: JsonObject = {}): JsonObject => ({
  checkin_id: 'chk-1234567890',
  booking_id: 4711,
  status: 'SCHEDULED',
  sub_status: 'COMPLETE_INFO',
  checkin_message: 'Check-in is scheduled.',
  missing_info: [],
  boarding_passes: [],
  last_updated: '2026-03-01T12:00:00.123Z',
  ...more,
});

export const statusBody = (more: JsonObject = {}): JsonObject => ({ success: true, ...record(more) });

export const updateBody = (more: JsonObject = {}, frame: JsonObject = {}): JsonObject => ({
  success: true,
  type: 'passengers',
  operation: 'update',
  data: record(more),
  ...frame,
});

export const item = (more: JsonObject = {}): JsonObject => ({
  ...record(),
  pnr: 'ABC123',
  origin: 'DOH',
  destination: 'LHR',
  departure_datetime: '2026-03-20T08:00:00',
  airline: 'QR',
  flight_number: '1',
  scheduled_time: '2026-03-19T05:00:00.000Z',
  created_at: '2026-03-01T12:00:00.000Z',
  ...more,
});

export const listBody = (items: readonly JsonObject[], pagination: JsonObject = {}): JsonObject => ({
  success: true,
  data: items,
  pagination: { page: 0, limit: 25, total: items.length, totalPages: 1, ...pagination },
});

/** The object without one of its members. */
export function without(object: JsonObject, member: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== member));
}

const end = (airportIata: string): JsonObject => ({
  airportIata,
  city: null,
  terminal: null,
  utcOffsetSeconds: '10800',
  scheduledTime: '2026-03-20 08:00:00',
  estimatedTime: null,
  actualTime: null,
});

export const leg = (more: JsonObject = {}): JsonObject => ({
  flightNumber: 'QR1',
  stopover: { airportIata: null, city: null },
  isCodeshare: 0,
  codeshareFlightNumber: null,
  status: 'schedule',
  airline: { name: 'Qatar Airways', code: 'QR' },
  departure: { ...end('DOH'), gate: null, boardingStatus: null },
  arrival: { ...end('LHR'), baggageBelt: null },
  ...more,
});

export const route = (departure: string, arrival: string): JsonObject =>
  leg({
    departure: { ...end(departure), gate: null, boardingStatus: null },
    arrival: { ...end(arrival), baggageBelt: null },
  });

export const legRequest = (more: JsonObject = {}): JsonObject => ({
  flightNumber: 'QR1',
  departureDate: '2026-03-20',
  departureAirportIata: 'DOH',
  arrivalAirportIata: 'LHR',
  ...more,
});

export const callbackData = (more: JsonObject = {}): JsonObject => ({
  fid: '0012345678',
  callbackUrl: 'https://sink.example.com/hook',
  ...more,
});
