import { columnPreferences, documentTypes, rowPreferences } from '../../spec/grammar/passenger.ts';
import {
  anything,
  described,
  nonEmptyText,
  listOf,
  maybeText,
  object,
  enumOf,
  open,
  orNull,
  ref,
  text,
  timestamp,
  type Schema,
} from './schema.ts';

/** Local wall clock: a suffix is tolerated but never converted. */
const clock = described('Wall clock of the airport; a Z or an offset is ignored and never converted.', {
  type: 'string',
  pattern: String.raw`^\s*\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:?\d{2})?\s*$`,
});
const airport: Schema = { type: 'string', pattern: '^[A-Za-z]{3}$' };
const lenient = open('WCI-OPN-031', maybeText);
const filePart = open('WCI-OPN-033', text);

/** The members of a record that every operation shows, without its ids. */
const state = {
  status: enumOf('SCHEDULED', 'IN_PROGRESS', 'COMPLETED', 'FAILED'),
  sub_status: open('WCI-OPN-007', text),
  missing_info: listOf(open('WCI-OPN-004', text, { type: 'object' })),
};
const record = {
  checkin_id: nonEmptyText,
  booking_id: { type: 'number' },
  ...state,
  checkin_message: text,
  boarding_passes: open('WCI-OPN-034', listOf({ type: 'string', pattern: '^https://' }), { type: 'null' }),
  last_updated: timestamp,
};
const shown = [
  'checkin_id',
  'booking_id',
  'status',
  'sub_status',
  'checkin_message',
  'missing_info',
  'last_updated',
];
const success = { success: { type: 'boolean' } };
const passengers = listOf(ref('Passenger'), 1);

/** The schemas of Web Check-in by name, with the section of the document that each comes from. */
export const checkinSchemas: Readonly<Record<string, readonly [section: string, schema: Schema]>> = {
  Flight: [
    'Flight (leg)',
    object(
      {
        airline: open(
          'WCI-OPN-001',
          { type: 'string', pattern: '^[A-Za-z0-9]{2}$' },
          { type: 'string', pattern: '^[A-Za-z0-9]{3}$' },
          { type: 'string', pattern: '^[^!-/:-@[-`{-~]+$' },
        ),
        flight_number: nonEmptyText,
        ...{
          origin: airport,
          destination: airport,
          departure_datetime: clock,
          arrival_datetime: orNull(clock),
        },
      },
      ['airline', 'flight_number', 'origin', 'destination', 'departure_datetime'],
    ),
  ],
  Passenger: [
    'Passenger',
    {
      ...object({
        ...{
          first_name: anything,
          last_name: anything,
          email: lenient,
          country_code: lenient,
          phone: lenient,
        },
        ...{ date_of_birth: lenient, nationality: lenient, country_of_residence: lenient },
        ...{ passport: orNull(ref('Passport')), documents: orNull(listOf(ref('SupportingDocument'))) },
        seat_preference: orNull(ref('SeatPreference')),
      }),
      ...open(
        'WCI-OPN-042',
        described(
          'Names are required.',
          object({ first_name: nonEmptyText, last_name: nonEmptyText }, ['first_name', 'last_name']),
        ),
        described(
          'A name that is missing is recorded as missing information.',
          object({ first_name: lenient, last_name: lenient }),
        ),
      ),
    },
  ],
  Passport: [
    'Passport',
    object({
      ...{ number: lenient, date_of_issue: lenient, expiry_date: lenient, place_of_issue: lenient },
      ...{ nationality: lenient, document_url: lenient, file_field: filePart },
    }),
  ],
  SupportingDocument: [
    'Supporting document (element of `documents`)',
    object(
      {
        type: enumOf(...documentTypes),
        ...{
          document_number: lenient,
          issuing_country: lenient,
          expiry_date: lenient,
          document_url: lenient,
        },
        file_field: filePart,
      },
      ['type'],
    ),
  ],
  SeatPreference: [
    'Seat preference',
    object({
      row_preference: {
        anyOf: [enumOf(...rowPreferences, null), open('WCI-OPN-002', enumOf('back'))],
      },
      column_preference: enumOf(...columnPreferences, null),
    }),
  ],
  CheckinCallbackData: [
    'Callback data (optional object, nullable)',
    object(
      {
        callbackUrl: { type: 'string', format: 'uri' },
        auth_header: {
          type: 'string',
          pattern: String.raw`^\s*([Xx]-[Aa][Pp][Ii]-[Kk][Ee][Yy]|[Aa][Uu][Tt][Hh][Oo][Rr][Ii][Zz][Aa][Tt][Ii][Oo][Nn])\s*:[ \t]*[^:\r\n]+$`,
        },
        ...{ clientId: open('WCI-OPN-003', text), clientName: open('WCI-OPN-003', text) },
      },
      ['callbackUrl', 'auth_header'],
    ),
  ],
  QuotaSnapshot: [
    'Quota snapshot',
    object({ included_units: { type: 'number' }, consumed_units: { type: 'number' } }, [
      'included_units',
      'consumed_units',
    ]),
  ],
  Pagination: [
    'Pagination object',
    object(
      {
        page: { type: 'integer', minimum: 0 },
        limit: { type: 'integer', minimum: 1, maximum: 100 },
        total: { type: 'integer', minimum: 0 },
        totalPages: open('WCI-OPN-027', { type: 'integer', minimum: 0 }),
      },
      ['page', 'limit', 'total', 'totalPages'],
    ),
  ],
  CheckinRequest: ['Check-in request (attempt)', object(record, shown)],
  CheckinSubscribe: [
    'POST /extPartner/api/webcheckin/subscribe',
    object(
      {
        pnr: described(
          'Missing or invalid: recorded as missing information, not a reason to refuse.',
          anything,
        ),
        flights: listOf(ref('Flight'), 1),
        passengers,
        callbackData: orNull(ref('CheckinCallbackData')),
      },
      ['flights', 'passengers'],
    ),
  ],
  CheckinSubscribed: [
    'POST /extPartner/api/webcheckin/subscribe',
    {
      anyOf: [
        object(
          {
            ...success,
            message: enumOf('SCHEDULED', 'ALREADY_SUBSCRIBED'),
            ...{
              checkin_id: record.checkin_id,
              booking_id: record.booking_id,
              ...state,
              status_message: text,
            },
            quota: orNull(ref('QuotaSnapshot')),
          },
          [
            'success',
            'message',
            'booking_id',
            'checkin_id',
            'status',
            'sub_status',
            'missing_info',
            'status_message',
          ],
        ),
        open(
          'WCI-OPN-016',
          object({ ...success, message: enumOf('REJECTED'), reason: nonEmptyText }, [
            'success',
            'message',
            'reason',
          ]),
        ),
      ],
    },
  ],
  CheckinUpdate: [
    'POST /extPartner/api/webcheckin/update',
    object({
      ...{ checkin_id: text, webcheckin_id: text, booking_id: { type: ['integer', 'string'] } },
      ...{ type: enumOf('passengers', 'pnr'), operation: enumOf('update'), passengers },
      payload: object({ passengers, pnr: nonEmptyText }),
    }),
  ],
  CheckinUpdated: [
    'POST /extPartner/api/webcheckin/update',
    object(
      {
        ...success,
        type: enumOf('passengers', 'pnr'),
        operation: enumOf('update'),
        data: ref('CheckinRequest'),
      },
      ['success', 'type', 'operation', 'data'],
    ),
  ],
  CheckinStatus: [
    'GET /extPartner/api/webcheckin/status',
    { allOf: [object(success, ['success']), ref('CheckinRequest')] },
  ],
  CheckinList: [
    'GET /extPartner/api/webcheckin/requests',
    object({ ...success, data: listOf(ref('CheckinListItem')), pagination: ref('Pagination') }, [
      'success',
      'data',
      'pagination',
    ]),
  ],
  CheckinListItem: [
    'GET /extPartner/api/webcheckin/requests',
    {
      ...object(
        {
          ...record,
          ...{ pnr: maybeText, origin: text, destination: text, airline: text, flight_number: text },
          ...{ departure_datetime: open('WCI-OPN-028', text), departure_date: open('WCI-OPN-028', text) },
          ...{ scheduled_time: open('WCI-OPN-043', timestamp, { type: 'null' }), created_at: timestamp },
        },
        [
          ...shown,
          'pnr',
          'origin',
          'destination',
          'airline',
          'flight_number',
          'scheduled_time',
          'created_at',
        ],
      ),
      ...open('WCI-OPN-010', { required: ['departure_datetime'] }, { required: ['departure_date'] }),
    },
  ],
  CheckinEvent: [
    'Events',
    object(
      {
        ...{ occurredAt: timestamp, checkin_id: nonEmptyText },
        changes: {
          ...object({ ...state, checkin_message: text, boarding_passes: record.boarding_passes }),
          minProperties: 1,
        },
      },
      ['occurredAt', 'checkin_id', 'changes'],
    ),
  ],
};
