import { isObject, type Json, type JsonObject } from '../../trace/body.ts';
import { textOf, type Asked } from '../grammar/form.ts';
import { isMalformedEmail } from '../grammar/passenger.ts';
import { rowAt } from '../grammar/narrowerRows.ts';
import type { Feature } from '../grammar/readForms.ts';
import { knownAirports } from '../kit/places.ts';

/** Whether nothing is missing for check-in; null where the documents leave it open. */
export interface Readiness {
  readonly complete: boolean | null;
  /** The sentences that decide it, the widest first. */
  readonly rules: readonly string[];
  /** Whether the documents leave no other reading. */
  readonly isCertain: boolean;
  /** The sentences of everything that is missing, of which each alone would do. */
  readonly lacking?: readonly string[];
}

/** What a booking is judged by: the data that it has, and the forms in which they were sent. */
export interface Booked {
  /** Undefined where it is not known whether there is one. */
  readonly pnr: string | null | undefined;
  readonly flights: readonly JsonObject[];
  readonly passengers: readonly JsonObject[];
  readonly forms: readonly Feature[];
  /** How they were sent. */
  readonly asked: Asked;
}

const open: Readiness = { complete: null, rules: [], isCertain: false };

/** Sentences that the catalogue takes for the likelier reading only. */
const plausible: ReadonlySet<string> = new Set([
  ...['WCI-RDY-015', 'WCI-RDY-021', 'WCI-RDY-022', 'WCI-RDY-023', 'WCI-RDY-080', 'WCI-SUB-074'],
]);
const rowOf = (rule: string) => rule.split(' ', 1)[0] ?? rule;

function settled(complete: boolean, rules: readonly string[]): Readiness {
  const shoulds = rules.filter((rule) => plausible.has(rowOf(rule)));
  return shoulds.length > 0
    ? { complete, rules: shoulds, isCertain: false }
    : { complete, rules, isCertain: true };
}

/**
 * What the documents settle: one valid email, a valid pnr, and on an international journey of each passenger number, both dates, place of
 * issue and a nationality. What else may be needed is open, so that only a booking with everything is certainly complete.
 */
export function readinessOf(booked: Booked): Readiness {
  const lacks = [lackOfPnr(booked), lackOfEmail(booked), lackOfPassports(booked), lackOfForms(booked)];
  const certain = lacks.filter((lack) => lack !== null && lack !== 'open');
  const [first] = certain;
  // Of several things that are missing, each alone makes it incomplete.
  if (first !== undefined)
    return { ...settled(false, certain.length > 1 ? ['WCI-SUB-014'] : first), lacking: certain.flat() };
  return lacks.includes('open') || !isWhole(booked) ? open : settled(true, rulesOfWhole(booked));
}

/** The sentences by which something is missing; null where nothing is. */
type Lack = readonly string[] | 'open' | null;

const given = (value: unknown) => value !== undefined && value !== null && value !== '';

function lackOfPnr({ pnr }: Booked): Lack {
  if (pnr === undefined) return 'open';
  if (pnr === null) return ['WCI-RDY-014'];
  // What is invalid is not said (WCI-OPN-045), but nothing at all is.
  if (pnr === '') return ['WCI-RDY-020'];
  return /^[A-Z0-9]{6}$/.test(pnr) ? null : 'open';
}

/** What every mail server delivers. */
const plainEmail = /^[a-z0-9]+([.+_'-][a-z0-9]+)*@([a-z0-9]+(-[a-z0-9]+)*\.)+[a-z]{2,}$/i;
const noEmail = (email: unknown) => !given(email) || isMalformedEmail(email);

function lackOfEmail({ passengers, asked }: Booked): Lack {
  const emails = passengers.map(({ email }) => email as unknown);
  if (emails.some((email) => typeof email === 'string' && plainEmail.test(email))) return null;
  if (emails.every((email) => email === undefined || email === null)) return ['WCI-RDY-010'];
  const shapes = emails.filter(given).map((email) => textOf(email).replace(/[^@]+/g, 'x'));
  return emails.every(noEmail)
    ? [...new Set(shapes.map((shape) => `WCI-RDY-011 ${shape}${wayOf(asked)}`))]
    : 'open';
}

/** How data came, where another way may be looked at less closely. */
function wayOf({ operation, carrier }: Asked): string {
  return `${operation === 'wci.update' ? ' in an update' : ''}${carrier === 'multipart' ? ' in parts' : ''}`;
}

const countryOf = new Map(knownAirports.map(({ code, country }) => [code, country]));

/** Whether a journey ends in another country than it begins in; null where airports are unknown, or where it comes back. */
export function isInternational(flights: readonly JsonObject[]): boolean | null {
  const countries = flights.flatMap(({ origin, destination }) => [origin, destination].map(countryAt));
  if (countries.includes(undefined)) return null;
  if (countries.every((one) => one === countries[0])) return false;
  return countries[0] === countries.at(-1) ? null : true;
}

/** Whether each leg crosses a border, and the last one comes back to the country of the first, at another airport. */
function isThereAndBack(flights: readonly JsonObject[]): boolean {
  const ends = flights.map(({ origin, destination }) => [countryAt(origin), countryAt(destination)] as const);
  const isAbroad = ends.every(([from, to]) => from !== undefined && to !== undefined && from !== to);
  const isBack = ends[0]?.[0] === ends.at(-1)?.[1];
  return isAbroad && isBack && flights[0]?.origin !== flights.at(-1)?.destination;
}

function countryAt(code: Json | undefined): string | undefined {
  return typeof code === 'string' ? countryOf.get(code) : undefined;
}

function lackOfPassports({ flights, passengers, asked }: Booked): Lack {
  const lacks = passengers.map(lackOfPassport);
  const some = lacks.filter((lack) => lack !== null && lack !== 'open');
  const [first] = some;
  if (first === undefined) return lacks.includes('open') ? 'open' : null;
  const isAbroad = isInternational(flights);
  if (lacks.includes('open')) return 'open';
  if (isAbroad === false) return null;
  if (isAbroad === null) return isThereAndBack(flights) ? ['WCI-RDY-080'] : 'open';
  const rules = new Set(some.flat()).size > first.length ? ['WCI-SUB-014'] : first;
  const ofLegs = isInternational(flights.slice(-1)) === false ? [`${first[0] ?? ''} by an earlier leg`] : [];
  if (!lacks.includes(null)) return [...rules, ...ofLegs];
  const where = lacks.at(-1) === null ? 'before another' : 'behind another';
  const like = namesIn(passengers).size < passengers.length ? ' of the same name' : '';
  // What is left out of an update may be kept from before, which is another rule.
  const isNull = passengers.every(({ passport }) => passport !== undefined);
  const special = isNull ? [`WCI-RDY-009 ${where}${like}${wayOf(asked)}`] : [];
  return [...rules, ...ofLegs, 'WCI-RDY-009', ...special];
}

function namesIn(passengers: readonly JsonObject[]): ReadonlySet<string> {
  return new Set(passengers.map((one) => `${textOf(one.first_name)} ${textOf(one.last_name)}`));
}

const metadata = [
  ['number', 'WCI-RDY-002'],
  ['date_of_issue', 'WCI-RDY-003'],
  ['expiry_date', 'WCI-RDY-004'],
  ['place_of_issue', 'WCI-RDY-005'],
] as const;

function lackOfPassport({ passport, nationality }: JsonObject): Lack {
  if (!isObject(passport)) return ['WCI-RDY-001'];
  const lacking = metadata.filter(([name]) => passport[name] === undefined || passport[name] === null);
  const [first, ...more] = lacking;
  if (first) return [...copies(passport), more.length > 0 ? 'WCI-SUB-014' : first[1]];
  if (metadata.some(([name]) => !given(passport[name]))) return 'open';
  if (given(passport.nationality) || given(nationality)) return null;
  return passport.nationality === '' || nationality === '' ? 'open' : ['WCI-RDY-006'];
}

/** Neither a scan nor an address stands in for what a passport lacks. */
function copies({ file_field: scan, document_url: url }: JsonObject): readonly string[] {
  return [...(given(scan) ? ['WCI-MP-011'] : []), ...(given(url) ? ['WCI-RDY-016'] : [])];
}

/** Values that supply nothing: refused or counted as missing, by the catalogue's preference. */
function lackOfForms({ forms, flights, asked }: Booked): Lack {
  const lacking = forms.filter(({ kind }) => kind === 'lacking');
  // Passports are needed on some journeys only.
  const certain = lacking.filter(({ at }) => !at.includes('.passport') || isInternational(flights) === true);
  const [first, ...more] = certain;
  if (first) return more.some(({ rule }) => rule !== first.rule) ? ['WCI-SUB-014'] : rulesOf(first, asked);
  // A malformed email is counted with the others, where it is not refused.
  const isOpen = forms.some(({ kind, name }) => kind === 'open' && name !== 'email-malformed-in-update');
  return lacking.length > 0 || isOpen ? 'open' : null;
}

/** The sentence of what is lacking, and the narrower ones where it stands. */
export function rulesOf({ rule, at }: Pick<Feature, 'rule' | 'at'>, asked: Asked): readonly string[] {
  if (rule === null) return [];
  const ofLater = /passengers\[[1-9]/.test(at) && asked.operation === 'wci.subscribe' ? ['WCI-SUB-039'] : [];
  const way = wayOf(asked);
  return [...new Set([rule, ...ofLater, rowAt(rule, at, asked), ...(way === '' ? [] : [rule + way])])];
}

const expected = {
  country_code: /^\+?\d{1,4}$/,
  phone: /^\+?\d[\d ()-]{3,}$/,
  date_of_birth: /^\d{4}-\d\d-\d\d$/,
  country_of_residence: /^[A-Z]{2}$/,
} as const;
const documents = { issuing_country: /^[A-Z]{2}$/, expiry_date: /^\d{4}-\d\d-\d\d$/, document_number: /./ };

/** Whether nothing is left out, and nothing is so unusual, that a reading of readiness may miss it. */
function isWhole({ passengers, flights }: Booked): boolean {
  const day = textOf(flights.at(-1)?.departure_datetime).trim().slice(0, 10);
  return passengers.every(
    (one) => fits(one, expected) && isCurrent(one.passport, day) && hasWholeDocuments(one),
  );
}

function fits(object: JsonObject, forms: Readonly<Record<string, RegExp>>): boolean {
  return Object.entries(forms).every(([name, form]) => form.test(textOf(object[name])));
}

/** That papers have to be valid for a time after the journey is one reading. */
function isCurrent(passport: Json | undefined, day: string): boolean {
  if (!isObject(passport)) return true;
  const [issued, expires] = [textOf(passport.date_of_issue), textOf(passport.expiry_date)];
  const nextYear = `${Number(day.slice(0, 4)) + 1}${day.slice(4)}`;
  return issued < day && expires > nextYear;
}

function hasWholeDocuments({ documents: sent }: JsonObject): boolean {
  return !Array.isArray(sent) || (sent as readonly JsonObject[]).every((one) => fits(one, documents));
}

/** The sentences by which nothing is missing, the widest first. */
function rulesOfWhole({ flights, passengers }: Booked): readonly string[] {
  const emails = passengers.map(({ email }) => email);
  const isAbroad = isInternational(flights) === true;
  const isBare = !isAbroad && passengers.some((one) => lackOfPassport(one) !== null);
  const nationalities = isAbroad ? passengers.flatMap(nationalityRules) : [];
  const applying = [
    ['WCI-RDY-012', emails.some((email) => !given(email))],
    ['WCI-RDY-013', emails.some((email) => given(email) && noEmail(email))],
    ['WCI-RDY-015', isBare],
    ['WCI-RDY-023', emails.some((email) => given(email) && !noEmail(email) && !ordinary.test(textOf(email)))],
  ] as const;
  return ['WCI-SUB-005', ...nationalities, ...applying.flatMap(([rule, applies]) => (applies ? [rule] : []))];
}

const countries = new Set(countryOf.values());

/** A nationality that serves for another one; a code may be taken for something else. */
function nationalityRules({ nationality, passport }: JsonObject): readonly string[] {
  const other = isObject(passport) ? passport.nationality : null;
  if (given(nationality) === given(other)) return [];
  const [rule, code] = given(nationality)
    ? (['WCI-RDY-007', nationality] as const)
    : (['WCI-RDY-008', other] as const);
  return countries.has(textOf(code)) ? [rule, `${rule} ${textOf(code)}`] : [rule];
}

const ordinary = /^[a-z]+(\.[a-z]+)*@[a-z]+\.[a-z]{3}$/;
