import type { RequestBody } from '../shared/body.ts';
import { isDate } from '../shared/localTime.ts';
import { isMissing, isObject, type Inspection } from './inspection.ts';
import type { Place } from './policy.ts';
import type { Passenger } from './records.ts';

const textFields = ['country_code', 'phone', 'date_of_birth', 'nationality', 'country_of_residence'] as const;
const passportFields = [
  'number',
  'date_of_issue',
  'expiry_date',
  'place_of_issue',
  'nationality',
  'document_url',
] as const;
const documentFields = ['document_number', 'issuing_country', 'expiry_date', 'document_url'] as const;
const optionalFields = ['email', ...textFields, 'passport', 'documents', 'seat_preference'] as const;

/** Judges a list of passengers (Passenger, Passport, Supporting document, Seat preference). */
export function inspectPassengers(
  value: unknown,
  body: RequestBody,
  inspection: Inspection,
): readonly Passenger[] {
  if (!inspection.require(!isMissing(value), 'passengers.required', 'passengers is required.')) return [];
  if (!inspection.require(Array.isArray(value), 'passengers.array', 'passengers must be an array.'))
    return [];
  const passengers = value as readonly unknown[];
  inspection.require(passengers.length > 0, 'passengers.least', 'passengers must not be empty.');
  inspection.require(passengers.length <= 9, 'passengers.most', 'passengers must be nine at most.');
  passengers.forEach((passenger, index) => {
    if (
      inspection.require(isObject(passenger), 'passengers.items', `passengers[${index}] must be an object.`, {
        index,
      })
    )
      inspectPassenger(passenger as Passenger, index, body, inspection);
  });
  return passengers.filter(isObject);
}

function inspectPassenger(
  passenger: Passenger,
  index: number,
  body: RequestBody,
  inspection: Inspection,
): void {
  const at = `passengers[${index}]`;
  const place = { index, passenger: index };
  for (const field of ['first_name', 'last_name'] as const)
    inspectName(passenger[field], `${at}.${field}`, { ...place, field }, inspection);
  inspectEmail(passenger.email, `${at}.email`, place, inspection);
  inspectTexts(passenger, textFields, 'passenger.text.type', at, place, inspection);
  inspectDates(passenger, ['date_of_birth'], at, place, inspection);
  for (const field of optionalFields) {
    const here = { ...place, field };
    inspection.require(field in passenger, 'passenger.optional.present', `${at}.${field} is required.`, here);
    inspection.require(
      passenger[field] !== null,
      'passenger.optional.notNull',
      `${at}.${field} must not be null.`,
      here,
    );
  }
  inspectPassport(passenger.passport, at, place, body, inspection);
  inspectDocuments(passenger.documents, at, index, body, inspection);
  inspectSeat(passenger.seat_preference, at, place, inspection);
}

function inspectName(value: unknown, path: string, place: Partial<Place>, inspection: Inspection): void {
  const recorded = inspection.policy.missingNames === 'recorded';
  if (isMissing(value)) {
    if (!recorded) inspection.require(false, 'passenger.name.required', `${path} is required.`, place);
    return;
  }
  if (
    !inspection.require(typeof value === 'string', 'passenger.name.type', `${path} must be a string.`, place)
  )
    return;
  if (!recorded)
    inspection.require(value !== '', 'passenger.name.length', `${path} must not be empty.`, place);
  const name = value as string;
  inspection.require(name.length !== 1, 'passenger.name.two', `${path} is too short.`, place);
  const isPlain = /^[A-Za-z -]*$/.test(name);
  inspection.require(isPlain, 'passenger.name.plain', `${path} must be of plain letters.`, place);
}

function inspectEmail(value: unknown, path: string, place: Partial<Place>, inspection: Inspection): void {
  if (isMissing(value)) return;
  if (typeof value !== 'string') {
    if (inspection.policy.lenientTypes === 'refused')
      inspection.note('structure', `${path} must be a string.`);
    return;
  }
  inspection.require(
    inspection.policy.isEmail(value),
    'passenger.email.format',
    `${path} is malformed.`,
    place,
  );
}

function inspectTexts(
  owner: Readonly<Record<string, unknown>>,
  fields: readonly string[],
  rule: 'passenger.text.type' | 'passport.text.type',
  at: string,
  place: Partial<Place>,
  inspection: Inspection,
): void {
  if (inspection.policy.lenientTypes === 'stored') return;
  for (const field of fields) {
    const value = owner[field];
    const holds = isMissing(value) || typeof value === 'string';
    inspection.require(holds, rule, `${at}.${field} must be a string or null.`, { ...place, field });
  }
}

function inspectDates(
  owner: Readonly<Record<string, unknown>>,
  fields: readonly string[],
  at: string,
  place: Partial<Place>,
  inspection: Inspection,
): void {
  if (inspection.policy.lenientTypes === 'stored' || inspection.policy.lenientTypes === 'missing') return;
  for (const field of fields) {
    const value = owner[field];
    const holds = typeof value !== 'string' || isDate(value);
    inspection.require(holds, 'passenger.date', `${at}.${field} is no date.`, { field, ...place, value });
  }
}

function inspectPassport(
  value: unknown,
  owner: string,
  place: Partial<Place>,
  body: RequestBody,
  inspection: Inspection,
): void {
  if (isMissing(value)) return;
  const at = `${owner}.passport`;
  if (!inspection.require(isObject(value), 'passport.object', `${at} must be an object or null.`, place))
    return;
  const passport = value as Readonly<Record<string, unknown>>;
  inspectTexts(passport, passportFields, 'passport.text.type', at, place, inspection);
  inspectDates(passport, ['date_of_issue', 'expiry_date'], at, place, inspection);
  for (const field of passportFields) {
    const text = `${at}.${field} must not be null.`;
    inspection.require(!isMissing(passport[field]), 'passport.optional.notNull', text, { ...place, field });
  }
  inspectFileField(passport.file_field, at, place, body, inspection);
}

function inspectDocuments(
  value: unknown,
  owner: string,
  passenger: number,
  body: RequestBody,
  inspection: Inspection,
): void {
  if (isMissing(value)) return;
  const at = `${owner}.documents`;
  if (
    !inspection.require(Array.isArray(value), 'documents.array', `${at} must be an array or null.`, {
      passenger,
    })
  )
    return;
  const documents = value as readonly unknown[];
  inspection.require(documents.length > 0, 'documents.least', `${at} must not be empty.`, { passenger });
  documents.forEach((document, index) =>
    inspectDocument(document, `${at}[${index}]`, { passenger, index }, body, inspection),
  );
}

function inspectDocument(
  value: unknown,
  at: string,
  place: Partial<Place>,
  body: RequestBody,
  inspection: Inspection,
): void {
  if (!inspection.require(isObject(value), 'documents.items', `${at} must be an object.`, place)) return;
  const document = value as Readonly<Record<string, unknown>>;
  inspectTexts(document, documentFields, 'passport.text.type', at, place, inspection);
  inspectDates(document, ['expiry_date'], at, { ...place, field: 'document' }, inspection);
  for (const field of documentFields) {
    const text = `${at}.${field} must not be null.`;
    inspection.require(!isMissing(document[field]), 'document.optional.notNull', text, { ...place, field });
  }
  const { type } = document;
  if (inspection.require(!isMissing(type), 'document.type.required', `${at}.type is required.`, place)) {
    const known = inspection.policy.matchesOneOf(type, inspection.policy.documentTypes);
    inspection.require(known, 'document.type.values', `${at}.type is not a known document type.`, place);
  }
  inspectFileField(document.file_field, at, place, body, inspection);
}

function inspectSeat(value: unknown, owner: string, place: Partial<Place>, inspection: Inspection): void {
  if (isMissing(value)) return;
  const at = `${owner}.seat_preference`;
  if (!inspection.require(isObject(value), 'seat.object', `${at} must be an object or null.`, place)) return;
  const seat = value as Readonly<Record<string, unknown>>;
  const { rowPreferences, columnPreferences, matchesOneOf } = inspection.policy;
  const fits = (choice: unknown, allowed: readonly string[]) =>
    isMissing(choice) || matchesOneOf(choice, allowed);
  const row = seat.row_preference;
  const column = seat.column_preference;
  inspection.require(
    row !== undefined && column !== undefined,
    'seat.members.present',
    `${at} is incomplete.`,
    place,
  );
  inspection.require(
    fits(row, rowPreferences),
    'seat.row.values',
    `${at}.row_preference is not allowed.`,
    place,
  );
  inspection.require(
    fits(column, columnPreferences),
    'seat.column.values',
    `${at}.column_preference is not allowed.`,
    place,
  );
}

function inspectFileField(
  value: unknown,
  at: string,
  place: Partial<Place>,
  body: RequestBody,
  inspection: Inspection,
): void {
  if (value === undefined) return;
  const bound = body.files.some((file) => file.name === value);
  inspection.require(bound, 'file.bound', `${at}.file_field names no file part.`, {
    ...place,
    field: 'file_field',
  });
  if (bound || inspection.policy.unboundFiles === 'ignored') return;
  inspection.note('structure', `${at}.file_field names no file part.`);
}
