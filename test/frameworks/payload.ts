import type { Conventions } from './conventions.ts';
import { isObject } from './reading.ts';
import type { Problem } from './refusal.ts';

type Members = Record<string, unknown>;

const clockForm =
  /^\s*(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?\s*(?:Z|[+-]\d\d:?\d\d)?\s*$/;

export interface WallClock {
  /** As if the clock were UTC. */
  wall: number;
  exists: boolean;
}

const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

export function readClock(text: unknown): WallClock | undefined {
  const match = typeof text === 'string' ? clockForm.exec(text) : null;
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((each: string | undefined) => Number(each ?? 0));
  const exists =
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= daysIn(year, month) &&
    hour <= 23 &&
    minute <= 59 &&
    second <= 59;
  return {
    wall: Date.UTC(year, month - 1, day, hour, minute, second, Number((match[7] ?? '').padEnd(3, '0'))),
    exists,
  };
}

export function isDate(text: unknown): boolean {
  const match = typeof text === 'string' ? /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) : null;
  if (!match) return false;
  const [year = 0, month = 0, day = 0] = match.slice(1).map(Number);
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

/** Collects what is wrong with a payload. */
export class Checker {
  readonly problems: Problem[] = [];
  readonly using: Conventions;

  constructor(using: Conventions) {
    this.using = using;
  }

  fail(field: string, text: string): void {
    this.problems.push({ field, text: `${field} ${text}.` });
  }

  text(of: Members, name: string, at: string): string | undefined {
    const value = of[name];
    if (typeof value === 'string' && value !== '') return value;
    this.fail(`${at}${name}`, 'is required, and a text');
    return undefined;
  }

  optionalText(of: Members, names: readonly string[], at: string): void {
    for (const name of names) {
      const value = of[name];
      if (value !== undefined && value !== null && typeof value !== 'string')
        this.fail(`${at}${name}`, 'has to be a text');
    }
  }

  dates(of: Members, names: readonly string[], at: string): void {
    this.optionalText(of, names, at);
    if (this.using.badDates === 'missing') return;
    for (const name of names) {
      const value = of[name];
      if (typeof value === 'string' && value !== '' && !isDate(value))
        this.fail(`${at}${name}`, 'has to be YYYY-MM-DD');
    }
  }

  object(value: unknown, at: string, check: (members: Members) => void): void {
    if (value === undefined || value === null) return;
    if (isObject(value)) check(value);
    else this.fail(at, 'has to be an object');
  }

  list(value: unknown, at: string, check: (members: Members, at: string) => void): void {
    if (!Array.isArray(value) || value.length === 0) {
      this.fail(at, 'has to be an array with an element');
      return;
    }
    value.forEach((each: unknown, index) => {
      const place = `${at}[${index}]`;
      if (isObject(each)) check(each, `${place}.`);
      else this.fail(place, 'has to be an object');
    });
  }
}

export function checkFlight(checker: Checker, flight: Members, at: string): void {
  const { airlineLength, letterCase } = checker.using;
  const letters = letterCase === 'any' ? 'A-Za-z' : 'A-Z';
  const airline = checker.text(flight, 'airline', at);
  const sizes = airlineLength === 'two' ? '{2}' : '{2,3}';
  if (airline !== undefined && !new RegExp(`^[${letters}0-9]${sizes}$`).test(airline)) {
    checker.fail(`${at}airline`, 'has to be an IATA code');
  }
  checker.text(flight, 'flight_number', at);
  for (const name of ['origin', 'destination']) {
    const code = checker.text(flight, name, at);
    if (code !== undefined && !new RegExp(`^[${letters}]{3}$`).test(code))
      checker.fail(`${at}${name}`, 'has to be three letters');
  }
  checkClock(checker, checker.text(flight, 'departure_datetime', at), `${at}departure_datetime`);
  const arrival = flight.arrival_datetime;
  if (arrival !== undefined && arrival !== null) checkClock(checker, arrival, `${at}arrival_datetime`);
}

function checkClock(checker: Checker, text: unknown, at: string): void {
  if (text === undefined) return;
  const clock = readClock(text);
  if (!clock || (!clock.exists && checker.using.noSuchDay === 400))
    checker.fail(at, 'has to be YYYY-MM-DDTHH:mm:ss');
}

export function checkPassenger(checker: Checker, passenger: Members, at: string): void {
  checker.text(passenger, 'first_name', at);
  checker.text(passenger, 'last_name', at);
  checker.optionalText(
    passenger,
    ['email', 'country_code', 'phone', 'nationality', 'country_of_residence'],
    at,
  );
  checker.dates(passenger, ['date_of_birth'], at);
  checker.object(passenger.passport, `${at}passport`, (passport) => {
    checker.optionalText(
      passport,
      ['number', 'place_of_issue', 'nationality', 'document_url', 'file_field'],
      `${at}passport.`,
    );
    checker.dates(passport, ['date_of_issue', 'expiry_date'], `${at}passport.`);
  });
  checkDocuments(checker, passenger.documents, `${at}documents`);
  checker.object(passenger.seat_preference, `${at}seat_preference`, (seat) =>
    checkSeat(checker, seat, `${at}seat_preference.`),
  );
}

function checkDocuments(checker: Checker, documents: unknown, at: string): void {
  if (documents === undefined || documents === null || (Array.isArray(documents) && documents.length === 0))
    return;
  checker.list(documents, at, (document, place) => {
    const types: unknown[] = ['VISA', 'IQAMA', 'PR_CARD', 'GREEN_CARD'];
    if (!types.includes(document.type)) checker.fail(`${place}type`, 'is not a type of document');
    checker.optionalText(
      document,
      ['document_number', 'issuing_country', 'document_url', 'file_field'],
      place,
    );
    checker.dates(document, ['expiry_date'], place);
  });
}

function checkSeat(checker: Checker, seat: Members, at: string): void {
  const back = checker.using.seatBack === 'accept' ? ['back'] : [];
  const allowed: Record<string, unknown[]> = {
    row_preference: ['front', 'middle', 'rear', ...back, null, undefined],
    column_preference: ['window', 'middle', 'aisle', null, undefined],
  };
  for (const [name, values] of Object.entries(allowed)) {
    if (!values.includes(seat[name])) checker.fail(`${at}${name}`, 'is not a preference');
  }
}

export interface Registration {
  url: string;
  header: string;
  value: string;
}

/** The webhook of callbackData, or what is wrong with it. */
export function readRegistration(data: unknown, using: Conventions): Registration | undefined | Problem[] {
  if (data === undefined || data === null) return undefined;
  const checker = new Checker(using);
  if (!isObject(data)) return [{ field: 'callbackData', text: 'callbackData has to be an object.' }];
  const url = checker.text(data, 'callbackUrl', 'callbackData.');
  if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    checker.fail('callbackData.callbackUrl', 'has to be a URL');
  const auth = checker.text(data, 'auth_header', 'callbackData.');
  const match = /^(X-API-Key|Authorization):[ \t]*([^:\r\n]*[^:\s][^:\r\n]*)$/iu.exec(auth ?? '');
  if (auth !== undefined && !match)
    checker.fail('callbackData.auth_header', 'has to be X-API-Key or Authorization, a colon and a value');
  checker.optionalText(data, ['clientId', 'clientName'], 'callbackData.');
  if (using.clientNames === 'required')
    for (const name of ['clientId', 'clientName']) checker.text(data, name, 'callbackData.');
  if (checker.problems.length > 0 || url === undefined) return checker.problems;
  return { url, header: match?.[1] ?? '', value: (match?.[2] ?? '').trimEnd() };
}
