import { rawBodies } from '../../generate/kit/rawBodies.ts';
import { flightNumberSpelling } from '../../generate/flightAlerts/flightNumbers.ts';
import { airportSpelling } from '../../generate/kit/airportSpelling.ts';
import { rawRequest } from '../../send/request.ts';
import { flightSubscribeTable } from '../../spec/grammar/flightSubscribe.ts';
import { readForms } from '../../spec/grammar/readForms.ts';
import { textAt, type JsonObject } from '../../spec/kit/json.ts';
import { routeOf } from '../../spec/world/legs.ts';
import { spellingsOf, type Spelling } from '../spellings.ts';
import { dateKinds, spellingWith, type Fla } from './lookups.ts';
import { bodyOf, laterMs, type FlightLegOf, type FlightStage } from './flightStage.ts';

export const maySubscribe = (stage: FlightStage) =>
  stage.maySubscribe && (stage.canPut || stage.known.length > 0);

/** The subscribes that the grammar can write: faults one by one, what is allowed alone and together. */
export function flightSubscribes(now: number): readonly Fla[] {
  const table = flightSubscribeTable(now);
  return [
    ...plain,
    ...spellingsOf(table).flatMap((one) =>
      (['hooked', 'polling'] as const).map((manner) => alone(one, manner)),
    ),
    spelled,
    ...fidsOfAll,
    ...onDates,
    ...raw,
    ...wrongLegs,
  ];
}

const manners: Readonly<Record<string, (stage: FlightStage) => JsonObject | null | 'absent'>> = {
  hooked: (stage) => stage.flightCallback(),
  polling: () => 'absent',
  'polling by null': () => null,
  'with members that it must not have': (stage) => ({
    ...stage.flightCallback(),
    auth_header: 'X-API-Key: gatecheck-own',
    clientId: 'gatecheck',
    clientName: 'Gatecheck',
  }),
};

/** Fids that a reader may take for something else than a text. */
const fids: Readonly<Record<string, (token: string) => string>> = {
  'blanks around it': (token) => ` ${token} `,
  'a blank behind it': (token) => `${token} `,
  'several blanks': (token) => `a  b ${token}`,
  'zeros alone': (token) => '0'.repeat(4 + (token.length % 3)),
  'digits with zeros': (token) => `000${String(Number.parseInt(token.slice(-3), 36))}`,
  'a decimal': (token) => `1.${Number.parseInt(token.slice(-3), 36)}0`,
  'a large number': (token) => `9007199254740993${Number.parseInt(token.slice(-3), 36)}`,
  'an exponent': (token) => `1e${Number.parseInt(token.slice(-3), 36)}`,
  'a date': () => '2026-07-15',
  'a word of JSON': () => 'null',
  'quotes and slashes': (token) => `"${token}"\\/<&>%20+`,
  'composed letters': (token) => `e\u0301\u00e9-${token}`,
  'letters of many bytes': (token) => `東京✈😀-${token}`,
  'capitals and not': (token) => `aBcD-${token.toUpperCase()}`,
  'its most characters': (token) => token.padEnd(255, 'x'),
};

const fidsOfAll: readonly Fla[] = Object.entries(fids).map(([name, fidOf]) => ({
  name: `subscribe with a fid of ${name}`,
  family: 'fids',
  cells: ['fid', `fid ${name}`],
  price: 1,
  worth: 1,
  isPossible: maySubscribe,
  bring: async (stage) => {
    const where = await stage.freeLeg();
    if (!where) return;
    const callback = { ...stage.flightCallback(), fid: fidOf(stage.bench.identities.token()) };
    await stage.subscribeTo(where, bodyOf(where, callback), { what: `fid ${name}` });
  },
}));

const plain: readonly Fla[] = Object.entries(manners).flatMap(([manner, callback]) =>
  (['primary', 'other'] as const).map((home): Fla => ({
    name: `subscribe ${manner} by ${home}`,
    family: 'subscriptions',
    cells: [`subscribe ${manner}`, `subscribe by ${home}`, `subscribe ${manner} by ${home}`],
    price: 1,
    worth: (manner === 'hooked' ? 2 : 1) * (home === 'primary' ? 1 : 0.7),
    isPossible: (stage) => maySubscribe(stage) && (home === 'primary' || stage.bench.keys.other.length > 0),
    bring: async (stage) => {
      const where = await stage.freeLeg(home);
      if (!where) return;
      await stage.subscribeTo(where, bodyOf(where, callback(stage)), { home, what: `subscribe ${manner}` });
    },
  })),
);

/** A form in a request of its own: one that is refused stores nothing, so that a later one of the leg is the first. */
function alone(spelling: Spelling, manner: 'hooked' | 'polling'): Fla {
  const { form, member, within } = spelling;
  const { kind, name } = form;
  const rule = form.rule ?? 'open';
  const isOfCallback = member.startsWith('callbackData');
  return {
    name: `subscribe ${manner} ${member} ${name}`,
    family: `${kind === 'fault' ? 'faults' : 'forms'} of ${isOfCallback ? 'callbacks' : 'subscribes'}`,
    cells: [
      `subscribe ${kind} ${rule}`,
      `subscribe ${kind} ${member}`,
      `subscribe ${name}`,
      `subscribe ${name} ${manner}`,
    ],
    price: 1,
    worth:
      { fault: 1, lacking: 1, free: 1, open: 0.4 }[kind] * (manner === 'hooked' || !isOfCallback ? 1 : 0),
    isPossible: maySubscribe,
    bring: async (stage) => {
      const where = await stage.freeLeg();
      if (!where) return;
      const plainly = bodyOf(where, manner === 'hooked' || isOfCallback ? stage.flightCallback() : 'absent');
      for (let tries = 0; tries < 4; tries += 1) {
        const body = formed(stage, plainly, spelling);
        const asked = { operation: 'fla.subscribe', carrier: 'json', now: stage.bench.now() } as const;
        const features = readForms(body, asked);
        const faults = features.filter((one) => one.kind === 'fault').length;
        if (!features.some((one) => one.name === name) || faults > (kind === 'fault' ? 1 : 0)) continue;
        await stage.subscribeTo(where, body, { what: `subscribe ${kind} ${name}` });
        return;
      }
      await stage.subscribeTo(where, stage.sample(within)(plainly), { what: 'subscribe' });
    },
  };
}

/** A trait of a number is one of the flight's own number; addresses go to the sink as far as they can. */
function formed(stage: FlightStage, body: JsonObject, { form, member, within }: Spelling): JsonObject {
  if (member === 'flightNumber' && form.name.startsWith('number-'))
    return { ...body, flightNumber: stage.sample(spellingWith(form, textAt(body, 'flightNumber'))) };
  return stage.sample(within)(body);
}

const spelled: Fla = {
  name: 'subscribe in any spelling',
  family: 'forms of subscribes',
  cells: ['subscribe spelled', 'subscribe hooked'],
  price: 1,
  worth: 2,
  isPossible: maySubscribe,
  bring: async (stage) => {
    const where = await stage.freeLeg();
    if (where) await stage.subscribeTo(where, respelled(stage, where), { what: 'subscribe spelled' });
  },
};

function respelled(stage: FlightStage, where: FlightLegOf): JsonObject {
  return inOtherSpelling(stage, bodyOf(where, stage.flightCallback()));
}

/** The same leg, written otherwise. */
export function inOtherSpelling(stage: FlightStage, body: JsonObject): JsonObject {
  const [from, to] = [textAt(body, 'departureAirportIata'), textAt(body, 'arrivalAirportIata')];
  return {
    ...body,
    flightNumber: stage.sample(flightNumberSpelling(textAt(body, 'flightNumber'))),
    departureAirportIata: stage.sample(airportSpelling(from)),
    arrivalAirportIata: stage.sample(airportSpelling(to)),
  };
}

const onDates: readonly Fla[] = Object.entries(dateKinds).map(([name, dateOf]) => ({
  name: `subscribe to a flight ${name}`,
  family: 'dates',
  cells: ['subscribe date', `subscribe date ${name}`],
  price: 1,
  worth: 1,
  isPossible: (stage) => maySubscribe(stage) && stage.canPut,
  bring: async (stage) => {
    const flight = await stage.put([{ route: ['DOH', 'SIN'], hour: 20 }], { departureDate: dateOf(stage) });
    const leg = flight?.legs[0];
    if (!flight || !leg) return;
    const where = { flight, leg };
    await stage.subscribeTo(where, bodyOf(where, stage.flightCallback()), { what: `subscribe date ${name}` });
  },
}));

const raw: readonly Fla[] = rawBodies('fla.subscribe', '{"flightNumber":"QR7"}').map(
  ({ rule, name, body }) => ({
    name: `flight subscribe with ${name}`,
    family: 'raw bodies',
    cells: [`raw ${rule}`, `raw ${name}`],
    price: 1,
    worth: 1,
    isPossible: () => true,
    bring: async (stage) => {
      await stage.send(rawRequest('fla.subscribe', stage.sample(body), 'application/json'));
    },
  }),
);

/** Legs that the flight does not have, by what of them another leg has. */
const wrong: Readonly<Record<string, (leg: JsonObject) => readonly [from: string, to: string]>> = {
  'from another airport': (leg) => ['ZRH', routeOf(leg).slice(4)],
  'to another airport': (leg) => [routeOf(leg).slice(0, 3), 'ZRH'],
  'the way back': (leg) => [routeOf(leg).slice(4), routeOf(leg).slice(0, 3)],
  'in a circle': (leg) => [routeOf(leg).slice(0, 3), routeOf(leg).slice(0, 3)],
};

const wrongLegs: readonly Fla[] = [
  ...Object.entries(wrong).flatMap(([name, routeOfWrong]) =>
    (['hooked', 'polling'] as const).map((manner): Fla => ({
      name: `subscribe ${manner} to a leg that is none: ${name}`,
      family: 'missing legs',
      cells: ['no leg', `no leg ${name}`, `no leg ${manner}`, `no leg ${name} ${manner}`],
      price: 1,
      worth: 1,
      isPossible: maySubscribe,
      bring: async (stage) => {
        const where = await stage.freeLeg();
        if (!where) return;
        const [departureAirportIata, arrivalAirportIata] = routeOfWrong(where.leg);
        const body = bodyOf(where, manner === 'hooked' ? stage.flightCallback() : 'absent');
        const leg = ofRoute(departureAirportIata, arrivalAirportIata);
        const own = where.flight.legs.find((one) => routeOf(one) === routeOf(leg)) ?? leg;
        const named = { ...body, departureAirportIata, arrivalAirportIata };
        await stage.subscribeTo({ ...where, leg: own }, named, { what: `subscribe ${name}` });
      },
    })),
  ),
  missing('of no flight', (stage) => {
    const flightNumber = `ZZ${1000 + stage.roll(9000)}`;
    const flight = { ...emptyFlight, flightNumber, departureDate: stage.date() };
    return Promise.resolve({ flight, leg: ofRoute('DOH', 'SIN') });
  }),
  missing('on another day', async (stage) => {
    const where = await stage.freeLeg();
    return (
      where && { ...where, flight: { ...where.flight, departureDate: stage.date(300 + stage.roll(30)) } }
    );
  }),
  missing('twice on the route', async (stage) => {
    const legs = [6, 17].map((hour) => ({ route: ['DOH', 'SIN'] as const, hour }));
    const flight = await stage.put(legs);
    return flight && { flight, leg: ofRoute('DOH', 'SIN') };
  }),
  missing('put afterwards', (stage) => {
    const given = { flightNumber: stage.bench.identities.flightNumber(), departureDate: stage.date() };
    return Promise.resolve({ flight: { ...emptyFlight, ...given }, leg: ofRoute('DOH', 'SIN') });
  }),
];

const emptyFlight = {
  ...{ isPut: true, legs: [], touchedAt: 0, looks: 0 },
  unseen: new Set<string>(),
};

function ofRoute(from: string, to: string): JsonObject {
  return { departure: { airportIata: from }, arrival: { airportIata: to } };
}

/** What is refused for want of one leg that matches; where it can be, the leg is put then, and subscribed. */
function missing(name: string, whereOf: (stage: FlightStage) => Promise<FlightLegOf | null>): Fla {
  return {
    name: `subscribe ${name}`,
    family: 'missing legs',
    cells: ['no leg', `no leg ${name}`],
    price: 2,
    worth: 1.5,
    isPossible: (stage) => maySubscribe(stage) && (stage.canPut || name === 'of no flight'),
    bring: async (stage) => {
      const where = await whereOf(stage);
      if (!where) return;
      const body = bodyOf(where, stage.flightCallback());
      await stage.subscribeTo(where, body, { what: `subscribe ${name}` });
      if (!stage.canPut || !stage.mayWait(laterMs)) return;
      const { flightNumber, departureDate } = where.flight;
      await stage.wait(laterMs);
      const flight = await stage.put([{ route: ['DOH', 'SIN'] }, { route: ['SIN', 'DOH'] }], {
        ...{ flightNumber, departureDate },
      });
      const leg = flight?.legs[0];
      if (!flight || !leg) return;
      const later = bodyOf({ flight, leg }, stage.flightCallback());
      await stage.subscribeTo({ flight, leg }, later, { what: `subscribe after ${name}` });
    },
  };
}
