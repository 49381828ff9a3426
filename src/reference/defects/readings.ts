import { breaking, partsIn, reading, refusing, rewriting, type Found } from './handlers.ts';
import { isPart, type Part } from './part.ts';
import { defectsOf, type Defect } from './row.ts';

const shared = defectsOf('shared');
const checkin = defectsOf('webcheckin');
const flights = defectsOf('flight-alerts');

const flat = (list: unknown) => (Array.isArray(list) ? (list as unknown[]).flat(9) : list);
const isNested = (list: unknown) => Array.isArray(list) && list.some(Array.isArray);

/** Digits of any script that has ten of them in a row. */
const asciiDigits = (text: string) =>
  text.replace(/\p{Nd}/gu, (one) => {
    let zero = one.codePointAt(0) ?? 0;
    while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1)) && (one.codePointAt(0) ?? 0) - zero < 9) zero -= 1;
    return String((one.codePointAt(0) ?? 0) - zero);
  });

/** The clocks of the legs behind the first, changed. */
function laterLegs(found: Found, members: readonly string[], change: (clock: string) => string): Part | null {
  if (found.at !== 'subscribe' || !Array.isArray(found.body.flights)) return null;
  const flights = partsIn(found.body, 'flights').map((leg, at) =>
    at === 0
      ? leg
      : Object.fromEntries(
          Object.entries(leg).map(([name, value]) => [
            name,
            members.includes(name) && typeof value === 'string' ? change(value) : value,
          ]),
        ),
  );
  return { ...found.body, flights };
}

/** A clock with a suffix, in UTC. */
function inUtc(clock: string): string {
  const suffix = /\d(Z|[+-]\d\d:?\d\d)\s*$/.exec(clock)?.[1];
  if (suffix === undefined) return clock;
  const at = Date.parse(
    clock
      .trim()
      .replace(' ', 'T')
      .replace(/([+-]\d\d)(\d\d)$/, '$1:$2'),
  );
  return Number.isNaN(at) ? clock : new Date(at).toISOString().slice(0, 19);
}

const suffixOf = (clock: unknown) =>
  /:\d\d(Z|[+-])[\d:]*\s*$/.exec(typeof clock === 'string' ? clock : '')?.[1] ?? '';
const differ = (leg: Part, of: (clock: unknown) => unknown) =>
  typeof leg.arrival_datetime === 'string' && of(leg.departure_datetime) !== of(leg.arrival_datetime);
const hasSeconds = (clock: unknown) => /\d:\d\d:\d\d/.test(String(clock));
const separator = (clock: unknown) => /\d([T ])\d/.exec(String(clock))?.[1];
const anyLeg = (has: (leg: Part) => boolean) => (found: Found) =>
  found.at === 'subscribe' && partsIn(found.body, 'flights').some(has);

/** Values that are read as something else, by themselves or beside others. */
export const readingDefects: readonly Defect[] = [
  checkin.sometimes(
    'passengers-nested-flattened',
    'Passengers in a list in the list are taken.',
    'WCI-SUB-029 also WCI-UPD-048 SHR-ERR-007',
    {
      front: rewriting(({ body }) =>
        isNested(body.passengers) ? { ...body, passengers: flat(body.passengers) } : null,
      ),
    },
  ),
  checkin.sometimes('flights-nested-flattened', 'Flights in a list in the list are taken.', 'WCI-SUB-026', {
    front: rewriting(({ body }) =>
      isNested(body.flights) ? { ...body, flights: flat(body.flights) } : null,
    ),
  }),
  checkin.sometimes(
    'passengers-nested-500',
    'A list among passengers is an internal error.',
    'WCI-SUB-029 also WCI-UPD-048 SHR-ERR-007',
    {
      front: breaking(({ body }) => isNested(body.passengers)),
    },
  ),
  checkin.sometimes(
    'documents-nested-flattened',
    'Documents in a list in the list are taken.',
    'WCI-SUB-047 also WCI-UPD-025',
    {
      front: rewriting(({ body }) =>
        Array.isArray(body.passengers)
          ? {
              ...body,
              passengers: body.passengers.map((one: unknown) =>
                isPart(one) && isNested(one.documents) ? { ...one, documents: flat(one.documents) } : one,
              ),
            }
          : null,
      ),
    },
  ),
  checkin.sometimes(
    'clock-later-departure-converted',
    'The suffix of a later departure is converted.',
    'WCI-DT-007 WCI-DT-008 also WCI-JRN-012',
    {
      front: rewriting((found) => laterLegs(found, ['departure_datetime'], inUtc)),
    },
  ),
  checkin.sometimes(
    'clock-later-z-converted',
    'A Z of a later departure is an instant.',
    'WCI-DT-006 also WCI-JRN-012',
    {
      front: rewriting((found) =>
        laterLegs(found, ['departure_datetime'], (clock) =>
          clock.replace(
            /(\d\d):(\d\d:\d\d)Z$/,
            (_, hour: string, rest: string) => `${String((Number(hour) + 20) % 24).padStart(2, '0')}:${rest}`,
          ),
        ),
      ),
    },
  ),
  checkin.sometimes(
    'clock-later-untrimmed',
    'White space around a later departure is refused.',
    'WCI-DT-009',
    {
      front: refusing(
        ({ at, body }) =>
          at === 'subscribe' &&
          partsIn(body, 'flights')
            .slice(1)
            .some(({ departure_datetime: clock }) => /^\s|\s$/.test(String(clock))),
      ),
    },
  ),
  checkin.sometimes(
    'clock-suffixes-must-agree',
    'Departure and arrival of a leg have the same kind of suffix.',
    'WCI-DT-006 WCI-DT-007 WCI-DT-008 also WCI-DT-010 WCI-DT-013',
    {
      front: refusing(anyLeg((leg) => differ(leg, suffixOf))),
    },
  ),
  checkin.sometimes(
    'clock-seconds-must-agree',
    'Departure and arrival of a leg both have seconds, or neither has.',
    'WCI-DT-003 also WCI-DT-010',
    {
      front: refusing(anyLeg((leg) => differ(leg, hasSeconds))),
    },
  ),
  checkin.sometimes(
    'clock-separators-must-agree',
    'Departure and arrival of a leg have the same separator.',
    'WCI-DT-002 also WCI-DT-010',
    {
      front: refusing(anyLeg((leg) => differ(leg, separator))),
    },
  ),
  checkin.sometimes('clock-other-digits', 'Clocks may have digits of any script.', 'WCI-DT-016', {
    front: rewriting(({ at, body }) =>
      at !== 'subscribe' || !Array.isArray(body.flights) || !body.flights.every(isPart)
        ? null
        : {
            ...body,
            flights: partsIn(body, 'flights').map((leg) =>
              typeof leg.departure_datetime === 'string'
                ? { ...leg, departure_datetime: asciiDigits(leg.departure_datetime) }
                : leg,
            ),
          },
    ),
  }),
  checkin.sometimes(
    'page-of-other-digits-500',
    'A page in digits of another script is an internal error.',
    'WCI-LST-010',
    {
      front: breaking(({ query }) => /[^\x00-\x7f]/.test(query.get('page') ?? '')),
    },
  ),
  checkin.sometimes('page-underscore-500', 'A page with an underscore is an internal error.', 'WCI-LST-010', {
    front: breaking(({ query }) => (query.get('page') ?? '').includes('_')),
  }),
  checkin.sometimes('page-exponent-500', 'A page with an exponent is an internal error.', 'WCI-LST-010', {
    front: breaking(({ query }) => /^\d+e\d+$/i.test(query.get('page') ?? '')),
  }),
  checkin.sometimes(
    'limit-of-other-digits-500',
    'A limit in digits of another script is an internal error.',
    'WCI-LST-011',
    {
      front: breaking(({ query }) => /[^\x00-\x7f]/.test(query.get('limit') ?? '')),
    },
  ),
  checkin.sometimes('limit-fraction-500', 'A limit with a fraction is an internal error.', 'WCI-LST-011', {
    front: breaking(({ query }) => /^\d+\.\d+$/.test(query.get('limit') ?? '')),
  }),
  checkin.sometimes('limit-blank-500', 'A limit with a blank is an internal error.', 'WCI-LST-011', {
    front: breaking(({ query }) => /\s/.test(query.get('limit') ?? '')),
  }),
  flights.sometimes('date-other-digits', 'A date may have digits of any script.', 'FLA-GET-021', {
    front: reading('departureDate', asciiDigits),
  }),
  flights.sometimes('date-wide-digits', 'A date may have digits of full width.', 'FLA-GET-021', {
    front: reading('departureDate', (text) => text.normalize('NFKC')),
  }),
  flights.sometimes(
    'date-other-digits-subscribe',
    'In a subscribe a date may have digits of any script.',
    'FLA-SUB-019',
    {
      front: rewriting(({ body }) =>
        typeof body.departureDate === 'string'
          ? { ...body, departureDate: asciiDigits(body.departureDate) }
          : null,
      ),
    },
  ),
  shared.sometimes('media-type-case', 'A content type is compared with its case.', 'SHR-ERR-039', {
    front: refusing(({ request }) =>
      /[A-Z]/.test((request.headers.get('content-type') ?? '').split(';')[0] ?? ''),
    ),
  }),
  shared.sometimes('media-type-charset-quoted', 'A charset must be utf-8 as it stands.', 'SHR-ERR-039', {
    front: refusing(({ request }) => /charset=(?!utf-8$)/.test(request.headers.get('content-type') ?? '')),
  }),
  shared.sometimes(
    'media-type-one-parameter',
    'A content type has no blank before a parameter.',
    'SHR-ERR-039',
    {
      front: refusing(({ request }) =>
        /^application\/json\s+;/i.test(request.headers.get('content-type') ?? ''),
      ),
    },
  ),
  shared.sometimes(
    'method-overridden',
    'A header changes the method of a read.',
    'WCI-LST-001 also SHR-ERR-017 SHR-ERR-016 SHR-ERR-018 WCI-STS-004 SHR-ERR-022 SHR-AUT-023',
    {
      front: async (request, answer) => {
        const method = request.headers.get('x-http-method-override');
        if (method === null || request.method !== 'GET') return answer();
        return answer(new Request(request.url, { method, headers: request.headers }));
      },
    },
  ),
];
