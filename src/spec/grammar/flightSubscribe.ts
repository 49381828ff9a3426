import type { JsonValue } from '../kit/json.ts';
import { rewrite, setTo } from '../kit/mutation.ts';
import { day, departureDateForms } from './departureDate.ts';
import {
  fault,
  free,
  is,
  isList,
  like,
  missing,
  notText,
  open,
  unlike,
  type Form,
  type Member,
  type Table,
} from './form.ts';
import { flightCallbackData } from './flightCallbackData.ts';
import { flightNumberForms, flightNumberTraits, writtenNumber } from './flightNumber.ts';

/** The query of a lookup; a list stands for a parameter that is sent repeatedly. */
export const lookupTable = (now: number): Table => ({
  flightNumber: {
    shape: { texts: [writtenNumber] },
    forms: [
      ...parameter('flightNumber', 'FLA-GET-008', (valid) => [valid, 'ZZ9999']),
      ...flightNumberForms((row) => row),
    ],
    also: flightNumberTraits((row) => row),
  },
  departureDate: {
    shape: { texts: [day], format: 'date' },
    forms: [
      ...parameter('departureDate', 'FLA-GET-009', (valid) => [valid, valid]),
      ...departureDateForms(now, (row) => row),
    ],
  },
});

/** The body of a flight subscribe. */
export const flightSubscribeTable = (now: number): Table => ({
  flightNumber: {
    shape: { texts: [writtenNumber] },
    forms: [...required('flightNumber'), ...flightNumberForms((row) => numberRows[row] ?? 'FLA-SUB-018')],
    also: flightNumberTraits(() => 'FLA-SUB-017'),
  },
  departureDate: {
    shape: { texts: [day], format: 'date' },
    forms: [
      ...required('departureDate'),
      ...departureDateForms(now, (row) => dateRows[row] ?? 'FLA-SUB-019'),
    ],
  },
  departureAirportIata: airport('departureAirportIata'),
  arrivalAirportIata: airport('arrivalAirportIata'),
  callbackData: flightCallbackData,
});

/** The subscribe's row for each row of the lookup that is not about the grammar of a number or the form of a date. */
const numberRows: Readonly<Record<string, string>> = { 'FLA-GET-042': 'FLA-SUB-045' };

const dateRows: Readonly<Record<string, string>> = {
  'FLA-GET-023': 'FLA-SUB-033',
  'FLA-GET-038': 'FLA-GET-038',
  'FLA-GET-024': 'FLA-SUB-034',
  'FLA-GET-041': 'FLA-SUB-044',
};

function parameter(name: string, none: string, repeat: (valid: string) => JsonValue): readonly Form[] {
  const [absent] = missing(fault, none, name);
  return [
    ...(absent ? [absent] : []),
    fault(none, `empty-${name}`, is(''), setTo(name, '')),
    // Which of several counts is open; a should of the catalogue has it refused.
    { ...open(`repeated-${name}`, notText, rewrite(name, repeat)), rule: 'FLA-GET-010' },
  ];
}

function required(member: string): readonly Form[] {
  return [
    ...missing(fault, 'FLA-SUB-016', member),
    // A reader that turns any value into text gets the right text.
    fault(
      'FLA-SUB-016',
      `${member}-in-an-array`,
      isFilled,
      rewrite(member, (valid) => [valid]),
    ),
    fault('FLA-SUB-016', `${member}-of-other-type`, notText, setTo(member, 123, true, [], {})),
  ];
}

function isFilled(value: unknown): boolean {
  return isList(value) && value.length > 0;
}

/** Whether only ASCII letters are letters is not decided here. */
const airportCode = /^\s*[A-Za-z]{3}\s*$/;

function airport(member: string): Member {
  const wrong = (name: string, pattern: RegExp, ...made: readonly ((code: string) => string)[]) =>
    fault('FLA-SUB-020', `${member}-${name}`, unlike(pattern), rewrite(member, ...made));
  const [tooShort, tooLong] = [(code: string) => code.slice(0, 2), (code: string) => `${code}A`];
  return {
    shape: { texts: [airportCode] },
    forms: [
      ...required(member),
      wrong('empty', /\S/, () => ''),
      wrong('with-zero-character', /^[^\0]*$/, (code) => `${code.slice(0, 2)}\0`),
      wrong(
        'with-quote',
        /^[^'%]*$/,
        (code) => `${code.slice(0, 2)}'`,
        (code) => `${code.slice(0, 2)}%`,
      ),
      wrong('very-long', /^[^]{0,99}$/, (code) => code.repeat(100)),
      // Code points of any script.
      wrong('of-other-length', /^\s*\S[^]\S\s*$/u, tooShort, tooLong),
      wrong('with-digit', /^\s*\p{L}{3}\s*$/u, (code) => `${code.slice(0, 1)}1${code.slice(2)}`),
      open(`${member}-beyond-ascii`, unlike(airportCode), setTo(member, 'ÄÖÜ')),
      free(
        'FLA-SUB-021',
        `${member}-in-lines`,
        like(/[\t\n]/),
        rewrite(member, (code) => `\t${code}\n`),
      ),
      free(
        'FLA-SUB-021',
        `${member}-in-other-spelling`,
        unlike(/^[A-Z]{3}$/),
        rewrite(member, (code) => ` ${code.toLowerCase()} `),
      ),
    ],
  };
}
