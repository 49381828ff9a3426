import { defectsOf, type Defect } from './row.ts';

const { sometimes } = defectsOf('webcheckin');

/** Mistakes in a list item that the status of the same record does not show. */
export const checkinListItemDefects: readonly Defect[] = [
  sometimes(
    'item-booking-id-text',
    'booking_id of a list item is a string.',
    'WCI-STS-017 also WCI-STS-008',
    {
      listItem: (item) => ({ ...item, booking_id: String(item.booking_id) }),
    },
  ),
  sometimes(
    'item-missing-null',
    'missing_info of a complete list item is null.',
    'WCI-STS-016 also WCI-STS-008',
    {
      listItem: (item) => ({
        ...item,
        missing_info: (item.missing_info as readonly unknown[]).length === 0 ? null : item.missing_info,
      }),
    },
  ),
  sometimes(
    'item-missing-count',
    'missing_info of a list item is a number.',
    'WCI-STS-016 also WCI-STS-008',
    {
      listItem: (item) => ({ ...item, missing_info: (item.missing_info as readonly unknown[]).length }),
    },
  ),
  sometimes('item-message-null', 'checkin_message of a list item is null.', 'WCI-STS-014', {
    listItem: (item) => ({ ...item, checkin_message: null }),
  }),
  sometimes(
    'item-status-lower-case',
    'status of a list item is in lower case.',
    'WCI-SUB-022 also WCI-LST-012 WCI-STS-008 WCI-STS-011 WCI-STS-013',
    {
      listItem: (item) => ({ ...item, status: String(item.status).toLowerCase() }),
    },
  ),
  sometimes(
    'item-completed-as-in-progress',
    'List items of completed records show IN_PROGRESS.',
    'WCI-STS-011 also WCI-LST-012 WCI-STS-008 WCI-STS-012',
    {
      listItem: (item) => ({ ...item, status: item.status === 'COMPLETED' ? 'IN_PROGRESS' : item.status }),
    },
  ),
  sometimes(
    'item-failed-as-scheduled',
    'List items of failed records show SCHEDULED.',
    'WCI-STS-013 also WCI-LST-012 WCI-RDY-019',
    {
      listItem: (item) => ({ ...item, status: item.status === 'FAILED' ? 'SCHEDULED' : item.status }),
    },
  ),
  sometimes(
    'item-passes-over-http',
    'Boarding passes of list items are plain http addresses.',
    'WCI-SUB-062 also WCI-STS-011',
    {
      listItem: (item) => ({
        ...item,
        boarding_passes: (item.boarding_passes as readonly string[]).map((pass) =>
          pass.replace('https:', 'http:'),
        ),
      }),
    },
  ),
  sometimes('item-passes-escaped', 'URLs of list items are escaped as in HTML.', 'WCI-STS-011', {
    listItem: (item) => ({
      ...item,
      boarding_passes: (item.boarding_passes as readonly string[]).map((pass) =>
        pass.replaceAll('&', '&amp;'),
      ),
    }),
  }),
  sometimes(
    'item-without-passes',
    'List items do not contain boarding passes.',
    'WCI-STS-011 also WCI-STS-015',
    {
      listItem: (item) => ({ ...item, boarding_passes: [] }),
    },
  ),
  sometimes(
    'item-scheduled-after-departure',
    'scheduled_time of an item is three days late.',
    'WCI-LST-026',
    {
      listItem: (item) => ({
        ...item,
        scheduled_time:
          typeof item.scheduled_time === 'string'
            ? new Date(Date.parse(item.scheduled_time) + 3 * 86_400_000).toISOString()
            : null,
      }),
    },
  ),
  sometimes(
    'item-scheduled-zero',
    'An item without scheduled_time shows the zero of a clock.',
    'WCI-LST-030',
    {
      listItem: (item) => ({ ...item, scheduled_time: item.scheduled_time ?? '0001-01-01T00:00:00.000Z' }),
    },
  ),
  sometimes('item-timestamps-in-seconds', 'created_at of a list item has no milliseconds.', 'WCI-DT-026', {
    listItem: (item) => ({ ...item, created_at: String(item.created_at).replace(/\.\d+Z/, 'Z') }),
  }),
  sometimes(
    'item-pnr-lower-case',
    'A list item gives the pnr in small letters.',
    'WCI-LST-020 also WCI-MP-013 WCI-UPD-005 WCI-UPD-014 WCI-UPD-045',
    {
      listItem: (item) => ({
        ...item,
        pnr: typeof item.pnr === 'string' ? item.pnr.toLowerCase() : item.pnr,
      }),
    },
  ),
  sometimes(
    'item-flight-number-number',
    'A list item gives the flight number as a number.',
    'WCI-LST-018 also WCI-LST-020',
    {
      listItem: (item) => ({ ...item, flight_number: Number.parseInt(String(item.flight_number), 10) }),
    },
  ),
  sometimes(
    'item-airline-joined',
    'A list item gives the flight number with the airline before it.',
    'WCI-LST-020',
    {
      listItem: (item) => ({
        ...item,
        flight_number: `${String(item.airline)}${String(item.flight_number)}`,
      }),
    },
  ),
  sometimes(
    'item-updated-at-creation',
    'last_updated of a list item is that of its creation for ever.',
    'WCI-LST-031 also WCI-DT-029',
    {
      listItem: (item) => ({ ...item, last_updated: item.created_at }),
    },
  ),
];
