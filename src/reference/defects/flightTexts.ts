import type { Policy } from '../policy.ts';
import { defectsOf, type Defect } from './row.ts';

const flights = defectsOf('flight-alerts');
const checkin = defectsOf('webcheckin');

const fids = (id: string, breaks: string, echoed: (fid: string) => string): Defect =>
  flights.sometimes(`notify-fid-${id}`, breaks, 'FLA-CB-006', { echoedFid: echoed });

/** An address that is rewritten before it is called, in either API. */
const addresses = (id: string, breaks: string, called: (url: string) => string): readonly Defect[] => [
  flights.sometimes(`notify-url-${id}`, breaks, 'FLA-CB-030', {
    notifiedUrl: called,
  } satisfies Partial<Policy>),
  checkin.sometimes(`webhook-url-${id}`, breaks, 'WCI-CB-004', {
    callbackTarget: called,
  } satisfies Partial<Policy>),
];

const queryOf = (change: (query: string) => string) => (url: string) =>
  url.replace(/(?<=\?).*/, (query) => change(query));

/** Texts that are rewritten on their way to the partner. */
export const flightTextDefects: readonly Defect[] = [
  fids('as-date', 'A fid that looks like a date is formatted anew.', (fid) =>
    /^\d{4}-\d\d-\d\d$/.test(fid) ? new Date(fid).toISOString() : fid,
  ),
  fids('as-timestamp', 'A fid that looks like a timestamp is formatted anew.', (fid) =>
    /^\d{4}-\d\d-\d\dT[\d:]+Z$/.test(fid) ? new Date(fid).toISOString() : fid,
  ),
  fids('as-decimal', 'A fid that looks like a fraction loses its last zero.', (fid) =>
    /^\d+\.\d+$/.test(fid) ? String(Number(fid)) : fid,
  ),
  fids('as-exponent', 'A fid that looks like a number with an exponent is one.', (fid) =>
    /^\d+e\d+$/i.test(fid) ? String(Number(fid)) : fid,
  ),
  fids('as-double', 'A fid of many digits is rounded.', (fid) =>
    /^[1-9]\d{17,}$/.test(fid) ? BigInt(Number(fid)).toString() : fid,
  ),
  fids('uuid-lower-case', 'A fid that is a UUID is written in lower case.', (fid) =>
    /^[\dA-F]{8}(-[\dA-F]{4}){3}-[\dA-F]{12}$/.test(fid) ? fid.toLowerCase() : fid,
  ),
  fids('unescaped', 'Percent-escapes of a fid are decoded.', (fid) =>
    fid.replace(/%([0-7][\da-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
  ),
  fids('html', 'A fid is escaped as in HTML.', (fid) => fid.replaceAll('&', '&amp;').replaceAll('<', '&lt;')),
  fids('blanks-joined', 'Several blanks of a fid become one.', (fid) => fid.replace(/ {2,}/g, ' ')),
  fids('compatible', 'Letters of a fid are replaced by compatible ones.', (fid) => fid.normalize('NFKC')),
  fids('decomposed', 'A fid is normalized to decomposed characters.', (fid) => fid.normalize('NFD')),
  fids('three-bytes', 'A fid loses what takes four bytes.', (fid) =>
    fid.replace(/[\u{10000}-\u{10ffff}]/gu, '?'),
  ),
  fids('cut-after-255-bytes', 'A fid is cut after 255 bytes.', (fid) =>
    Buffer.byteLength(fid) <= 255
      ? fid
      : Buffer.from(fid)
          .subarray(0, 255)
          .toString()
          .replace(/\ufffd$/, ''),
  ),
  ...addresses(
    'query-sorted',
    'The parameters of a callbackUrl are sorted.',
    queryOf((query) => query.split('&').toSorted().join('&')),
  ),
  ...addresses(
    'query-written-anew',
    'The query of a callbackUrl is read and written again.',
    queryOf((query) => new URLSearchParams(query).toString()),
  ),
  ...addresses(
    'repeated-once',
    'Of a repeated parameter of a callbackUrl one is kept.',
    queryOf((query) =>
      [...new Map(query.split('&').map((one) => [one.split('=')[0], one])).values()].join('&'),
    ),
  ),
  ...addresses('unescaped-once', 'Escapes of a callbackUrl are decoded before it is called.', (url) => {
    try {
      return decodeURI(url);
    } catch {
      return url;
    }
  }),
  ...addresses(
    'plus-as-blank',
    'A plus sign in a callbackUrl becomes a blank.',
    queryOf((query) => query.replaceAll('+', '%20')),
  ),
  ...addresses('slashes-joined', 'Two slashes in the path of a callbackUrl become one.', (url) =>
    url.replace(/(?<=\w)\/{2,}(?=\w)/g, '/'),
  ),
  checkin.sometimes(
    'webhook-header-blanks-joined',
    'Several blanks of an auth_header become one.',
    'WCI-CB-006',
    {
      callbackHeader: ({ headerName, headerValue }) => ({ [headerName]: headerValue.replace(/ {2,}/g, ' ') }),
    },
  ),
];
