import type { JsonValue } from '../kit/json.ts';
import { rewrite, setTo, type Make } from '../kit/mutation.ts';
import { unassignedAirports } from '../kit/places.ts';
import { arrivalForms, departureForms } from './clock.ts';
import { spelledClock } from './clockSpelling.ts';
import {
  doubtful,
  fault,
  free,
  is,
  like,
  missing,
  notText,
  open,
  texts,
  unfit,
  unlike,
  type Form,
  type Member,
  type Table,
} from './form.ts';

/** The lengths that the documents name, and what a code of another length has to be. */
const airlines = [/^[A-Za-z0-9]{2}$/, /^[A-Za-z0-9]{3}$/, /^[^!-/:-@[-`{-~]+$/];
const broken = (code: string) => [`${code.slice(0, -1)}!`, '!'.repeat(code.length), `*${code.slice(1)}`];
const long = (code: string) => [4, 5].map((length) => code.repeat(3).slice(0, length));

/** The table Flight (leg). */
export const flightTable: Table = {
  airline: {
    shape: { texts: airlines, point: 'WCI-OPN-001' },
    forms: [
      ...required('airline', 'boolean-airline', true),
      // One airline operates all legs, so the same fault stands in each of them.
      ...inAll(
        unfit('WCI-SUB-063', 'airline-not-alphanumeric', unlike(...airlines), variants('airline', broken)),
        free('WCI-SUB-034', 'airline-with-digit', like(/^(\d[A-Z]|[A-Z]\d)$/), setTo('airline', '6E', 'G9')),
        // Which length is enforced is open, and two and three are the only ones named.
        doubtful('WCI-SUB-073', 'airline-of-four', like(/^\s*\S[^]{2,}\S\s*$/), variants('airline', long)),
        open('airline-otherwise', unlike(/^[A-Z]{2,3}$/), setTo('airline', 'E', 'ek', ' EK')),
      ),
    ],
  },
  flight_number: {
    forms: [...required('flight_number', 'number-flight_number', 123)],
    also: [
      number('WCI-SUB-071', 'zero', /^0+$/, '0'),
      number('WCI-SUB-071', 'with-zeros', /^0+[1-9]/, '007'),
      number('WCI-SUB-071', 'with-letter', /^\d+[A-Z]$/, '12A'),
      number('WCI-SUB-071', 'of-five', /^[1-9]\d{4}$/, '12345'),
      // It may also hold its airline, and be as long as any text.
      open(
        'flight_number-unusual',
        unlike(/^\d{1,5}$|^\d{1,4}[A-Z]$/),
        setTo('flight_number', 'EK12', '12345678'),
      ),
    ],
  },
  origin: airport('origin', 'array-origin', [], 'first'),
  destination: airport('destination', 'object-destination', {}, 'last'),
  departure_datetime: {
    shape: { texts: [spelledClock] },
    forms: [
      ...missing(fault, 'WCI-SUB-030', 'departure_datetime'),
      wrongType('departure_datetime', 'epoch-departure_datetime', 1_930_000_000_000),
      ...departureForms,
    ],
  },
  arrival_datetime: {
    shape: { texts: [spelledClock] },
    forms: [
      ...missing(free, 'WCI-SUB-036', 'arrival_datetime'),
      wrongType('arrival_datetime', 'epoch-arrival_datetime', 1_930_000_000_000),
      ...arrivalForms,
    ],
  },
};

function inAll(...forms: readonly Form[]): readonly Form[] {
  return forms.map((form) => ({ ...form, only: 'every' }));
}

function number(rule: string, name: string, pattern: RegExp, sent: string): Form {
  return free(rule, `flight_number-${name}`, like(pattern), setTo('flight_number', sent));
}

function required(member: string, wrong: string, value: JsonValue): readonly Form[] {
  return [
    ...missing(fault, 'WCI-SUB-030', member),
    fault('WCI-SUB-031', `empty-${member}`, is(''), setTo(member, '')),
    wrongType(member, wrong, value),
  ];
}

function wrongType(member: string, name: string, value: JsonValue): Form {
  return fault('WCI-SUB-032', name, notText, setTo(member, value));
}

/** One of several texts made from the valid one. */
function variants(member: string, made: (valid: string) => readonly string[]): Make {
  return rewrite(member, ...made('').map((_, index) => (valid: string) => made(valid)[index] ?? ''));
}

/** Code points of any script: whether only ASCII letters are letters is not decided here. */
const threeLetters = /^\s*\p{L}{3}\s*$/u;

/** Faults stand only at the outer `end` of the trip: elsewhere the legs would no longer connect either. */
function airport(member: string, wrong: string, value: JsonValue, end: 'first' | 'last'): Member {
  const notLetters = (
    name: string,
    fits: (length: number) => boolean,
    made: (code: string) => readonly string[],
  ) =>
    unfit(
      'WCI-SUB-035',
      `${member}-${name}`,
      texts((code) => !threeLetters.test(code) && fits(Array.from(code.trim()).length)),
      variants(member, made),
    );
  // What else has no timezone is the service's to know.
  const zoneless = new RegExp(`^(${unassignedAirports.join('|')})$`);
  const forms = [
    notLetters(
      'too-short',
      (length) => length < 3,
      (code) => [code.slice(0, 1), code.slice(0, 2)],
    ),
    notLetters(
      'too-long',
      (length) => length > 3,
      (code) => [`${code}X`, `${code}${code}`],
    ),
    notLetters(
      'with-digit',
      () => true,
      (code) => [`${code.slice(0, 1)}1${code.slice(2)}`],
    ),
    ...(member === 'origin'
      ? [unfit('WCI-DT-021', 'origin-without-timezone', like(zoneless), setTo(member, ...unassignedAirports))]
      : []),
    open(
      `${member}-otherwise`,
      unlike(/^[A-Z]{3}$/),
      rewrite(member, (code) => code.toLowerCase()),
    ),
  ];
  return {
    shape: { texts: [/^[A-Za-z]{3}$/] },
    forms: [...required(member, wrong, value), ...forms.map((form): Form => ({ ...form, only: end }))],
  };
}
