import { upstreamLeg, type LegChanges, type Route } from '../../generate/flightAlerts/upstreamLeg.ts';
import { alternateRoutes, unusualLeg } from '../../generate/flightAlerts/snapshotValues.ts';
import { lookup } from '../../send/request.ts';
import type { JsonObject } from '../../spec/kit/json.ts';
import { merged } from '../../spec/world/flights.ts';
import { stepPrice } from './changes.ts';
import { bodyOf, laterMs, type FlightStage, type LegToPut } from './flightStage.ts';
import { hasFlights, queryOf, type Fla } from './lookups.ts';
import { maySubscribe } from './subscribes.ts';

const airports = ['SIN', 'BKK', 'NRT', 'DXB', 'AMS', 'CDG', 'LHR', 'ZRH', 'HND', 'JFK', 'FRA'];

/** Flights as upstream may have them. */
export function upstream(): readonly Fla[] {
  return [...oddLegs(), ...movedFlights, ...failures()];
}

/** Legs with special members: each of a flight has others, so that one lookup shows many. */
const odd: Readonly<Record<string, (stage: FlightStage, day: string) => LegChanges>> = {
  'a stopover': () => ({ stopover: { airportIata: 'KWI', city: 'Kuwait City' } }),
  'half a stopover': (stage) => ({
    stopover: stage.oneOf([{ city: 'Manama' }, { airportIata: 'BAH', city: null }]) ?? null,
  }),
  'no stopover': () => ({ stopover: null }),
  alternates: (_stage, day) => ({ alternateInfo: alternateRoutes(day) }),
  'an empty list of alternates': () => ({ alternateInfo: [] }),
  'no codeshare': () => ({ isCodeshare: 0, codeshareFlightNumber: '' }),
  'no airline': () => ({ airline: null }),
  'an airline without name': () => ({ airline: { name: null, code: null } }),
  'no values': () => ({
    ...{ status: null, isCodeshare: null, codeshareFlightNumber: null },
    departure: {
      city: null,
      terminal: null,
      utcOffsetSeconds: null,
      estimatedTime: null,
      gate: null,
      boardingStatus: null,
    },
    arrival: { city: null, terminal: null, utcOffsetSeconds: null, estimatedTime: null, baggageBelt: null },
  }),
  'no estimates': (_stage, day) => ({
    departure: { estimatedTime: null, actualTime: `${day} 09:31:12` },
    arrival: { estimatedTime: null, actualTime: `${day} 12:41:13` },
  }),
  blanks: () => ({
    codeshareFlightNumber: '',
    departure: { terminal: '', gate: '', boardingStatus: '', estimatedTime: '', actualTime: '' },
    arrival: { terminal: '', baggageBelt: '', estimatedTime: '', actualTime: '' },
  }),
  'no schedule': () => ({ departure: { scheduledTime: null }, arrival: { scheduledTime: null } }),
  zeros: () => ({
    departure: { utcOffsetSeconds: 0, gate: '0', terminal: '0', estimatedTime: '0000-00-00 00:00:00' },
    arrival: { utcOffsetSeconds: '0', baggageBelt: '0' },
  }),
  'half hours': () => ({ departure: { utcOffsetSeconds: 20_700 }, arrival: { utcOffsetSeconds: -12_600 } }),
  'offsets as text': () => ({
    departure: { utcOffsetSeconds: '10800' },
    arrival: { utcOffsetSeconds: '-34200' },
  }),
  'seconds in its times': (_stage, day) => ({
    departure: {
      scheduledTime: `${day} 09:25:17`,
      estimatedTime: `${day} 09:26:18`,
      actualTime: `${day} 09:27:19`,
    },
    arrival: {
      scheduledTime: `${day} 12:25:37`,
      estimatedTime: `${day} 12:26:38`,
      actualTime: `${day} 12:27:39`,
    },
  }),
  midnights: (_stage, day) => ({
    departure: { scheduledTime: `${day} 00:00:00` },
    arrival: { scheduledTime: `${nextDay(day)} 00:00:00`, estimatedTime: `${nextDay(day)} 00:00:00` },
  }),
  'an arrival on another day': (_stage, day) => ({
    departure: { scheduledTime: `${day} 23:50:00`, utcOffsetSeconds: -28_800 },
    arrival: { scheduledTime: `${nextDay(day)} 01:10:00`, utcOffsetSeconds: 46_800 },
  }),
  'other letters': () => ({
    airline: { name: 'Ägypten Ær 航空', code: null },
    departure: { city: 'Zürich', gate: 'Ñ-1', terminal: '007' },
    arrival: { city: '東京', terminal: 'T1 ', baggageBelt: '04' },
  }),
  'any values': (stage, day) => stage.sample(unusualLeg(day)),
  'other values': (stage, day) => stage.sample(unusualLeg(day)),
  'still other values': (stage, day) => stage.sample(unusualLeg(day)),
};

const mostLegs = 5;

function nextDay(day: string): string {
  return new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
}

/** So many special legs at once, in turn; and each alone, subscribed. */
function oddLegs(): readonly Fla[] {
  const names = Object.keys(odd);
  const count = Math.ceil(names.length / mostLegs);
  const groups = Array.from({ length: count }, (_, at) =>
    names.filter((_name, index) => index % count === at),
  );
  return [
    ...groups.map((group, at): Fla => ({
      name: `lookup of special legs ${at}`,
      family: 'special legs',
      cells: ['special', ...group.map((name) => `special ${name}`)],
      price: 1,
      worth: 2,
      isPossible: (stage) => stage.canPut,
      bring: async (stage) => {
        const departureDate = stage.date();
        const flight = await stage.put(legsOf(stage, group, departureDate), { departureDate });
        if (flight) await stage.look(flight);
      },
    })),
    ...names.map((name): Fla => ({
      name: `subscribe to a special leg: ${name}`,
      family: 'special legs',
      cells: ['special subscribed', `special subscribed ${name}`],
      price: 1,
      worth: 1,
      isPossible: (stage) => stage.canPut && maySubscribe(stage),
      bring: async (stage) => {
        const departureDate = stage.date();
        const flight = await stage.put(legsOf(stage, [name], departureDate), { departureDate });
        const leg = flight?.legs[0];
        if (!flight || !leg) return;
        const body = bodyOf({ flight, leg }, stage.flightCallback());
        await stage.subscribeTo({ flight, leg }, body, { what: `subscribe special` });
      },
    })),
    statusesAtOnce,
  ];
}

function legsOf(stage: FlightStage, names: readonly string[], day: string): readonly LegToPut[] {
  return names.map((name, at) => ({
    route: ['DOH', airports[at] ?? 'SIN'] as Route,
    changes: odd[name]?.(stage, day) ?? {},
  }));
}

/** Legs of many statuses, of which some may count as no longer available. */
const statusesAtOnce: Fla = {
  name: 'lookup of legs of many statuses',
  family: 'special legs',
  cells: ['special', 'special statuses'],
  price: 1,
  worth: 2,
  isPossible: (stage) => stage.canPut,
  bring: async (stage) => {
    const flight = await stage.put(
      airports.map((airport) => ({
        route: ['DOH', airport] as Route,
        changes: { status: anyStatus(stage) },
      })),
    );
    if (flight) await stage.look(flight);
  },
};

function anyStatus(stage: FlightStage) {
  return stage.sample(unusualLeg('2026-01-01')).status ?? null;
}

/** What upstream has in place of what it had. */
const moves: Readonly<
  Record<string, (stage: FlightStage, legs: readonly JsonObject[]) => readonly JsonObject[]>
> = {
  'a leg is gone': (_stage, legs) => legs.slice(1),
  'the last leg is gone': (_stage, legs) => legs.slice(0, -1),
  'all legs are gone': () => [],
  'one leg more': (_stage, [first = {}, ...others]) => [first, ...others, ended(first, 'HND')],
  'a leg elsewhere': (_stage, [first = {}, ...others]) => [ended(first, 'FRA'), ...others],
  'the other order': (_stage, legs) => legs.toReversed(),
  'other gates': (stage, legs) =>
    legs.map(
      (leg) =>
        merged(leg, { departure: { gate: `P${stage.bench.identities.token().slice(-4)}` } }) as JsonObject,
    ),
  'everything new': (stage, legs) =>
    legs.map((leg) => merged(leg, stage.sample(unusualLeg('2026-10-10')) as JsonObject) as JsonObject),
};

function ended(leg: JsonObject, airportIata: string): JsonObject {
  return { ...leg, arrival: { ...(leg.arrival as JsonObject), airportIata } };
}

const movedFlights: readonly Fla[] = Object.entries(moves).flatMap(([name, move]) =>
  [0, laterMs].map((waitMs): Fla => ({
    name: `upstream: ${name}${waitMs > 0 ? ', looked up a minute later' : ''}`,
    family: 'moved flights',
    cells: ['moved', `moved ${name}`, `moved ${name} ${waitMs}`],
    price: waitMs > 0 ? 1.3 : stepPrice,
    worth: 1,
    isPossible: (stage) =>
      stage.canPut && stage.mayWait(waitMs) && stage.known.some(({ isPut, looks }) => isPut && looks > 0),
    bring: async (stage) => {
      const flight = stage.oneOf(stage.known.filter(({ isPut, looks }) => isPut && looks > 0));
      if (!flight) return;
      await stage.putAgain(flight, move(stage, flight.legs), `moved ${name}`);
      if (waitMs === 0) return;
      await stage.wait(waitMs);
      await stage.look(flight);
    },
  })),
);

const modes = ['unavailable', 'invalid-data', 'subscription'] as const;

/** What is asked while upstream fails, and again afterwards. */
const asked: Readonly<Record<string, (stage: FlightStage) => Promise<(() => Promise<unknown>) | null>>> = {
  'a lookup': async (stage) => {
    const flight = await stage.putPlain();
    return flight && (() => stage.look(flight));
  },
  'a lookup of what was looked up': (stage) => {
    const flight = stage.oneOf(stage.known.filter(({ looks }) => looks > 0));
    return Promise.resolve(flight ? () => stage.look(flight) : null);
  },
  'a lookup and a subscribe': async (stage) => {
    const ask = await subscribing(stage, true);
    const flight = stage.oneOf(stage.known);
    return ask && flight ? () => stage.look(flight).then(ask) : null;
  },
  'a lookup with a fault': (stage) => {
    const flight = stage.oneOf(stage.known);
    const query = flight && { ...queryOf(flight), departureDate: 'tomorrow' };
    return Promise.resolve(query ? () => stage.send(lookup(query)) : null);
  },
  'a subscribe with callback': (stage) => subscribing(stage, true),
  'a subscribe without callback': (stage) => subscribing(stage, false),
  'a subscribe that was accepted before': (stage) => {
    const one = stage.oneOf(stage.flights.subscriptions.filter(({ flight }) => stage.isAhead(flight)));
    if (!one) return Promise.resolve(null);
    const leg = { departure: { airportIata: one.from }, arrival: { airportIata: one.to } };
    const { flight, body, home } = one;
    const options = { home, key: stage.ownerOf(one), what: 'repeat while failing' };
    return Promise.resolve(() => stage.subscribeTo({ flight, leg }, body, options));
  },
};

async function subscribing(stage: FlightStage, isHooked: boolean): Promise<(() => Promise<unknown>) | null> {
  const where = await stage.freeLeg();
  if (!where) return null;
  const body = bodyOf(where, isHooked ? stage.flightCallback() : 'absent');
  return () => stage.subscribeTo(where, body, { what: 'subscribe after a failure' });
}

function failures(): readonly Fla[] {
  return modes.flatMap((mode) =>
    Object.entries(asked).map(([name, prepare]): Fla => ({
      name: `upstream fails (${mode}): ${name}`,
      family: 'failures',
      cells: ['failure', `failure ${mode}`, `failure ${name}`, `failure ${mode} ${name}`],
      price: name.includes(' and ') ? 4 : 2,
      worth: name.includes(' and ') ? 4 : 2,
      isPossible: (stage) =>
        stage.offers('flights.put', 'provider.fail') &&
        hasFlights(stage) &&
        (!name.includes('subscribe') || maySubscribe(stage)),
      bring: async (stage) => {
        const ask = await prepare(stage);
        if (!ask || (await stage.step('provider.fail', { mode })) === null) return;
        await ask().finally(() => stage.step('provider.fail', { mode: null }));
        await ask();
      },
    })),
  );
}

/** A leg as a lookup shows it, for flights that are put by other situations. */
export function plainLeg(flightNumber: string, departureDate: string): JsonObject {
  return upstreamLeg({ flightNumber, departureDate, departure: 'DOH', arrival: 'SIN' });
}
