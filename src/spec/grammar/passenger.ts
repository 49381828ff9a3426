import * as fc from 'fast-check';
import { isJsonObject, type JsonObject, type JsonValue } from '../kit/json.ts';
import { setTo } from '../kit/mutation.ts';
import {
  fault,
  free,
  isMissing,
  isText,
  lacking,
  like,
  missing,
  open,
  texts,
  type Form,
  type Member,
  type Table,
} from './form.ts';

export const documentTypes = ['VISA', 'IQAMA', 'PR_CARD', 'GREEN_CARD'] as const;
// `back` is not among them: whether it is accepted is open (WCI-OPN-002).
export const rowPreferences = ['front', 'middle', 'rear'] as const;
export const columnPreferences = ['window', 'middle', 'aisle'] as const;
/** Addresses that no reading takes for valid: no at sign, or nothing on one side of it. */
export const malformedEmails = [
  'not-an-email',
  'gatecheck.example.com',
  'gatecheck@',
  '@example.com',
] as const;

const isObject = (value: unknown) => isJsonObject(value as JsonValue);
const notDay = (text: unknown) =>
  isText(text) &&
  !(/^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).getUTCDate() === Number(text.slice(8)));
const leapDay = like(/-02-29$/);

/** The table Passport. */
const passportTable: Table = {
  number: optional('number', 'WCI-SUB-046', [
    lacking('WCI-RDY-022', 'passport-number-blank', like(/^\s*$/), setTo('number', '', ' ')),
  ]),
  date_of_issue: optional('date_of_issue', 'WCI-SUB-046', dates('date_of_issue', 'WCI-RDY-021')),
  expiry_date: optional('expiry_date', 'WCI-SUB-046', dates('expiry_date', 'WCI-RDY-021')),
  place_of_issue: optional('place_of_issue', 'WCI-SUB-046'),
  nationality: optional('nationality', 'WCI-SUB-046'),
  document_url: optional('document_url', 'WCI-SUB-046'),
};

/** The table Supporting document. */
const documentTable: Table = {
  type: {
    forms: [
      // A type of null is none.
      fault(
        'WCI-SUB-047',
        'document-without-type',
        isMissing,
        fc.constant(({ type: _, ...rest }: JsonObject) => rest),
      ),
      fault(
        'WCI-SUB-048',
        'document-type-unknown',
        (type) => !isText(type) || !(documentTypes as readonly string[]).includes(type.trim().toUpperCase()),
        setTo('type', 'PASSPORT', 'WORK_PERMIT', 'X'),
      ),
      // Another letter case of a known type is no fault (WCI-OPN-032).
      open(
        'document-type-otherwise',
        texts((type) => !(documentTypes as readonly string[]).includes(type)),
        setTo('type', 'visa', 'Iqama', ' VISA'),
      ),
      ...documentTypes.map((type) =>
        free('WCI-SUB-049', `document-${type}`, (sent) => sent === type, setTo('type', type)),
      ),
    ],
  },
  document_number: optional('document_number', 'WCI-SUB-050'),
  issuing_country: optional('issuing_country', 'WCI-SUB-050'),
  expiry_date: optional('expiry_date', 'WCI-SUB-050', [
    open('document-expiry_date-otherwise', notDay, setTo('expiry_date', 'soon')),
  ]),
  document_url: optional('document_url', 'WCI-SUB-050'),
};

/** The table Seat preference. */
const seatTable: Table = {
  row_preference: seat('row', rowPreferences, 'WCI-SUB-053', 'WCI-SUB-055', ['wing', 'exit', 'window']),
  column_preference: seat('column', columnPreferences, 'WCI-SUB-054', 'WCI-SUB-056', ['left', 'front', '12']),
};

/** The table Passenger. */
export const passengerTable: Table = {
  first_name: name('first_name', 'WCI-SUB-037', 'Testa'),
  last_name: name('last_name', 'WCI-SUB-038', 'Gatecheck'),
  // A malformed email rejects no subscribe; whether it rejects an update is not said.
  email: optional('email', 'WCI-SUB-041', [
    free(
      'WCI-SUB-042',
      'email-malformed',
      (email, { operation }) => isBadEmail(email) && operation === 'wci.subscribe',
      setTo('email', ...malformedEmails, ''),
    ),
    open('email-malformed-in-update', isBadEmail, setTo('email', ...malformedEmails, '')),
  ]),
  country_code: optional('country_code', 'WCI-SUB-041'),
  phone: optional('phone', 'WCI-SUB-041'),
  date_of_birth: optional('date_of_birth', 'WCI-SUB-041', dates('date_of_birth', 'WCI-SUB-074')),
  nationality: optional('nationality', 'WCI-SUB-041'),
  country_of_residence: optional('country_of_residence', 'WCI-SUB-041'),
  passport: {
    inside: passportTable,
    plain: {},
    forms: [
      ...missing(free, 'WCI-SUB-041', 'passport'),
      fault(
        'WCI-SUB-058',
        'passport-not-object',
        (value) => !isObject(value),
        setTo('passport', 'GC1234567', [], 7, true),
      ),
    ],
  },
  documents: {
    each: documentTable,
    plain: [{ type: 'VISA' }],
    forms: [
      ...missing(free, 'WCI-SUB-041', 'documents'),
      fault(
        'WCI-SUB-052',
        'documents-not-array',
        (value) => !Array.isArray(value),
        setTo('documents', {}, 'VISA', 7, true),
      ),
      fault(
        'WCI-SUB-047',
        'document-not-object',
        (value) => (value as readonly unknown[]).some((one) => !isObject(one)),
        setTo('documents', ['VISA'], [7], [['VISA']]),
      ),
      free(
        'WCI-SUB-051',
        'documents-empty',
        (value) => (value as readonly unknown[]).length === 0,
        setTo('documents', []),
      ),
    ],
  },
  seat_preference: {
    inside: seatTable,
    plain: {},
    forms: [
      ...missing(free, 'WCI-SUB-041', 'seat_preference'),
      fault(
        'WCI-SUB-068',
        'seat-not-object',
        (value) => !isObject(value),
        setTo('seat_preference', 'x', [], 7, true),
      ),
    ],
  },
};

/** A missing name is refused by one reading, counted as missing information by the other (WCI-OPN-042). */
function name(member: string, rule: string, valid: string): Member {
  return {
    forms: [
      ...missing(lacking, rule, member),
      lacking(rule, `empty-${member}`, (value) => value === '', setTo(member, '')),
      fault(
        'WCI-SUB-069',
        `${member}-not-text`,
        (value) => !isText(value),
        setTo(member, 5, true, {}, [valid]),
      ),
      free(
        'WCI-SUB-076',
        `${member}-of-one-letter`,
        texts((text) => Array.from(text).length === 1),
        setTo(member, valid.charAt(0)),
      ),
      // No alphabet and no greatest length are stated; a server may have its own.
      open(
        `${member}-unusual`,
        texts((text) => text.length > 60 || /[\u{10000}-\u{10ffff}]/u.test(text)),
        setTo(member, valid.repeat(30), `${valid} \u{20bb7}`),
      ),
      free(
        'WCI-SUB-077',
        `${member}-of-any-letters`,
        texts((text) => !/^[A-Za-z]+( [A-Za-z]+)*$/.test(text)),
        setTo(member, `O'${valid}`, `${valid}-Łó`),
      ),
    ],
  };
}

/** A field that may be absent, null or a text; what another type means is not said. */
function optional(member: string, ifNull: string, forms: readonly Form[] = []): Member {
  const [absent, none] = missing(free, ifNull, member);
  return {
    forms: [
      ...(absent
        ? [
            {
              ...absent,
              rule: ifNull === 'WCI-SUB-041' ? (member === 'email' ? 'WCI-SUB-043' : 'WCI-SUB-040') : ifNull,
            },
          ]
        : []),
      ...(none ? [none] : []),
      open(`${member}-of-other-type`, (value) => !isText(value), setTo(member, 7, true, [])),
      ...forms,
    ],
  };
}

function dates(member: string, rule: string): readonly Form[] {
  return [
    lacking(rule, `${member}-malformed`, notDay, setTo(member, 'soon', '31/12/1999', '2001-02-30')),
    free('WCI-SUB-075', `${member}-on-a-leap-day`, leapDay, setTo(member, '2000-02-29')),
  ];
}

// Another letter case, an empty text and another type are no certain fault.
function seat(
  which: 'row' | 'column',
  known: readonly string[],
  rule: string,
  unknown: string,
  wrong: readonly string[],
): Member {
  const member = `${which}_preference`;
  const open_: readonly string[] = [...known, ...(which === 'row' ? ['back'] : []), ''];
  return {
    forms: [
      free(
        'WCI-SUB-057',
        `absent-${member}`,
        (value) => value === undefined,
        fc.constant(({ [member]: _, ...rest }: JsonObject) => rest),
      ),
      ...[...known, null].map((one) =>
        free(rule, `${member}-${one}`, (value) => value === one, setTo(member, one)),
      ),
      open(
        `${member}-otherwise`,
        (value) => !isText(value) || open_.includes(value.trim().toLowerCase()),
        setTo(member, ...(which === 'row' ? ['back'] : []), known[0]?.toUpperCase() ?? '', ''),
      ),
      fault(unknown, `${which}-preference-unknown`, isText, setTo(member, ...wrong)),
    ],
  };
}

function isBadEmail(email: unknown): boolean {
  return isText(email) && /^[^@]*$|^@|@$/.test(email);
}
