import { framingDefects } from './framings.ts';
import { isPart } from './part.ts';
import type { Policy } from '../policy.ts';
import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('webcheckin');

const listNames = ['flights', 'passengers'];

/** The value of a part that is read from another text than was sent. */
const reading =
  (change: (text: string) => string): Policy['partValue'] =>
  ({ text }, json) =>
    json ? (JSON.parse(change(text)) as unknown) : change(text);

/** Mistakes in reading the parts of a multipart body, or a JSON body as if it were one. */
export const checkinPartDefects: readonly Defect[] = [
  sometimes(
    'part-json-only',
    'JSON parts are read only with content type application/json.',
    'WCI-MP-002 also WCI-MP-001 WCI-MP-012',
    {
      partValue: ({ text, mediaType }, json) =>
        json && mediaType !== 'text/plain' ? (JSON.parse(text) as unknown) : text,
    },
  ),
  sometimes(
    'part-callback-ignored',
    'The part callbackData is not read.',
    'WCI-MP-003 also WCI-CB-001 WCI-MP-004',
    {
      partValue: ({ name, text }, json) =>
        name === 'callbackData' ? null : json ? (JSON.parse(text) as unknown) : text,
    },
  ),
  sometimes(
    'part-callback-broken',
    'A part callbackData whose text is cut off registers no webhook, and the request is accepted.',
    'WCI-MP-004',
    {
      partValue: ({ name, text }, json) => {
        if (!json) return text;
        return name === 'callbackData' && !text.endsWith('}') ? null : (JSON.parse(text) as unknown);
      },
    },
  ),
  sometimes('part-trailing-comma', 'A part may have a comma behind its last element.', 'WCI-MP-004', {
    partValue: reading((text) => text.replace(/,\s*([}\]])/g, '$1')),
  }),
  sometimes('part-in-ascii', 'A text part is read as ASCII.', 'WCI-CB-006', {
    // As Latin-1 it would be sent on as the bytes that came, since headers are Latin-1 to Node.
    partValue: reading((text) => text.replace(/[^\0-\x7f]/g, '?')),
  }),
  sometimes('part-unescaped', 'Percent-escapes in a text part are decoded.', 'WCI-CB-004 also WCI-CB-006', {
    partValue: reading((text) => text.replace(/%[2-7][0-9A-F]/g, decodeURIComponent)),
  }),
  sometimes(
    'part-plus-as-blank',
    'A plus sign in a text part becomes a blank.',
    'WCI-CB-004 also WCI-CB-006',
    {
      partValue: reading((text) => text.replaceAll('+', ' ')),
    },
  ),
  sometimes('part-payload-ignored', 'The part payload is not read.', 'WCI-MP-013', {
    partValue: ({ name, text }, json) =>
      name === 'payload' ? null : json ? (JSON.parse(text) as unknown) : text,
  }),
  sometimes(
    'part-payload-passengers-ignored',
    'Of the part payload only the pnr is read.',
    'WCI-UPD-012 also WCI-MP-020',
    {
      partValue: ({ name, text }, json) => {
        const value: unknown = json ? JSON.parse(text) : text;
        return name === 'payload' && isPart(value) ? { ...value, passengers: undefined } : value;
      },
    },
  ),
  sometimes(
    'part-payload-passengers-lost',
    'The passengers of the part payload are accepted and not stored.',
    'WCI-MP-013',
    {
      mergePassengers: (stored, sent, { multipart, nested }) => (multipart && nested ? stored : sent),
    },
  ),
  sometimes(
    'part-payload-issue-lost',
    'Of the passengers of the part payload the place of issue of their passports is lost.',
    'WCI-MP-013',
    {
      mergePassengers: (_, sent, { multipart, nested }) =>
        multipart && nested
          ? sent.map((one) => ({
              ...one,
              passport: one.passport && { ...one.passport, place_of_issue: null },
            }))
          : sent,
    },
  ),
  sometimes('boundary-in-quotes-refused', 'A boundary in quotes is not read.', 'WCI-MP-080 also WCI-MP-081', {
    readsParts: ({ contentType }) => !contentType.includes('"'),
  }),
  ...framingDefects,
  sometimes(
    'list-text-parsed',
    'The lists of a JSON body may be JSON texts, as parts are.',
    'WCI-UPD-048 also WCI-SUB-026 WCI-SUB-029',
    {
      jsonBody: (value) =>
        isPart(value)
          ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, parsedList(name, one)]))
          : value,
    },
  ),
  sometimes('file-name-plain', 'File parts may have names of letters and digits only.', 'WCI-MP-008', {
    acceptsFile: ({ name }) => /^[A-Za-z0-9]+$/.test(name),
  }),
  sometimes('file-second-refused', 'Only one file part is accepted.', 'WCI-MP-009', {
    acceptsFile: (_file, index) => index === 0,
  }),
  always('file-refused', 'No file part is accepted.', 'WCI-MP-006 also WCI-MP-010 WCI-MP-007', {
    acceptsFile: () => false,
  }),
  sometimes('upload-file-first', 'A file before the named parts is not accepted.', 'WCI-MP-070', {
    acceptsFile: ({ after }) => after > 0,
  }),
];

function parsedList(name: string, value: unknown): unknown {
  return listNames.includes(name) && typeof value === 'string' ? (JSON.parse(value) as unknown) : value;
}
