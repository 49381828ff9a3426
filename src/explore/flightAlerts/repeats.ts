import type { JsonObject } from '../../spec/kit/json.ts';
import { isJsonObject, textAt, without } from '../../spec/kit/json.ts';
import type { KeyChoice } from '../../send/request.ts';
import type { Subscribed } from './exploredFlights.ts';
import { bodyOf, type FlightStage } from './flightStage.ts';
import type { Fla } from './lookups.ts';
import { inOtherSpelling, maySubscribe } from './subscribes.ts';

/** What a later subscribe of the same leg is like: the same, less, or something else. */
const again: Readonly<Record<string, (stage: FlightStage, one: Subscribed) => JsonObject>> = {
  identical: (_stage, one) => now(one),
  'in another spelling': (stage, one) => inOtherSpelling(stage, now(one)),
  'with its members in another order': (_stage, one) =>
    Object.fromEntries(Object.entries(now(one)).toReversed()),
  'without callbackData': (_stage, one) => without(now(one), 'callbackData'),
  'with callbackData of null': (_stage, one) => ({ ...now(one), callbackData: null }),
  'with another fid': (stage, one) => changed(one, { fid: stage.flightCallback().fid ?? '' }),
  'with another address': (stage, one) =>
    changed(one, { callbackUrl: stage.flightCallback().callbackUrl ?? '' }),
  'with another path of its address': (_stage, one) => changed(one, { callbackUrl: `${urlOf(one)}/more` }),
  'with another callback': (stage, one) => ({ ...now(one), callbackData: stage.flightCallback() }),
  'with a fid in other letters': (_stage, one) => changed(one, { fid: swapped(fidOf(one)) }),
  'with one zero more before its fid': (_stage, one) => changed(one, { fid: `0${fidOf(one)}` }),
  'with a fid without its zeros': (_stage, one) => changed(one, { fid: fidOf(one).replace(/^0+(?=.)/, '') }),
  'with a blank behind its fid': (_stage, one) => changed(one, { fid: `${fidOf(one)} ` }),
  'with its address in capitals': (_stage, one) =>
    changed(one, { callbackUrl: urlOf(one).replace(/[^/?]*$/, (end) => end.toUpperCase()) }),
  'with another query of its address': (_stage, one) =>
    changed(one, { callbackUrl: `${urlOf(one).replace(/\?.*$/, '')}?other=1` }),
  'with an empty fid': (_stage, one) => changed(one, { fid: '' }),
  'with a bad address': (_stage, one) => changed(one, { callbackUrl: 'http://example.com/cb' }),
};

function swapped(text: string): string {
  return text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase();
}

const urlOf = ({ callback }: Subscribed) => textAt(callback ?? {}, 'callbackUrl') || 'https://example.com/cb';
const fidOf = ({ callback }: Subscribed) => textAt(callback ?? {}, 'fid') || '0';

/** What was sent first, with the callback that came later. */
function now({ body, callback }: Subscribed): JsonObject {
  return callback ? { ...body, callbackData: callback } : body;
}

function changed(one: Subscribed, members: JsonObject): JsonObject {
  const { callback } = one;
  return { ...now(one), callbackData: { ...(isJsonObject(callback) ? callback : {}), ...members } };
}

const kinds: Readonly<Record<string, (one: Subscribed) => boolean>> = {
  hooked: ({ callback }) => callback !== null,
  polling: ({ callback }) => callback === null,
};

const usable = (stage: FlightStage, is: (one: Subscribed) => boolean) =>
  stage.flights.subscriptions.filter((one) => stage.isAhead(one.flight) && is(one));

export function legNameOf({ from, to }: Subscribed): JsonObject {
  return { departure: { airportIata: from }, arrival: { airportIata: to } };
}

async function send(
  stage: FlightStage,
  one: Subscribed,
  body: JsonObject,
  { key, what }: { readonly key?: KeyChoice; readonly what: string },
): Promise<void> {
  const { flight, home } = one;
  await stage.subscribeTo({ flight, leg: legNameOf(one) }, body, {
    home,
    key: key ?? stage.ownerOf(one),
    what,
  });
}

export function repeats(): readonly Fla[] {
  return [...sameLeg(), ...byAnotherKey, ...otherEnterprise, ...otherLegs, ...races];
}

function sameLeg(): readonly Fla[] {
  return Object.entries(again).flatMap(([name, body]) =>
    Object.entries(kinds)
      .filter(
        ([kind]) =>
          kind === 'hooked' || !/another fid|path| its |bad|empty|letters|query|another address/.test(name),
      )
      .map(([kind, is]): Fla => ({
        name: `subscribe again ${name} (${kind})`,
        family: 'repeats',
        cells: ['again', `again ${kind}`, `again ${name}`, `again ${name} ${kind}`],
        price: 1,
        worth: 1,
        isPossible: (stage) => usable(stage, is).length > 0,
        bring: async (stage) => {
          const one = stage.oneOf(usable(stage, is));
          if (one) await send(stage, one, body(stage, one), { what: `again ${name}` });
        },
      })),
  );
}

const byAnotherKey: readonly Fla[] = ['identical', 'with another callback', 'without callbackData'].map(
  (name) => ({
    name: `subscribe again ${name} by another key`,
    family: 'repeats',
    cells: ['again by another key', `again ${name} by another key`],
    price: 1,
    worth: 1,
    isPossible: (stage) =>
      stage.bench.keys.primary.length > 1 && usable(stage, ({ home }) => home === 'primary').length > 0,
    bring: async (stage) => {
      const one = stage.oneOf(usable(stage, ({ home }) => home === 'primary'));
      const key = one && stage.anotherKey(one.key);
      const body = again[name];
      if (one && key && body)
        await send(stage, one, body(stage, one), {
          key: { kind: 'key', key },
          what: `again ${name} by another`,
        });
    },
  }),
);

/** Another enterprise knows nothing of a subscription. */
const otherEnterprise: readonly Fla[] = (
  ['the same callback', 'a callback of its own', 'no callback'] as const
).map((name) => ({
  name: `the same leg by another enterprise with ${name}`,
  family: 'enterprises',
  cells: ['enterprise', `enterprise ${name}`],
  price: 1,
  worth: 1.5,
  isPossible: (stage) =>
    stage.bench.keys.other.length > 0 && unshared(stage).length > 0 && maySubscribe(stage),
  bring: async (stage) => {
    const one = stage.oneOf(unshared(stage));
    if (!one) return;
    const plain = without(one.body, 'callbackData');
    const own = { ...plain, callbackData: stage.flightCallback() };
    const body = name === 'no callback' ? plain : name === 'the same callback' ? now(one) : own;
    const { flight } = one;
    const what = `enterprise ${name}`;
    await stage.subscribeTo({ flight, leg: legNameOf(one) }, body, { home: 'other', what });
    one.untold.add(what);
  },
}));

function unshared(stage: FlightStage): readonly Subscribed[] {
  return usable(
    stage,
    (one) =>
      one.home === 'primary' &&
      !stage.flights.of(one.flight, legNameOf(one)).some(({ home }) => home === 'other'),
  );
}

/** Other legs with the same callback, in whole or in part. */
const shared: Readonly<Record<string, (stage: FlightStage, callback: JsonObject) => JsonObject>> = {
  'the same callback': (_stage, callback) => callback,
  'the same fid': (stage, { fid = '' }) => ({ ...stage.flightCallback(), fid }),
  'the same address': (stage, { callbackUrl = '' }) => ({ ...stage.flightCallback(), callbackUrl }),
};

const otherLegs: readonly Fla[] = [
  ...Object.entries(shared).map(([name, callbackOf]): Fla => ({
    name: `another leg with ${name}`,
    family: 'enterprises',
    cells: ['another leg', `another leg ${name}`],
    price: 1,
    worth: 1,
    isPossible: (stage) =>
      usable(stage, ({ callback }) => callback !== null).length > 0 && maySubscribe(stage),
    bring: async (stage) => {
      const one = stage.oneOf(usable(stage, ({ callback, home }) => callback !== null && home === 'primary'));
      const where = await stage.freeLeg();
      if (!one?.callback || !where) return;
      const body = bodyOf(where, callbackOf(stage, one.callback));
      await stage.subscribeTo(where, body, { what: `another leg ${name}` });
      one.untold.add(`another leg ${name}`);
    },
  })),
  ...(['another leg of the flight', 'the same leg on another day'] as const).map((name): Fla => ({
    name: `subscribe to ${name}`,
    family: 'enterprises',
    cells: ['beside', `beside ${name}`],
    price: 1,
    worth: 1.5,
    isPossible: (stage) => stage.canPut && maySubscribe(stage) && beside(stage, name).length > 0,
    bring: (stage) => subscribeBeside(stage, name),
  })),
];

type Beside = 'another leg of the flight' | 'the same leg on another day';

function beside(stage: FlightStage, name: Beside): readonly Subscribed[] {
  return usable(
    stage,
    (one) =>
      one.callback !== null &&
      one.flight.isPut &&
      (name !== 'another leg of the flight' || freeBeside(stage, one).length > 0),
  );
}

function freeBeside(stage: FlightStage, { flight, home }: Subscribed): readonly JsonObject[] {
  return flight.legs.filter((leg) => !stage.flights.of(flight, leg).some((one) => one.home === home));
}

async function subscribeBeside(stage: FlightStage, name: Beside): Promise<void> {
  const one = stage.oneOf(beside(stage, name));
  if (!one) return;
  const { flightNumber, legs } = one.flight;
  const isSame = name === 'another leg of the flight';
  const flight = isSame ? one.flight : await stage.put([], { flightNumber });
  if (!flight) return;
  if (!isSame) await stage.putAgain(flight, legs, 'flight');
  const leg = isSame ? stage.oneOf(freeBeside(stage, one)) : legNameOf(one);
  if (!leg) return;
  const body = bodyOf({ flight, leg }, stage.flightCallback());
  await stage.subscribeTo({ flight, leg }, body, { what: `beside ${name}`, home: one.home });
  one.untold.add(`beside ${name}`);
}

/** Subscribes that meet each other. */
const races: readonly Fla[] = (['the same callback', 'two callbacks', 'without and with'] as const).map(
  (name) => ({
    name: `subscribes at once: ${name}`,
    family: 'races',
    cells: ['race', `race ${name}`],
    price: 4,
    worth: 3,
    isPossible: maySubscribe,
    bring: async (stage) => {
      const where = await stage.freeLeg();
      if (!where) return;
      const body = bodyOf(where, stage.flightCallback());
      const other =
        name === 'two callbacks' ? bodyOf(where, stage.flightCallback()) : without(body, 'callbackData');
      const bodies = name === 'the same callback' ? [body, body, body, body] : [body, other, body, other];
      const key = stage.keyOf('primary');
      const { lead } = stage.bench.keys;
      const by: KeyChoice = lead === null ? key : { kind: 'key', key: lead };
      await Promise.all(
        bodies.map((one) => stage.subscribeTo(where, one, { key: by, what: `race ${name}` })),
      );
    },
  }),
);
