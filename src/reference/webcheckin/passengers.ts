import type { RequestBody } from '../shared/body.ts';
import { isDate } from '../shared/localTime.ts';
import { breakOn } from './breakOn.ts';
import { isMissing, isObject, type Inspection } from './inspection.ts';
import type { Passenger } from './records.ts';
import { Section, type Filed } from './section.ts';

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
  const list = new Section(inspection, 'passengers');
  if (!list.require(!isMissing(value), 'passengers.required', 'is required.')) return [];
  if (!list.require(Array.isArray(value), 'passengers.array', 'must be an array.')) return [];
  const passengers = value as readonly unknown[];
  list.require(passengers.length > 0, 'passengers.least', 'must not be empty.');
  list.require(passengers.length <= 9, 'passengers.most', 'must be nine at most.');
  const names = new Set(
    passengers.filter(isObject).map(({ first_name, last_name }) => JSON.stringify([first_name, last_name])),
  );
  list.require(names.size === passengers.length, 'passengers.distinct', 'must have names of their own.');
  passengers.forEach((passenger, index) => {
    const section = list.at(`[${index}]`, { index });
    breakOn('passengers[]', passenger, list.inspection.policy);
    if (!section.require(isObject(passenger), 'passengers.items', 'must be an object.')) return;
    inspectPassenger(passenger as Passenger, section.at('', { passenger: index }), body);
  });
  return passengers.filter(isObject);
}

function inspectPassenger(passenger: Passenger, section: Section, body: RequestBody): void {
  for (const field of ['first_name', 'last_name'] as const)
    inspectName(passenger[field], section.at(`.${field}`, { field }));
  inspectEmail(passenger.email, section.at('.email', { value: passenger.email }));
  inspectTexts(passenger, textFields, { rule: 'passenger.text.type', section });
  inspectDates(passenger, ['date_of_birth'], section);
  for (const field of optionalFields) {
    const here = section.at(`.${field}`, { field });
    here.require(field in passenger, 'passenger.optional.present', 'is required.');
    here.require(passenger[field] !== null, 'passenger.optional.notNull', 'must not be null.');
  }
  inspectPassport(passenger.passport, { section: section.at('.passport'), body });
  inspectDocuments(passenger.documents, { section: section.at('.documents'), body });
  inspectSeat(passenger.seat_preference, section.at('.seat_preference'));
}

function inspectName(value: unknown, section: Section): void {
  const { policy } = section.inspection;
  breakOn(section.place.field ?? '', value, policy);
  const recorded = policy.missingNames === 'recorded';
  if (isMissing(value)) {
    if (!recorded) section.require(false, 'passenger.name.required', 'is required.');
    return;
  }
  if (!section.require(typeof value === 'string', 'passenger.name.type', 'must be a string.')) return;
  if (!recorded) section.require(value !== '', 'passenger.name.length', 'must not be empty.');
  const name = value as string;
  section.require(name.length !== 1, 'passenger.name.two', 'is too short.');
  section.require(/^[A-Za-z -]*$/.test(name), 'passenger.name.plain', 'must be of plain letters.');
}

function inspectEmail(value: unknown, section: Section): void {
  if (isMissing(value)) return;
  const { inspection } = section;
  if (typeof value !== 'string') {
    if (inspection.policy.lenientTypes === 'refused')
      inspection.note('structure', `${section.path} must be a string.`);
    return;
  }
  section.require(inspection.policy.isEmail(value), 'passenger.email.format', 'is malformed.');
}

interface TextRule {
  readonly rule: 'passenger.text.type' | 'passport.text.type';
  readonly section: Section;
}

function inspectTexts(
  owner: Readonly<Record<string, unknown>>,
  fields: readonly string[],
  { rule, section }: TextRule,
): void {
  if (section.inspection.policy.lenientTypes === 'stored') return;
  for (const field of fields) {
    const value = owner[field];
    const holds = isMissing(value) || typeof value === 'string';
    section.at(`.${field}`, { field }).require(holds, rule, 'must be a string or null.');
  }
}

function inspectDates(
  owner: Readonly<Record<string, unknown>>,
  fields: readonly string[],
  section: Section,
): void {
  const { lenientTypes } = section.inspection.policy;
  if (lenientTypes === 'stored' || lenientTypes === 'missing') return;
  for (const field of fields) {
    const value = owner[field];
    const place = { field: section.place.field ?? field, value };
    const at = section.at(`.${field}`, place);
    at.require(typeof value !== 'string' || isDate(value), 'passenger.date', 'is no date.');
    const isLeapDay = typeof value === 'string' && value.endsWith('-02-29');
    at.require(!isLeapDay, 'passenger.leapDay', 'is a leap day.');
  }
}

function inspectPassport(value: unknown, { section, body }: Filed): void {
  if (isMissing(value)) return;
  if (!section.require(isObject(value), 'passport.object', 'must be an object or null.')) return;
  const passport = value as Readonly<Record<string, unknown>>;
  inspectTexts(passport, passportFields, { rule: 'passport.text.type', section });
  inspectDates(passport, ['date_of_issue', 'expiry_date'], section);
  for (const field of passportFields)
    section
      .at(`.${field}`, { field })
      .require(!isMissing(passport[field]), 'passport.optional.notNull', 'must not be null.');
  inspectFileField(passport.file_field, { section, body });
}

function inspectDocuments(value: unknown, { section, body }: Filed): void {
  if (isMissing(value)) return;
  const list = new Section(section.inspection, section.path, { passenger: section.place.passenger ?? 0 });
  if (!list.require(Array.isArray(value), 'documents.array', 'must be an array or null.')) return;
  const documents = value as readonly unknown[];
  list.require(documents.length > 0, 'documents.least', 'must not be empty.');
  documents.forEach((document, index) =>
    inspectDocument(document, { section: list.at(`[${index}]`, { index }), body }),
  );
}

function inspectDocument(value: unknown, { section, body }: Filed): void {
  if (!section.require(isObject(value), 'documents.items', 'must be an object.')) return;
  const document = value as Readonly<Record<string, unknown>>;
  inspectTexts(document, documentFields, { rule: 'passport.text.type', section });
  inspectDates(document, ['expiry_date'], section.at('', { field: 'document' }));
  for (const field of documentFields)
    section
      .at(`.${field}`, { field })
      .require(!isMissing(document[field]), 'document.optional.notNull', 'must not be null.');
  const { type } = document;
  const named = section.at('.type');
  if (named.require(!isMissing(type), 'document.type.required', 'is required.')) {
    const { matchesOneOf, documentTypes } = section.inspection.policy;
    named.require(matchesOneOf(type, documentTypes), 'document.type.values', 'is not a known document type.');
  }
  inspectFileField(document.file_field, { section, body });
}

function inspectSeat(value: unknown, section: Section): void {
  if (isMissing(value)) return;
  if (!section.require(isObject(value), 'seat.object', 'must be an object or null.')) return;
  const { row_preference: row, column_preference: column } = value as Readonly<Record<string, unknown>>;
  const { rowPreferences, columnPreferences, matchesOneOf } = section.inspection.policy;
  const fits = (choice: unknown, allowed: readonly string[]) =>
    isMissing(choice) || matchesOneOf(choice, allowed);
  section.require(row !== undefined && column !== undefined, 'seat.members.present', 'is incomplete.');
  section.at('.row_preference').require(fits(row, rowPreferences), 'seat.row.values', 'is not allowed.');
  section
    .at('.column_preference')
    .require(fits(column, columnPreferences), 'seat.column.values', 'is not allowed.');
}

function inspectFileField(value: unknown, { section, body }: Filed): void {
  if (value === undefined) return;
  const named = section.at('.file_field', { field: 'file_field' });
  const bound = body.files.some((file) => file.name === value);
  named.require(bound, 'file.bound', 'names no file part.');
  if (bound || section.inspection.policy.unboundFiles === 'ignored') return;
  section.inspection.note('structure', `${named.path} names no file part.`);
}
