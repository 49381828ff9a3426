import { drop, setTo } from '../kit/mutation.ts';
import {
  fault,
  free,
  is,
  isEmpty,
  isList,
  isMissing,
  isObject,
  isText,
  lacking,
  like,
  listWith,
  missing,
  not,
  notText,
  open,
  texts,
  unlike,
  type Asked,
  type Form,
  type Member,
  type Shape,
  type Table,
} from './form.ts';
import { dates, early, late, notDay, oddAge, soon } from './personDates.ts';

export const documentTypes = ['VISA', 'IQAMA', 'PR_CARD', 'GREEN_CARD'] as const;
export const rowPreferences = ['front', 'middle', 'rear'] as const;
export const columnPreferences = ['window', 'middle', 'aisle'] as const;
/** Addresses that no reading takes for valid: no at sign, two of them, or nothing on one side. */
export const malformedEmails = [
  'not-an-email',
  'gatecheck.example.com',
  'gatecheck@',
  '@example.com',
  'gatecheck@@example.com',
] as const;

// Two at signs may stand in quotes, comments and lists of addresses.
const badEmail = /^[^@]*$|^@|@$|^[^@"<>(),;]+@[^@"<>(),;]*@[^@"<>(),;]+$/;
const sendsEmail = setTo('email', ...malformedEmails, '');
/** The table Passport. */
export const passportTable: Table = {
  number: ofPassport(
    'number',
    lacking('WCI-RDY-022', 'passport-number-blank', like(/^\s*$/), setTo('number', '', ' ')),
    unusual('number', /^[A-Z0-9]{5,20}$/i),
  ),
  date_of_issue: ofPassport('date_of_issue', ...dates('date_of_issue', 'WCI-RDY-021', '2024-02-29')),
  expiry_date: ofPassport('expiry_date', ...dates('expiry_date', 'WCI-RDY-021', '2032-02-29'), late, soon),
  place_of_issue: ofPassport('place_of_issue', unusual('place_of_issue', /^[\p{L} .-]{2,40}$/u)),
  nationality: ofPassport('nationality', country('nationality')),
  document_url: ofPassport('document_url', ...address()),
  file_field: file(),
};

/** The table Supporting document. Another letter case of a known type is no fault (WCI-OPN-032). */
export const documentTable: Table = {
  type: {
    shape: { words: documentTypes },
    forms: [
      // A type of null is none.
      fault('WCI-SUB-047', 'document-without-type', isMissing, drop('type')),
      fault(
        'WCI-SUB-048',
        'document-type-unknown',
        not(isKnownType),
        setTo('type', 'PASSPORT', 'WORK_PERMIT', 'X'),
      ),
      open(
        'document-type-otherwise',
        texts((type) => !(documentTypes as readonly string[]).includes(type)),
        setTo('type', 'visa', 'Iqama', ' VISA'),
      ),
      ...documentTypes.map((type) => free('WCI-SUB-049', `document-${type}`, is(type), setTo('type', type))),
    ],
  },
  document_number: ofDocument('document_number', unusual('document_number', /^[\w-]{2,20}$/)),
  issuing_country: ofDocument('issuing_country', country('issuing_country')),
  expiry_date: ofDocument(
    'expiry_date',
    open('document-expiry_date-otherwise', notDay, setTo('expiry_date', 'soon')),
    soon,
  ),
  document_url: ofDocument('document_url', ...address()),
  file_field: file(),
};

/** The table Seat preference. */
export const seatTable: Table = {
  row_preference: seat('row', 'WCI-SUB-053', 'WCI-SUB-055', rowPreferences, ['wing', 'exit', 'window'], {
    words: ['back'],
    point: 'WCI-OPN-002',
  }),
  column_preference: seat('column', 'WCI-SUB-054', 'WCI-SUB-056', columnPreferences, ['left', 'front', '12']),
};

/** The table Passenger. */
export const passengerTable: Table = {
  first_name: name('first_name', 'WCI-SUB-037', 'Testa'),
  last_name: name('last_name', 'WCI-SUB-038', 'Gatecheck'),
  // A malformed email rejects no subscribe; whether it rejects an update is not said.
  email: optional(
    'email',
    [
      free('WCI-SUB-042', 'email-malformed', isBadInSubscribe, sendsEmail),
      open('email-malformed-in-update', like(badEmail), sendsEmail),
      open('email-unusual', unlike(/^[\w.+'-]{1,40}@[\w.-]{3,40}$/), setTo('email', 'a@b')),
    ],
    'WCI-SUB-043',
    'WCI-SUB-041',
  ),
  country_code: optional('country_code', [unusual('country_code', /^\+\d{1,3}$/)]),
  phone: optional('phone', [unusual('phone', /^\d{5,12}$/)]),
  date_of_birth: optional('date_of_birth', [
    ...dates('date_of_birth', 'WCI-SUB-074', '2000-02-29'),
    early,
    oddAge,
  ]),
  nationality: optional('nationality', [country('nationality')]),
  country_of_residence: optional('country_of_residence', [country('country_of_residence')]),
  passport: {
    inside: passportTable,
    plain: {},
    forms: [
      ...leftOutOrNull('passport'),
      // Some languages have one type for empty lists and empty objects.
      fault('WCI-SUB-058', 'passport-empty-list', isEmpty, setTo('passport', [])),
      fault('WCI-SUB-058', 'passport-not-object', not(isObject), setTo('passport', 'GC1234567', 7, true)),
    ],
  },
  documents: {
    each: documentTable,
    plain: [{ type: 'VISA' }],
    forms: [
      ...leftOutOrNull('documents'),
      fault('WCI-SUB-052', 'documents-not-array', not(isList), setTo('documents', {}, 'VISA', 7, true)),
      fault('WCI-SUB-047', 'documents-of-empty-lists', listWith(isEmpty), setTo('documents', [[]])),
      fault('WCI-SUB-047', 'documents-of-lists', listWith(isList), setTo('documents', [[{ type: 'VISA' }]])),
      fault('WCI-SUB-047', 'document-not-object', listWith(not(isObject)), setTo('documents', ['VISA'], [7])),
      free('WCI-SUB-051', 'documents-empty', isEmpty, setTo('documents', [])),
    ],
  },
  seat_preference: {
    inside: seatTable,
    plain: {},
    forms: [
      ...leftOutOrNull('seat_preference'),
      fault('WCI-SUB-068', 'seat-empty-list', isEmpty, setTo('seat_preference', [])),
      fault('WCI-SUB-068', 'seat-not-object', not(isObject), setTo('seat_preference', 'x', 7, true)),
    ],
    also: [halfSeat('row_preference', 'front'), halfSeat('column_preference', 'aisle')],
  },
};

/** A missing name is refused by one reading, counted as missing information by the other. */
function name(member: string, rule: string, valid: string): Member {
  return {
    shape: { point: 'WCI-OPN-042' },
    forms: [
      ...missing(lacking, rule, member),
      lacking(rule, `empty-${member}`, is(''), setTo(member, '')),
      // Some readers take a list of one text for the text.
      fault('WCI-SUB-069', `${member}-as-list`, isList, setTo(member, [valid])),
      fault('WCI-SUB-069', `${member}-not-text`, notText, setTo(member, 5, true, {})),
      free('WCI-SUB-076', `${member}-of-one-letter`, like(/^[^]$/u), setTo(member, valid.charAt(0))),
      // No alphabet and no greatest length are stated; a server may have its own, and half a character is no text.
      open(
        `${member}-unusual`,
        like(/[^]{61}/, /[\u{10000}-\u{10ffff}]/u, /[^\p{L}\p{M}'\u2019. -]/u),
        setTo(member, valid.repeat(30), `${valid} \u{20bb7}`, `${valid}\ud83d`),
      ),
      // Surnames that some programs take for no value.
      free(
        'WCI-SUB-093',
        `${member}-of-a-word`,
        like(/^(null|none|nil|undefined|nan)$/i),
        setTo(member, 'Null'),
      ),
      free(
        'WCI-SUB-077',
        `${member}-of-any-letters`,
        unlike(/^[A-Za-z]+( [A-Za-z]+)*$/),
        setTo(member, `Zoë-Anaïs O'${valid} Jr.`),
      ),
    ],
  };
}

function leftOutOrNull(member: string, ifAbsent = 'WCI-SUB-040', ifNull = 'WCI-SUB-041'): readonly Form[] {
  return [
    free(ifAbsent, `absent-${member}`, is(undefined), drop(member)),
    free(ifNull, `null-${member}`, is(null), setTo(member, null)),
  ];
}

/** A field that may be absent, null or a text; what another type means is not said. */
function optional(
  member: string,
  forms: readonly Form[],
  ...rules: readonly [ifAbsent: string, ifNull: string] | readonly []
): Member {
  return {
    shape: { point: 'WCI-OPN-031' },
    forms: [
      ...leftOutOrNull(member, ...rules),
      open(`${member}-of-other-type`, notText, setTo(member, 7, true, [])),
      ...forms,
    ],
  };
}

function ofPassport(member: string, ...forms: readonly Form[]): Member {
  return optional(member, forms, 'WCI-SUB-046', 'WCI-SUB-046');
}

function ofDocument(member: string, ...forms: readonly Form[]): Member {
  return optional(member, forms, 'WCI-SUB-050', 'WCI-SUB-050');
}

/** What a text of this member is that is not plain: the documents do not say what it means. */
function unusual(member: string, plain: RegExp): Form {
  return open(`${member}-unusual`, unlike(plain), setTo(member, '?'));
}

function country(member: string): Form {
  return unusual(member, /^[A-Z]{2}$/);
}

/** An address that names an existing file. */
function address(): readonly Form[] {
  return [
    unusual('document_url', /^https:\/\/[a-z0-9.-]+\/[\w./-]+$/),
    free('WCI-SUB-066', 'document_url-given', isText, setTo('document_url', 'https://example.com/scan.png')),
  ];
}

/** It names a part of a multipart body; anywhere else it is open. */
function file(): Member {
  const isOpen: Form['fits'] = (value, { carrier }) =>
    value !== undefined && (!isText(value) || carrier !== 'multipart');
  return {
    shape: { point: 'WCI-OPN-033' },
    forms: [open('file_field-otherwise', isOpen, setTo('file_field', 'scan'))],
  };
}

/** Another letter case, an empty text and another type are no certain fault. */
function seat(
  which: 'row' | 'column',
  rule: string,
  unknown: string,
  words: readonly string[],
  wrong: readonly string[],
  perhaps?: NonNullable<Shape['perhaps']>,
): Member {
  const member = `${which}_preference`;
  const others = perhaps?.words ?? [];
  const known = new Set([...words, ...others, '']);
  const isOpen = (value: unknown) => !isText(value) || known.has(value.trim().toLowerCase());
  const spelled = [...others, words[0]?.toUpperCase() ?? '', ''];
  return {
    shape: { words, ...(perhaps && { perhaps }) },
    forms: [
      free('WCI-SUB-057', `absent-${member}`, is(undefined), drop(member)),
      ...[...words, null].map((one) => free(rule, `${member}-${one}`, is(one), setTo(member, one))),
      open(`${member}-otherwise`, isOpen, setTo(member, ...spelled)),
      fault(unknown, `${which}-preference-unknown`, isText, setTo(member, ...wrong)),
    ],
  };
}

function halfSeat(member: string, word: string): Form {
  const isHalf = (seat: unknown) => isObject(seat) && Object.keys(seat).join() === member;
  return free('WCI-SUB-057', `only-${member}`, isHalf, setTo('seat_preference', { [member]: word }));
}

function isKnownType(type: unknown): boolean {
  return isText(type) && (documentTypes as readonly string[]).includes(type.trim().toUpperCase());
}

/** Whether every reading takes it for no address. */
export const isMalformedEmail = (email: unknown): boolean => isText(email) && badEmail.test(email);

function isBadInSubscribe(email: unknown, { operation }: Asked): boolean {
  return isMalformedEmail(email) && operation === 'wci.subscribe';
}
