import { legChange } from '../../generate/flightAlerts/legChange.ts';
import {
  alternateRoutes,
  knownBoardingStatuses,
  knownStatuses,
  unfamiliarStatuses,
} from '../../generate/flightAlerts/snapshotValues.ts';
import { legMembers } from '../../spec/grammar/legSnapshot.ts';
import type { JsonObject, JsonValue } from '../../spec/kit/json.ts';
import { routeOf } from '../../spec/world/legs.ts';
import type { Subscribed } from './exploredFlights.ts';
import type { FlightLegOf, FlightStage } from './flightStage.ts';
import type { Fla } from './lookups.ts';

/** What the handler does costs no request, but time. */
export const stepPrice = 0.3;

/** Values of a member: new ones, ones that are missing, ones that a reader may take for something else. */
type Values = readonly JsonValue[];

const none: Values = [null, ''];

/** The values that a member may have, by its path; `day` is the date of the flight. */
function valuesOf(path: string, stage: FlightStage, day: string): Values {
  const token = stage.bench.identities.token().slice(-4);
  const name = path.slice(path.lastIndexOf('.') + 1);
  const time = (text: string) => `${day} ${text}`;
  if (name.endsWith('Time'))
    return [
      time(`13:${10 + stage.roll(50)}:${10 + stage.roll(50)}`),
      ...none,
      '0000-00-00 00:00:00',
      time('23:59:59'),
    ];
  if (name === 'utcOffsetSeconds') return [7200, '7200', 0, '0', -12_600, 20_700, '-34200', null];
  if (name === 'status') return [...knownStatuses, ...unfamiliarStatuses, null, ''];
  if (name === 'boardingStatus')
    return [...knownBoardingStatuses, ...none, 'Boarding', 'final call ', '7', 'remote  stand'];
  if (name === 'isCodeshare') return [0, 1, null];
  return [`N${token}`, ...none, '0', ' ', `Ñ-${token}`, '007', `A ${token}`, ` ${token} `];
}

const groupOf = (value: JsonValue): string => {
  if (value === null) return 'null';
  if (typeof value === 'string' && value.trim() !== '' && value !== value.trim()) return 'padded';
  if (typeof value === 'string' && unfamiliarStatuses.includes(value)) return 'unfamiliar';
  if (value === '' || value === ' ') return 'blank';
  return value === 0 || value === '0' || value === '0000-00-00 00:00:00' ? 'zero' : 'a value';
};
const groups = ['a value', 'null', 'blank', 'zero', 'padded', 'unfamiliar'] as const;

/** A change of one member, alone. */
export function nested(path: string, value: JsonValue): JsonObject {
  const [holder = '', name] = path.split('.');
  return name === undefined ? { [holder]: value } : { [holder]: { [name]: value } };
}

const paths = legMembers
  .map(({ path }) => path)
  .filter((path) => !/^(departure|arrival)\.airportIata$|^flightNumber$|^airline\.code$/.test(path));

const airports: Values = ['KWI', 'BAH', null];

/** Values of whole objects and lists. */
const wholes: Readonly<Record<string, (day: string) => JsonObject>> = {
  'a stopover': () => ({ stopover: { airportIata: 'KWI', city: 'Kuwait City' } }),
  'another stopover': () => ({ stopover: { airportIata: 'BAH', city: 'Manama' } }),
  'a stopover without airport': () => ({ stopover: { airportIata: null, city: 'Manama' } }),
  'no stopover': () => ({ stopover: { airportIata: null, city: null } }),
  'one alternate': (day) => ({ alternateInfo: alternateRoutes(day).slice(0, 1) }),
  'two alternates': (day) => ({ alternateInfo: alternateRoutes(day).slice(0, 2) }),
  'other alternates': (day) => ({ alternateInfo: alternateRoutes(day).slice(1) }),
  'three alternates': (day) => ({ alternateInfo: alternateRoutes(day) }),
  'no alternates': () => ({ alternateInfo: null }),
  'an empty list of alternates': () => ({ alternateInfo: [] }),
  'times of both ends': (day) => ({
    departure: { estimatedTime: `${day} 10:40:30`, actualTime: `${day} 10:52:10` },
    arrival: { estimatedTime: `${day} 14:10:20` },
  }),
  'nothing of the departure': () => ({
    departure: { gate: null, terminal: null, boardingStatus: null, estimatedTime: null },
  }),
  'a value and nothing': () => ({ departure: { gate: null, terminal: '3' }, arrival: { baggageBelt: null } }),
  'a delay': (day) => ({ status: 'delay', departure: { estimatedTime: `${day} 11:05:00` } }),
  'a cancellation': () => ({ status: 'cancel', departure: { gate: null, boardingStatus: null } }),
  'a diversion': (day) => ({ status: 'diversion', alternateInfo: alternateRoutes(day).slice(0, 1) }),
  'an arrival': (day) => ({
    status: 'arrival',
    arrival: { actualTime: `${day} 12:31:00`, baggageBelt: '9' },
  }),
  nothing: () => ({}),
};

export function changes(): readonly Fla[] {
  return [
    ...paths.flatMap((path) =>
      groups.filter((group) => canBe(path, group)).map((group) => ofMember(path, group)),
    ),
    ...['status', 'departure.boardingStatus'].map((path) => ofMember(path, 'a value', ' again')),
    ...Object.entries(wholes).map(([name, of]) => ofWhole(name, of)),
    ...[1, 2, 3, 4].map(several),
    sameAgain,
    ...turns(),
    ...atOnce,
  ];
}

function canBe(path: string, group: string): boolean {
  if (group === 'unfamiliar') return path === 'status';
  if (path === 'isCodeshare' || path.endsWith('Seconds')) return group !== 'blank' && group !== 'padded';
  return group !== 'padded' || !path.endsWith('Time');
}

/** Whose leg changes. */
const whose: Readonly<Record<string, (stage: FlightStage) => FlightLegOf | null>> = {
  hooked: (stage) => legOf(stage, ({ isHooked }) => isHooked),
  touched: (stage) => legOf(stage, ({ isHooked, untold }) => isHooked && untold.size > 0),
  polled: (stage) => legOf(stage, ({ callback }) => callback === null),
  shared: (stage) =>
    legOf(stage, (one) => one.isHooked && stage.flights.subscriptions.some((other) => isBeside(one, other))),
  'not subscribed': (stage) => {
    const flight = stage.oneOf(stage.known.filter((one) => one.isPut && isFollowed(stage, one)));
    const legs = flight?.legs.filter(
      (leg) => isOnly(flight.legs, leg) && stage.flights.of(flight, leg).length === 0,
    );
    const leg = stage.oneOf(legs ?? []);
    return flight && leg ? { flight, leg } : null;
  },
};

function isBeside(one: Subscribed, other: Subscribed): boolean {
  return one !== other && one.flight === other.flight && one.from === other.from && one.to === other.to;
}

function isFollowed(stage: FlightStage, flight: FlightLegOf['flight']): boolean {
  return stage.flights.subscriptions.some((one) => one.flight === flight && one.isHooked);
}

function isOnly(legs: readonly JsonObject[], leg: JsonObject): boolean {
  return legs.filter((one) => routeOf(one) === routeOf(leg)).length === 1;
}

/** A leg with such a subscription; those of which most is untold come first. */
export function legOf(stage: FlightStage, is: (one: Subscribed) => boolean): FlightLegOf | null {
  const fit = stage.flights.subscriptions.filter(
    (one) => one.flight.isPut && stage.isAhead(one.flight) && is(one) && legIn(one) !== null,
  );
  const untold = fit.filter(({ untold: left }) => left.size > 0);
  const one = stage.oneOf(untold.length > 0 ? untold : fit);
  const leg = one && legIn(one);
  return one && leg ? { flight: one.flight, leg } : null;
}

function legIn({ flight, from, to }: Subscribed): JsonObject | null {
  const [leg = null, ...others] = flight.legs.filter((one) => routeOf(one) === `${from}-${to}`);
  return others.length === 0 ? leg : null;
}

const canTell = (stage: FlightStage) => stage.canChange && legOf(stage, ({ isHooked }) => isHooked) !== null;

/** Changes a leg that somebody follows, and waits for what is told of it. */
async function tell(stage: FlightStage, what: string, of: (where: FlightLegOf) => JsonObject): Promise<void> {
  const drawn = stage.oneOf(['hooked', 'hooked', 'touched', 'touched', 'polled', 'shared', 'not subscribed']);
  const where = whose[drawn ?? 'hooked']?.(stage) ?? legOf(stage, ({ isHooked }) => isHooked);
  if (!where) return;
  await stage.change(where, of(where), what);
  await stage.settle();
}

function change(
  name: string,
  cells: readonly string[],
  of: (stage: FlightStage, where: FlightLegOf) => JsonObject,
): Fla {
  return {
    name: `change of ${name}`,
    family: 'changes',
    cells: ['change', ...cells],
    price: stepPrice,
    worth: 1,
    isPossible: canTell,
    bring: (stage) => tell(stage, `change ${name}`, (where) => of(stage, where)),
  };
}

function ofMember(path: string, group: (typeof groups)[number], more = ''): Fla {
  const [holder = ''] = path.split('.');
  const cells = [`change ${group}`, `change ${holder}`, `change ${path}`, `change ${holder} ${group}`];
  return change(
    `${path} to ${group}${more}`,
    [...cells, `change ${path} ${group}${more}`],
    (stage, { flight }) => {
      const all = path.includes('stopover.airportIata')
        ? airports
        : valuesOf(path, stage, flight.departureDate);
      const fit = all.filter((value) => groupOf(value) === group);
      return nested(path, stage.oneOf(fit) ?? null);
    },
  );
}

function ofWhole(name: string, of: (day: string) => JsonObject): Fla {
  return change(name, [`change whole`, `change whole ${name}`], (_stage, { flight }) =>
    of(flight.departureDate),
  );
}

/** Several members together, as upstream may report them. */
function several(turn: number): Fla {
  return change(
    `several members (${turn})`,
    ['change several', `change several ${turn}`],
    (stage, { flight }) => stage.sample(legChange(flight.departureDate)) as JsonObject,
  );
}

/** What upstream reports again has not changed. */
const sameAgain = change(
  'nothing: the gate again',
  ['change nothing', 'change gate again'],
  (_stage, { leg }) => ({
    departure: { gate: (leg.departure as JsonObject).gate ?? null },
  }),
);

const gate = (stage: FlightStage): JsonObject => ({
  departure: { gate: `G${stage.bench.identities.token().slice(-4)}` },
});

/** One change after the other: what came is gone again, or comes back. */
const inTurn: Readonly<Record<string, (day: string) => readonly JsonObject[]>> = {
  'alternates, then none': (day) => [
    { alternateInfo: alternateRoutes(day).slice(0, 2) },
    { alternateInfo: null },
  ],
  'alternates, then an empty list': (day) => [
    { alternateInfo: alternateRoutes(day).slice(0, 1) },
    { alternateInfo: [] },
  ],
  'alternates, then others': (day) => [
    { alternateInfo: alternateRoutes(day).slice(0, 1) },
    { alternateInfo: alternateRoutes(day).slice(1) },
  ],
  'a stopover, then none': () => [
    { stopover: { airportIata: 'KWI', city: 'Kuwait City' } },
    { stopover: { airportIata: null, city: null } },
  ],
  'a stopover, then half of it': () => [
    { stopover: { airportIata: 'KWI', city: 'Kuwait City' } },
    { stopover: { airportIata: null } },
  ],
  'values, then none': () => [
    { departure: { gate: 'V1', terminal: 'V2' }, arrival: { baggageBelt: 'V3' } },
    { departure: { gate: null }, arrival: { baggageBelt: null, terminal: 'V4' } },
  ],
  'a gate, another one, and the first again': () =>
    ['W1', 'W2', 'W1'].map((gate) => ({ departure: { gate } })),
  'an arrival, then its belt': (day) => [
    { status: 'arrival', arrival: { actualTime: `${day} 12:31:00` } },
    { arrival: { baggageBelt: '12' } },
  ],
};

function turns(): readonly Fla[] {
  return Object.entries(inTurn).map(([name, of]) => ({
    name: `changes in turn: ${name}`,
    family: 'changes',
    cells: ['change', 'changes in turn', `changes in turn ${name}`],
    price: stepPrice,
    worth: 1.5,
    isPossible: canTell,
    bring: async (stage) => {
      const where = legOf(stage, ({ isHooked }) => isHooked);
      for (const members of where ? of(where.flight.departureDate) : []) {
        if (where) await stage.change(where, members, `change in turn ${name}`);
        await stage.settle();
      }
    },
  }));
}

/** Changes that meet each other. */
const atOnce: readonly Fla[] = [
  {
    name: 'two changes, one right after the other',
    family: 'changes',
    cells: ['change overlap', 'change overlap one leg'],
    price: stepPrice,
    worth: 1.5,
    isPossible: canTell,
    bring: async (stage) => {
      const where = legOf(stage, ({ isHooked }) => isHooked);
      if (!where) return;
      await stage.change(where, gate(stage), 'change overlap');
      await stage.change(where, { ...gate(stage), status: 'delay' }, 'change overlap');
      await stage.settle();
    },
  },
  {
    name: 'changes of all legs',
    family: 'changes',
    cells: ['change overlap', 'change overlap all legs'],
    price: stepPrice,
    worth: 1.5,
    isPossible: canTell,
    bring: async (stage) => {
      const where = legOf(stage, ({ isHooked }) => isHooked);
      for (const leg of where?.flight.legs ?? [])
        if (where && isOnly(where.flight.legs, leg))
          await stage.change({ ...where, leg }, gate(stage), 'change all legs');
      await stage.settle();
    },
  },
];
