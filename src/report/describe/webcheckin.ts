import { bookingTable } from '../../spec/grammar/booking.ts';
import { callbackTable } from '../../spec/grammar/callbackData.ts';
import { flightTable } from '../../spec/grammar/flight.ts';
import type { Table } from '../../spec/grammar/form.ts';
import { checkinStatuses, pageLimits } from '../../spec/grammar/listQuery.ts';
import { documentTable, passengerTable, passportTable, seatTable } from '../../spec/grammar/passenger.ts';
import { subjects, updateTable } from '../../spec/grammar/update.ts';
import { shownMembers } from '../../spec/rules/recordForms.ts';
import { schemaOfTable, type Named, type Prose } from './grammarSchema.ts';
import {
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

const clock = 'Wall clock of the airport; a Z or an offset is ignored and never converted.';
const pnr = 'Missing or invalid: recorded as missing information, not a reason to refuse.';

/** The tables of Web Check-in that have a schema, with the section of the document that each comes from. */
const tables: readonly (readonly [name: string, section: string, table: Table, prose?: Prose])[] = [
  ['Flight', 'Flight (leg)', flightTable, { departure_datetime: clock, arrival_datetime: clock }],
  ['Passenger', 'Passenger', passengerTable],
  ['Passport', 'Passport', passportTable],
  ['SupportingDocument', 'Supporting document (element of `documents`)', documentTable],
  ['SeatPreference', 'Seat preference', seatTable],
  ['CheckinCallbackData', 'Callback data (optional object, nullable)', callbackTable],
  ['CheckinSubscribe', 'POST /extPartner/api/webcheckin/subscribe', bookingTable(0), { pnr }],
  ['CheckinUpdate', 'POST /extPartner/api/webcheckin/update', updateTable],
];
const named: Named = new Map(tables.map(([name, , table]) => [table, name]));

/** The members of a record that every operation shows, without its ids. */
const state = {
  status: enumOf(...checkinStatuses),
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
const success = { success: { type: 'boolean' } };

/** The schemas of Web Check-in by name, with the section of the document that each comes from. */
export const checkinSchemas: Readonly<Record<string, readonly [section: string, schema: Schema]>> = {
  ...Object.fromEntries(
    tables.map(([name, section, table, prose]) => [name, [section, schemaOfTable(table, named, prose)]]),
  ),
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
        limit: { type: 'integer', minimum: pageLimits.least, maximum: pageLimits.most },
        total: { type: 'integer', minimum: 0 },
        totalPages: open('WCI-OPN-027', { type: 'integer', minimum: 0 }),
      },
      ['page', 'limit', 'total', 'totalPages'],
    ),
  ],
  CheckinRequest: ['Check-in request (attempt)', object(record, shownMembers.status)],
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
  CheckinUpdated: [
    'POST /extPartner/api/webcheckin/update',
    object(
      {
        ...success,
        type: enumOf(...subjects),
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
        shownMembers.list,
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
