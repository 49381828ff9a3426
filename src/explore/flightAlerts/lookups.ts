import * as fc from 'fast-check';
import { flightNumberSpelling, validFlightNumber } from '../../generate/flightAlerts/flightNumbers.ts';
import { lookup, type Query } from '../../send/request.ts';
import { lookupTable } from '../../spec/grammar/flightSubscribe.ts';
import { textOf, type Form } from '../../spec/grammar/form.ts';
import { readForms } from '../../spec/grammar/readForms.ts';
import { utcDate } from '../../spec/kit/localTime.ts';
import type { JsonObject } from '../../spec/kit/json.ts';
import { cleanFlightNumber } from '../../spec/world/legs.ts';
import type { Situation } from '../situation.ts';
import { spellingsOf, type Spelling } from '../spellings.ts';
import type { OwnFlight } from './exploredFlights.ts';
import { journeys, laterMs, type FlightStage } from './flightStage.ts';

export type Fla = Situation<FlightStage>;

export const hasFlights = (stage: FlightStage) => stage.known.length > 0;
const hasPut = (stage: FlightStage) => stage.canPut;

/** A flight that upstream knows; a new one now and then. */
export async function someFlight(stage: FlightStage): Promise<OwnFlight | null> {
  const known = stage.oneOf(stage.known);
  return known && stage.random() < 0.8
    ? known
    : ((stage.canPut ? await stage.putPlain() : null) ?? known ?? null);
}

/** The lookups that the grammar can write. */
export function lookups(now: number): readonly Fla[] {
  const table = lookupTable(now);
  return [
    ...spellingsOf(table)
      .filter(({ form }) => !traits(table).includes(form))
      .flatMap((one) => (['a flight', 'no flight'] as const).map((of) => written(one, of))),
    ...traits(table).flatMap((form) => [spelled(form), put(form)]),
    ...dates,
    ...numbers,
    ...known,
  ];
}

const traits = (table: ReturnType<typeof lookupTable>): readonly Form[] => table.flightNumber?.also ?? [];

/** A form of a parameter, alone; what a lenient reader takes it for is a flight or is none. */
function written({ form, member, within }: Spelling, of: 'a flight' | 'no flight'): Fla {
  const rule = form.rule ?? 'open';
  return {
    name: `lookup of ${of} with ${form.name}`,
    family: form.kind === 'fault' ? 'faults of queries' : 'forms of queries',
    cells: [
      `lookup ${form.kind} ${rule}`,
      `lookup ${form.kind} ${member}`,
      `lookup ${form.name}`,
      `lookup ${form.name} of ${of}`,
    ],
    price: 1,
    worth: { fault: 1, lacking: 1, free: 1, open: 0.5 }[form.kind] * (of === 'a flight' ? 1 : 0.6),
    isPossible: () => true,
    bring: async (stage) => {
      const flight = of === 'a flight' ? await someFlight(stage) : null;
      const plain = { ...(flight ? queryOf(flight) : unknown(stage)) };
      for (let tries = 0; tries < 4; tries += 1) {
        const query = stage.sample(within)(plain);
        const asked = { operation: 'fla.lookup', carrier: 'query', now: stage.bench.now() } as const;
        const features = readForms(query, asked);
        const faults = features.filter(({ kind }) => kind === 'fault').length;
        if (!features.some(({ name }) => name === form.name) || faults > (form.kind === 'fault' ? 1 : 0))
          continue;
        await stage.send(lookup(pairsOf(query)));
        return;
      }
    },
  };
}

export function queryOf({ flightNumber, departureDate }: OwnFlight): Readonly<Record<string, string>> {
  return { flightNumber, departureDate };
}

/** No airline has ZZ. */
export function unknown(stage: FlightStage): Readonly<Record<string, string>> {
  return { flightNumber: `ZZ${1000 + stage.roll(9000)}`, departureDate: stage.date() };
}

/** A list stands for a parameter that is sent repeatedly. */
function pairsOf(query: JsonObject): Query {
  return Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => [name, textOf(one)] as const),
  );
}

/** A number that is written otherwise names the same flight. */
function spelled(form: Form): Fla {
  return {
    name: `lookup of a known flight, ${form.name}`,
    family: 'spellings',
    cells: [`spelled ${form.rule}`, `spelled ${form.name}`],
    price: 1,
    worth: 1,
    isPossible: (stage) => stage.known.some(({ looks }) => looks > 0),
    bring: async (stage) => {
      const flights = stage.known.filter(({ looks }) => looks > 0);
      const chosen = stage.oneOf(flights);
      if (!chosen) return;
      const text = stage.sample(spellingWith(form, chosen.flightNumber));
      stage.looked(chosen, await stage.send(lookup({ ...queryOf(chosen), flightNumber: text })));
    },
  };
}

/** A spelling of a number with this trait; any other one where it has none. */
export function spellingWith(form: Form, flightNumber: string): fc.Arbitrary<string> {
  const asked = { operation: 'fla.lookup', carrier: 'query' } as const;
  return fc
    .array(flightNumberSpelling(flightNumber), { minLength: 40, maxLength: 40, size: 'max' })
    .map((all) => all.find((text) => form.fits(text, asked)) ?? all[0] ?? flightNumber);
}

/** A flight whose number is of this kind, looked up as it is and as it is written. */
function put(form: Form): Fla {
  return {
    name: `lookup of a new flight, ${form.name}`,
    family: 'spellings',
    cells: [`new ${form.name}`, `spelled ${form.name}`, `spelled ${form.rule}`],
    price: 2,
    worth: 1.5,
    isPossible: hasPut,
    bring: async (stage) => {
      const text = textOf(stage.sample(form.make(fc))({}).flightNumber);
      const drawn = text.replace(/[A-Za-z](?!$)/g, (letter) => drawnLike(stage, letter));
      const last = String(1 + stage.roll(9)) + (drawn.includes('0000') ? '' : String(stage.roll(1000)));
      const number = drawn.replace(/7/, last);
      const flight = await stage.put([{ route: ['DOH', 'SIN'] }], {
        flightNumber: cleanFlightNumber(number),
      });
      if (!flight) return;
      await stage.look(flight);
      if (number !== flight.flightNumber)
        await stage.send(lookup({ ...queryOf(flight), flightNumber: number }));
    },
  };
}

function drawnLike(stage: FlightStage, letter: string): string {
  const drawn = String.fromCharCode(65 + stage.roll(25));
  return letter === letter.toUpperCase() ? drawn : drawn.toLowerCase();
}

type DateOf = (stage: FlightStage) => string;
const days =
  (count: number): DateOf =>
  (stage) =>
    utcDate(stage.bench.now(), count);
const yearOf = (stage: FlightStage) => new Date(stage.bench.now()).getUTCFullYear();

/** Dates at which a calendar can go wrong. */
export const dateKinds: Readonly<Record<string, DateOf>> = {
  yesterday: days(-1),
  today: days(0),
  tomorrow: days(1),
  'next week': days(7),
  'far ahead': days(350),
  'years ahead': days(3 * 365),
  'new year': (stage) => `${yearOf(stage) + 1}-01-01`,
  'last day of a year': (stage) => `${yearOf(stage)}-12-31`,
  'end of a month': (stage) =>
    utcDate(Date.UTC(yearOf(stage), new Date(stage.bench.now()).getUTCMonth() + 2, 0)),
  'leap day': (stage) => `${yearOf(stage) + 4 - (yearOf(stage) % 4)}-02-29`,
};

const dates: readonly Fla[] = Object.entries(dateKinds).flatMap(([name, dateOf]) => [
  {
    name: `lookup of a flight ${name}`,
    family: 'dates',
    cells: ['date', `date ${name}`, `date ${name} of a flight`],
    price: 1,
    worth: 1.2,
    isPossible: hasPut,
    bring: async (stage) => {
      const flight = await stage.put([{ route: ['DOH', 'SIN'], hour: 20 }], { departureDate: dateOf(stage) });
      if (flight) await stage.look(flight);
    },
  },
  {
    name: `lookup of no flight ${name}`,
    family: 'dates',
    cells: ['date', `date ${name}`, `date ${name} of none`],
    price: 1,
    worth: 0.6,
    isPossible: () => true,
    bring: async (stage) => {
      await stage.send(lookup({ ...unknown(stage), departureDate: dateOf(stage) }));
    },
  },
]);

const numbers: readonly Fla[] = [
  {
    name: 'lookup of a new flight of any number',
    family: 'spellings',
    cells: ['any number', 'number'],
    price: 2,
    worth: 1.5,
    isPossible: hasPut,
    bring: async (stage) => {
      const flightNumber = stage.sample(validFlightNumber);
      const flight = await stage.put([{ route: ['DOH', 'SIN'] }], { flightNumber });
      if (!flight) return;
      await stage.look(flight);
      const text = stage.sample(flightNumberSpelling(flightNumber));
      await stage.send(lookup({ ...queryOf(flight), flightNumber: text }));
    },
  },
];

type Bring = Fla['bring'];

const knownFlights: Readonly<
  Record<string, readonly [price: number, bring: Bring, needs: Fla['isPossible']]>
> = {
  plain: [1, async (stage) => lookAt(stage), hasFlights],
  twice: [
    2,
    async (stage) => {
      const flight = stage.oneOf(stage.known);
      if (!flight) return;
      await stage.look(flight);
      await stage.look(flight);
    },
    hasFlights,
  ],
  'by another enterprise': [
    1,
    async (stage) => lookAt(stage, 'other'),
    (stage) => hasFlights(stage) && stage.bench.keys.other.length > 0,
  ],
  'on another day': [
    1,
    async (stage) => {
      const flight = stage.oneOf(stage.known);
      if (!flight) return;
      const departureDate = utcDate(Date.parse(flight.departureDate), 1 + stage.roll(3));
      await stage.send(lookup({ ...queryOf(flight), departureDate }));
    },
    hasFlights,
  ],
  'of a number that goes on': [
    1,
    async (stage) => {
      const flight = stage.oneOf(stage.known.filter(({ flightNumber }) => /\d\d$/.test(flightNumber)));
      if (flight)
        await stage.send(lookup({ ...queryOf(flight), flightNumber: flight.flightNumber.slice(0, -1) }));
    },
    hasFlights,
  ],
  'of another airline': [
    1,
    async (stage) => {
      const flight = stage.oneOf(stage.known);
      if (!flight) return;
      const flightNumber = `ZZ${flight.flightNumber.replace(/^.*?(\d+)$/, '$1')}`;
      await stage.send(lookup({ ...queryOf(flight), flightNumber }));
    },
    hasFlights,
  ],
  'of one that is put afterwards': [
    2,
    async (stage) => {
      const given = { flightNumber: stage.bench.identities.flightNumber(), departureDate: stage.date() };
      await stage.send(lookup(given));
      await stage.wait(laterMs);
      const flight = await stage.put(
        (journeys.star ?? []).map((route) => ({ route })),
        given,
      );
      if (flight) await stage.look(flight);
    },
    (stage) => stage.canPut && stage.mayWait(laterMs),
  ],
  'twice at once': [
    2,
    async (stage) => {
      const flight = stage.oneOf(stage.known);
      if (flight) await Promise.all([stage.look(flight), stage.look(flight)]);
    },
    hasFlights,
  ],
};

async function lookAt(stage: FlightStage, home: 'primary' | 'other' = 'primary'): Promise<void> {
  const flight = stage.oneOf(stage.known);
  if (flight) await stage.look(flight, { key: stage.keyOf(home) });
}

const known: readonly Fla[] = Object.entries(knownFlights).map(([name, [price, bring, isPossible]]) => ({
  name: `lookup ${name}`,
  family: 'lookups',
  cells: ['lookup', `lookup ${name}`],
  ...{ price, worth: 1, isPossible, bring },
}));
