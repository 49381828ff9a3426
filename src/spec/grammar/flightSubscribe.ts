import { textAt, type JsonObject, type JsonValue } from '../kit/json.ts';
import { always, rewrite, setTo } from '../kit/mutation.ts';
import { departureDateForms } from './departureDate.ts';
import { fault, free, isText, missing, open, texts, type Form, type Member, type Table } from './form.ts';
import { flightCallbackData } from './flightCallbackData.ts';
import { flightNumberForms, flightNumberTraits } from './flightNumber.ts';

/** The query of a lookup; a list stands for a parameter that is sent repeatedly. */
export const lookupTable = (now: number): Table => ({
  flightNumber: {
    forms: [
      ...parameter('flightNumber', 'FLA-GET-008', (valid) => [valid, 'ZZ9999']),
      ...flightNumberForms((row) => row),
    ],
    also: flightNumberTraits((row) => row),
  },
  departureDate: {
    forms: [
      ...parameter('departureDate', 'FLA-GET-009', (valid) => [valid, valid]),
      ...departureDateForms(now, (row) => row),
    ],
  },
});

/** The body of a flight subscribe. */
export const flightSubscribeTable = (now: number): Table => ({
  flightNumber: {
    forms: [...required('flightNumber'), ...flightNumberForms((row) => numberRows[row] ?? 'FLA-SUB-018')],
    also: flightNumberTraits(() => 'FLA-SUB-017'),
  },
  departureDate: {
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
const numberRows: Readonly<Record<string, string>> = {
  'FLA-GET-042': 'FLA-SUB-045',
};

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
    fault(none, `empty-${name}`, (value) => value === '', setTo(name, '')),
    // Which of several counts is open; a should of the catalogue has it refused.
    { ...open(`repeated-${name}`, (value) => !isText(value), rewrite(name, repeat)), rule: 'FLA-GET-010' },
  ];
}

function required(member: string): readonly Form[] {
  return [
    ...missing(fault, 'FLA-SUB-016', member),
    // A reader that turns any value into text gets the right text.
    fault(
      'FLA-SUB-016',
      `${member}-in-an-array`,
      (value) => Array.isArray(value) && value.length > 0,
      always((body: JsonObject) => ({ ...body, [member]: [textAt(body, member)] })),
    ),
    fault(
      'FLA-SUB-016',
      `${member}-of-other-type`,
      (value) => !isText(value),
      setTo(member, 123, true, [], {}),
    ),
  ];
}

/** Code points of any script: whether only ASCII letters are letters is not decided here. */
const isThreeLetters = (code: string) => /^\p{L}{3}$/u.test(code.trim());
const lengthOf = (code: string) => Array.from(code.trim()).length;

function airport(member: string): Member {
  return {
    forms: [
      ...required(member),
      fault(
        'FLA-SUB-020',
        `${member}-empty`,
        texts((code) => code.trim() === ''),
        setTo(member, ''),
      ),
      fault(
        'FLA-SUB-020',
        `${member}-of-other-length`,
        texts((code) => lengthOf(code) !== 3),
        rewrite(
          member,
          (code) => code.slice(0, 2),
          (code) => `${code}A`,
        ),
      ),
      fault(
        'FLA-SUB-020',
        `${member}-with-digit`,
        texts((code) => !isThreeLetters(code)),
        rewrite(member, (code) => `${code.slice(0, 1)}1${code.slice(2)}`),
      ),
      open(
        `${member}-beyond-ascii`,
        texts((code) => !/^[A-Z]{3}$/i.test(code.trim())),
        setTo(member, 'ÄÖÜ'),
      ),
      free(
        'FLA-SUB-021',
        `${member}-in-other-spelling`,
        texts((code) => !/^[A-Z]{3}$/.test(code)),
        rewrite(member, (code) => ` ${code.toLowerCase()} `),
      ),
    ],
  };
}
