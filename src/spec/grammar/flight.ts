import { unassignedAirports } from '../kit/places.ts';
import { type Make, rewrite, setTo } from '../kit/mutation.ts';
import type { JsonValue } from '../kit/json.ts';
import { arrivalForms, departureForms } from './clock.ts';
import {
  doubtful,
  fault,
  free,
  isText,
  like,
  missing,
  open,
  texts,
  unfit,
  type Form,
  type Member,
  type Table,
} from './form.ts';

/** The table Flight (leg). */
export const flightTable: Table = {
  airline: {
    forms: [
      ...required('airline', 'boolean-airline', true),
      {
        // One airline operates all legs, so the same fault stands in each of them.
        ...unfit(
          'WCI-SUB-063',
          'airline-not-alphanumeric',
          like(/[!-/:-@[-`{-~]/),
          rewrite(
            'airline',
            (code) => `${code.slice(0, -1)}!`,
            (code) => '!'.repeat(code.length),
            (code) => `*${code.slice(1)}`,
          ),
        ),
        only: 'every',
      },
      {
        ...free(
          'WCI-SUB-034',
          'airline-with-digit',
          like(/^(\d[A-Z]|[A-Z]\d)$/),
          setTo('airline', '6E', 'G9'),
        ),
        only: 'every',
      },
      // Which length is enforced is open (WCI-OPN-001), and two and three are the only ones named.
      {
        ...doubtful(
          'WCI-SUB-073',
          'airline-of-four',
          texts((code) => code.trim().length > 3),
          rewrite(
            'airline',
            (code) => code.repeat(3).slice(0, 4),
            (code) => code.repeat(3).slice(0, 5),
          ),
        ),
        only: 'every',
      },
      {
        ...open(
          'airline-otherwise',
          texts((code) => !/^[A-Z]{2,3}$/.test(code)),
          setTo('airline', 'E', 'ek', ' EK'),
        ),
        only: 'every',
      },
    ],
  },
  flight_number: {
    forms: [...required('flight_number', 'number-flight_number', 123)],
    also: [
      free('WCI-SUB-071', 'flight_number-zero', like(/^0+$/), setTo('flight_number', '0')),
      free('WCI-SUB-071', 'flight_number-with-zeros', like(/^0+[1-9]/), setTo('flight_number', '007')),
      free('WCI-SUB-071', 'flight_number-with-letter', like(/^\d+[A-Z]$/), setTo('flight_number', '12A')),
      // It may also hold its airline, and be as long as any text.
      open(
        'flight_number-unusual',
        texts((text) => !/^\d{1,4}[A-Z]?$/.test(text)),
        setTo('flight_number', 'EK12', '12345678'),
      ),
    ],
  },
  origin: airport('origin', 'array-origin', [], 'first'),
  destination: airport('destination', 'object-destination', {}, 'last'),
  departure_datetime: {
    forms: [
      ...missing(fault, 'WCI-SUB-030', 'departure_datetime'),
      wrongType('departure_datetime', 'epoch-departure_datetime', 1_930_000_000_000),
      ...departureForms,
    ],
  },
  arrival_datetime: {
    forms: [
      ...missing(free, 'WCI-SUB-036', 'arrival_datetime'),
      wrongType('arrival_datetime', 'epoch-arrival_datetime', 1_930_000_000_000),
      ...arrivalForms,
    ],
  },
};

function required(member: string, wrong: string, value: JsonValue): readonly Form[] {
  return [
    ...missing(fault, 'WCI-SUB-030', member),
    fault('WCI-SUB-031', `empty-${member}`, (text) => text === '', setTo(member, '')),
    wrongType(member, wrong, value),
  ];
}

function wrongType(member: string, name: string, value: JsonValue): Form {
  return fault('WCI-SUB-032', name, (sent) => !isText(sent), setTo(member, value));
}

/** Code points of any script: whether only ASCII letters are letters is not decided here. */
const isThreeLetters = (code: string) => /^\p{L}{3}$/u.test(code.trim());

/** Faults stand only at the outer `end` of the trip: elsewhere the legs would no longer connect either. */
function airport(member: string, wrong: string, value: JsonValue, end: 'first' | 'last'): Member {
  const notLetters = (name: string, fits: (code: string) => boolean, make: Make): Form => ({
    ...unfit(
      'WCI-SUB-035',
      `${member}-${name}`,
      texts((code) => !isThreeLetters(code) && fits(code)),
      make,
    ),
    only: end,
  });
  const lengthOf = (code: string) => Array.from(code.trim()).length;
  return {
    forms: [
      ...required(member, wrong, value),
      notLetters(
        'too-short',
        (code) => lengthOf(code) < 3,
        rewrite(
          member,
          (code) => code.slice(0, 1),
          (code) => code.slice(0, 2),
        ),
      ),
      notLetters(
        'too-long',
        (code) => lengthOf(code) > 3,
        rewrite(
          member,
          (code) => `${code}X`,
          (code) => `${code}${code}`,
        ),
      ),
      notLetters(
        'with-digit',
        () => true,
        rewrite(member, (code) => `${code.slice(0, 1)}1${code.slice(2)}`),
      ),
      ...(member === 'origin' ? [withoutZone(member)] : []),
      {
        ...open(
          `${member}-otherwise`,
          texts((code) => !/^[A-Z]{3}$/.test(code)),
          rewrite(member, (code) => code.toLowerCase()),
        ),
        only: end,
      },
    ],
  };
}

/** Codes that no list of airports has; what else has no timezone is the service's to know. */
function withoutZone(member: string): Form {
  const codes: readonly string[] = unassignedAirports;
  return {
    ...unfit(
      'WCI-DT-021',
      `${member}-without-timezone`,
      texts((code) => codes.includes(code)),
      setTo(member, ...codes),
    ),
    only: 'first',
  };
}
