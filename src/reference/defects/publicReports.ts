import { breaking, partsIn, refusing, rewriting, type Found } from './handlers.ts';
import { isPart, type Part } from './part.ts';
import { defectsOf, type Defect } from './row.ts';

const shared = defectsOf('shared');
const checkin = defectsOf('webcheckin');
const flights = defectsOf('flight-alerts');

/** What a read shows of an enterprise without records, and of a flight without legs. */
const nothing = (pathname: string): unknown =>
  pathname.includes('flight-alerts')
    ? []
    : { success: true, data: [], pagination: { page: 0, limit: 1, total: 0, totalPages: 0 } };

/** A guard that does not know this spelling of a path, before a router that does. */
const openAt = (id: string, breaks: string, isOther: (pathname: string) => boolean): Defect =>
  shared.sometimes(id, breaks, 'SHR-AUT-001 SHR-AUT-002', {
    front: (request, answer) => {
      const { pathname } = new URL(request.url);
      return isOther(pathname) ? Promise.resolve(Response.json(nothing(pathname))) : answer();
    },
  });

/** A list that is read from an object with numbers as names. */
const numbered =
  (list: string) =>
  (found: Found): Part | null => {
    const value = found.body[list];
    return isPart(value) && '0' in value ? { ...found.body, [list]: Object.values(value) } : null;
  };

const fidOf = ({ body: { callbackData } }: Found) => (isPart(callbackData) ? callbackData.fid : undefined);
const withoutCode = (code: unknown) => (code === 'NA' || code === 'NO' ? null : code);

function withoutCodes(passenger: Part): Part {
  const { passport } = passenger;
  return {
    ...passenger,
    nationality: withoutCode(passenger.nationality),
    ...(isPart(passport) && { passport: { ...passport, nationality: withoutCode(passport.nationality) } }),
  };
}

const gateOf = ({ departure }: Part) => (isPart(departure) ? String(departure.gate).toLowerCase() : '');

function isCaseOnly({ departure, ...others }: Part, before: Part): boolean {
  if (!isPart(departure) || Object.keys(others).length > 0 || Object.keys(departure).join() !== 'gate')
    return false;
  return gateOf({ departure }) === gateOf(before);
}

/** Mistakes that public bug reports tell of. */
export const publicReportDefects: readonly Defect[] = [
  openAt('key-unneeded-behind-slash', 'A path that ends with a slash needs no key.', (path) =>
    path.endsWith('/'),
  ),
  openAt('key-unneeded-behind-slashes', 'A path with two slashes needs no key.', (path) =>
    path.includes('//'),
  ),
  openAt('key-unneeded-in-capitals', 'A path in capital letters needs no key.', (path) =>
    path.includes('EXTPARTNER'),
  ),
  shared.sometimes(
    'key-unneeded-of-itself',
    'A request that is said to come from the machine itself needs no key.',
    'SHR-AUT-001 also SHR-AUT-002',
    {
      front: (request, answer) =>
        request.headers.get('x-forwarded-for') === '127.0.0.1' && !request.headers.has('x-api-key')
          ? Promise.resolve(Response.json(nothing(new URL(request.url).pathname)))
          : answer(),
    },
  ),
  checkin.sometimes('name-null-missing', 'A passenger named Null has no name.', 'WCI-SUB-093', {
    front: refusing(({ body }) =>
      partsIn(body, 'passengers').some(
        ({ last_name: name }) => typeof name === 'string' && name.toLowerCase() === 'null',
      ),
    ),
  }),
  checkin.sometimes(
    'nationality-codes-lost',
    'The codes of Namibia and Norway are no nationality.',
    'WCI-RDY-007 WCI-RDY-008',
    {
      front: rewriting(({ body }) =>
        Array.isArray(body.passengers)
          ? {
              ...body,
              passengers: body.passengers.map((one: unknown) => (isPart(one) ? withoutCodes(one) : one)),
            }
          : null,
      ),
    },
  ),
  checkin.sometimes(
    'flights-numbered',
    'An object with numbers as names is a list of flights.',
    'WCI-SUB-026',
    {
      front: rewriting(numbered('flights')),
    },
  ),
  checkin.sometimes(
    'passengers-numbered',
    'An object with numbers as names is a list of passengers.',
    'WCI-SUB-029 also WCI-UPD-048',
    { front: rewriting(numbered('passengers')) },
  ),
  checkin.sometimes(
    'booking-id-with-letters',
    'Letters behind the digits of a booking_id do not matter.',
    'WCI-UPD-009 also WCI-UPD-035',
    {
      front: rewriting(({ body }) => {
        const [, digits] = /^(\d+)\D/.exec(String(body.booking_id)) ?? [];
        return digits === undefined ? null : { ...body, booking_id: digits };
      }),
    },
  ),
  checkin.sometimes(
    'file-constructor-500',
    'A file part with the name of a method is an internal error.',
    'WCI-MP-008',
    { front: breaking(({ text }) => /; name="(?:constructor|__proto__)"; filename/.test(text)) },
  ),
  checkin.sometimes(
    'item-pnr-as-number',
    'A list item gives a pnr that is a number with an exponent as this number.',
    'WCI-UPD-014',
    {
      listItem: (item) => ({
        ...item,
        pnr: /^\d+E\d+$/i.test(String(item.pnr)) ? String(Number(item.pnr)) : item.pnr,
      }),
    },
  ),
  checkin.sometimes(
    'webhook-value-dollars',
    'Dollar signs in a value are taken for references to a pattern.',
    'WCI-CB-006',
    {
      callbackHeader: ({ headerName, headerValue }) => ({ [headerName]: '-'.replace('-', headerValue) }),
    },
  ),
  flights.sometimes('fid-zero-missing', 'A fid of 0 counts as missing.', 'FLA-CBR-005', {
    front: refusing((found) => fidOf(found) === '0'),
  }),
  flights.sometimes(
    'notify-fid-dollars',
    'Dollar signs in a fid are taken for references to a pattern.',
    'FLA-CB-006',
    { echoedFid: (fid) => '-'.replace('-', fid) },
  ),
  flights.sometimes(
    'changes-case-ignored',
    'A gate that changes in letter case only is not reported.',
    'FLA-CB-001',
    { notificationsOf: (changes, before) => (isCaseOnly(changes, before) ? [] : [changes]) },
  ),
  flights.sometimes(
    'url-at-sign-refused',
    'An at sign anywhere in a callbackUrl counts as credentials.',
    'FLA-CBR-014 also FLA-SUB-005',
    {
      hostOf: (url) => (`${url.pathname}${url.search}`.includes('@') ? 'localhost' : url.hostname),
    },
  ),
  flights.sometimes(
    'lookup-leg-per-alternate',
    'A leg with several alternate routes is there once for each.',
    'FLA-GET-006 also FLA-GET-005',
    {
      lookupLegs: (legs) =>
        legs.flatMap((leg) =>
          Array.isArray(leg.alternateInfo) && leg.alternateInfo.length > 1
            ? leg.alternateInfo.map(() => leg)
            : [leg],
        ),
    },
  ),
];
