import { invalid } from './refusal.ts';

export type Members = Record<string, unknown>;

export interface Leg {
  readonly airline: string;
  readonly number: string;
  readonly origin: string;
  readonly destination: string;
  /** Wall clock at the origin, as `YYYY-MM-DDTHH:mm:ss`. */
  readonly departure: string;
}

export interface Hook {
  readonly url: string;
  readonly header: string;
  readonly value: string;
}

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const clock =
  /^\s*(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::(\d\d)(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d|[+-]\d{4})?\s*$/;

function wallClock(value: unknown, path: string): string {
  const [, date, time, seconds = '00'] = typeof value === 'string' ? (clock.exec(value) ?? []) : [];
  if (date === undefined || time === undefined) throw invalid(path);
  const text = `${date}T${time}:${seconds}`;
  const instant = new Date(`${text}Z`);
  if (Number.isNaN(instant.getTime()) || !instant.toISOString().startsWith(text)) throw invalid(path);
  return text;
}

function text(holder: Members, name: string, path: string): string {
  const value = holder[name];
  if (typeof value !== 'string' || value === '') throw invalid(`${path}.${name}`);
  return value;
}

function texts(holder: Members, names: readonly string[], path: string): void {
  for (const name of names) {
    const value = holder[name];
    if (value !== undefined && value !== null && typeof value !== 'string') throw invalid(`${path}.${name}`);
  }
}

function fileField(holder: Members, path: string): void {
  if ('file_field' in holder && typeof holder.file_field !== 'string') throw invalid(`${path}.file_field`);
}

export function readLegs(value: unknown): readonly Leg[] {
  if (!Array.isArray(value) || value.length === 0) throw invalid('flights');
  return value.map((one: unknown, index) => {
    const path = `flights[${index}]`;
    if (!isMembers(one)) throw invalid(path);
    const airline = text(one, 'airline', path);
    if (!/^[a-z0-9]{2}$/i.test(airline)) throw invalid(`${path}.airline`);
    const [origin, destination] = ['origin', 'destination'].map((name) => {
      const code = text(one, name, path);
      if (!/^[a-z]{3}$/i.test(code)) throw invalid(`${path}.${name}`);
      return code.toUpperCase();
    }) as [string, string];
    const { arrival_datetime: arrival } = one;
    if (arrival !== undefined && arrival !== null) wallClock(arrival, `${path}.arrival_datetime`);
    return {
      airline: airline.toUpperCase(),
      number: text(one, 'flight_number', path),
      origin,
      destination,
      departure: wallClock(one.departure_datetime, `${path}.departure_datetime`),
    };
  });
}

const details = ['email', 'country_code', 'phone', 'date_of_birth', 'nationality', 'country_of_residence'];
const passportDetails = [
  'number',
  'date_of_issue',
  'expiry_date',
  'place_of_issue',
  'nationality',
  'document_url',
];
const kinds = ['VISA', 'IQAMA', 'PR_CARD', 'GREEN_CARD'];

export function readPassengers(value: unknown): readonly Members[] {
  if (!Array.isArray(value) || value.length === 0) throw invalid('passengers');
  return value.map((one: unknown, index) => {
    const path = `passengers[${index}]`;
    if (!isMembers(one)) throw invalid(path);
    text(one, 'first_name', path);
    text(one, 'last_name', path);
    texts(one, details, path);
    readPassport(one.passport, `${path}.passport`);
    readDocuments(one.documents, `${path}.documents`);
    readSeat(one.seat_preference, `${path}.seat_preference`);
    return one;
  });
}

function readPassport(passport: unknown, path: string): void {
  if (passport === undefined || passport === null) return;
  if (!isMembers(passport)) throw invalid(path);
  texts(passport, passportDetails, path);
  fileField(passport, path);
}

function readDocuments(documents: unknown, path: string): void {
  if (documents === undefined || documents === null) return;
  if (!Array.isArray(documents)) throw invalid(path);
  for (const document of documents as unknown[]) {
    if (!isMembers(document) || !kinds.includes(document.type as string)) throw invalid(`${path}.type`);
    texts(document, ['document_number', 'issuing_country', 'expiry_date', 'document_url'], path);
    fileField(document, path);
  }
}

function readSeat(seat: unknown, path: string): void {
  if (seat === undefined || seat === null) return;
  if (!isMembers(seat)) throw invalid(path);
  const allowed: Members = {
    row_preference: ['front', 'middle', 'rear'],
    column_preference: ['window', 'middle', 'aisle'],
  };
  for (const [name, values] of Object.entries(allowed)) {
    const value = seat[name];
    if (value !== undefined && value !== null && !(values as unknown[]).includes(value)) throw invalid(path);
  }
}

export function readHook(value: unknown): Hook | null {
  if (value === undefined || value === null) return null;
  if (!isMembers(value)) throw invalid('callbackData');
  const url = text(value, 'callbackUrl', 'callbackData');
  if (!/^https?:\/\/[^\s/?#]+[^\s]*$/i.test(url) || !URL.canParse(url)) throw invalid('callbackUrl');
  const line = text(value, 'auth_header', 'callbackData');
  const [header = '', content = '', ...more] = line.split(':');
  const isNamed = /^(x-api-key|authorization)$/i.test(header.trim());
  if (/[\r\n]/.test(line) || more.length > 0 || !isNamed || content.trim() === '')
    throw invalid('auth_header');
  for (const name of ['clientId', 'clientName'])
    if (name in value && typeof value[name] !== 'string') throw invalid(name);
  return { url, header: header.trim(), value: content.trim() };
}
