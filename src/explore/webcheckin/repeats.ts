import { subscribe, type RequestOptions } from '../../send/request.ts';
import {
  readinessGaps,
  readinessSufficiencies,
  type ReadinessChange,
} from '../../generate/webcheckin/readiness.ts';
import { objectsAt, without, type JsonObject } from '../../spec/kit/json.ts';
import type { Own } from '../book.ts';
import type { Situation } from '../situation.ts';
import { withPassengers, type Carrier, type Stage, type Trip } from '../stage.ts';
import { nameOf, updateWith, waiting, withWaiting } from './updates.ts';
import { written } from './requests.ts';
import { subscribeWith, spending } from './subscribes.ts';

type Wci = Situation<Stage>;

const ways = ['as it was', 'by another key', 'as multipart', 'with less', 'with callback'] as const;
type Way = (typeof ways)[number];

/** The same booking once more: it is one record, and costs one unit. */
export const repeats: readonly Wci[] = ways.flatMap((way) =>
  (['fresh', 'updated', 'ended'] as const).map((state): Wci => ({
    name: `repeat ${way} of a ${state} record`,
    family: 'repeats',
    cells: ['repeat', `repeat ${way}`, `repeat ${state}`, `repeat ${way} ${state}`],
    ...spending(1),
    worth: 1,
    isPossible: (stage) =>
      repeatable(stage, state).length > 0 &&
      (way !== 'by another key' || stage.bench.keys.primary.length > 1) &&
      (way !== 'with callback' || stage.hasSink),
    bring: (stage) => repeat(stage, way, state),
  })),
);

function repeatable(stage: Stage, state: 'fresh' | 'updated' | 'ended'): readonly Own[] {
  return stage.book.of('primary').filter(({ body, status, touches }) => {
    if (typeof body.pnr !== 'string' || !/^[A-Z0-9]{6}$/.test(body.pnr)) return false;
    if (state === 'ended') return status === 'COMPLETED' || status === 'FAILED';
    return state === 'fresh' ? touches === 0 : touches > 0 && status === 'SCHEDULED';
  });
}

async function repeat(stage: Stage, way: Way, state: 'fresh' | 'updated' | 'ended'): Promise<void> {
  const own = stage.pick(repeatable(stage, state));
  if (!own) return;
  const key = way === 'by another key' ? stage.anotherKey(own.key) : null;
  const carrier: Carrier = way === 'as multipart' ? 'multipart' : 'json';
  const options: RequestOptions = { key: key ? { kind: 'key', key } : stage.keyOf(own.home) };
  const body = changedFor(stage, way, own.body);
  const x = await stage.send(written(stage, 'wci.subscribe', body, carrier, options));
  stage.subscribed(x, body, own.home, `subscribe ${way}`);
  stage.touched(own, `repeat ${way}`);
}

function changedFor(stage: Stage, way: Way, body: JsonObject): JsonObject {
  if (way === 'with callback') return { ...body, callbackData: stage.callback() };
  if (way !== 'with less') return body;
  return withPassengers(body, (all) => all.map((one) => without(one, 'passport', 'documents')));
}

/** Complete passengers with one change that decides about readiness, in a subscribe and in an update. */
export function readiness(): readonly Wci[] {
  return [...readinessGaps, ...readinessSufficiencies].flatMap((change) =>
    (['json', 'multipart'] as const).flatMap((carrier) => [
      ...(['international', 'domestic', 'twoLeg'] as const)
        .filter((trip) => change.scope === 'any' || (trip === 'domestic') === (change.scope === 'domestic'))
        .map((trip) => readyBySubscribe(change, trip, carrier)),
      ...(change.sharpOn === 'both' && change.scope !== 'domestic' ? [readyByUpdate(change, carrier)] : []),
    ]),
  );
}

function readyBySubscribe({ rule, name, apply }: ReadinessChange, trip: Trip, carrier: Carrier): Wci {
  return {
    name: `readiness ${name} ${trip} ${carrier}`,
    family: 'readiness',
    cells: [
      `ready ${rule}`,
      `ready ${name}`,
      `ready ${trip}`,
      `ready ${name} ${trip}`,
      `ready ${name} ${trip} ${carrier}`,
    ],
    ...spending(1),
    worth: 1,
    isPossible: (stage) => stage.has(trip),
    bring: async (stage) => {
      await stage.prepare(trip);
      if (!stage.has(trip)) return;
      const body = withPassengers(stage.booking({ trip }), stage.sample(apply));
      await subscribeWith(stage, body, { carrier, what: `readiness ${name}` });
    },
  };
}

function readyByUpdate({ rule, name, apply }: ReadinessChange, carrier: Carrier): Wci {
  return {
    name: `readiness ${name} by update ${carrier}`,
    family: 'readiness',
    cells: [`ready update ${rule}`, `ready update ${name}`, `ready update ${name} ${carrier}`],
    price: 1,
    worth: 1,
    ...withWaiting(async (stage, own) => {
      const passengers = stage.sample(apply)([stage.passenger()]);
      await updateWith(
        stage,
        own,
        { ...nameOf(own, 'checkin_id'), passengers },
        { carrier, what: `update ${name}` },
      );
    }),
  };
}

/** The same booking several times at once, and updates of one record side by side. */
export const races: readonly Wci[] = [
  {
    name: 'the same booking three times at once',
    family: 'races',
    cells: ['race', 'race subscribe'],
    ...spending(3),
    worth: 2,
    isPossible: () => true,
    bring: async (stage) => {
      const body = stage.booking();
      const all = await Promise.all([0, 1, 2].map(() => stage.send(subscribe(body))));
      for (const x of all) stage.subscribed(x, body, 'primary', 'race');
    },
  },
  {
    name: 'two updates at once',
    family: 'races',
    cells: ['race', 'race update'],
    price: 2,
    worth: 1,
    ...withWaiting(async (stage, own) => {
      const pnr = { type: 'pnr', payload: { pnr: stage.bench.identities.pnr() } };
      const passengers = objectsAt({ passengers: [{ ...stage.passenger(), passport: null }] }, 'passengers');
      await Promise.all([
        updateWith(stage, own, { checkin_id: own.id, ...pnr }, { what: 'race' }),
        updateWith(stage, own, { checkin_id: own.id, passengers }, { what: 'race' }),
      ]);
    }),
  },
];

/** The id of one record beside the booking of another: the first takes precedence. */
export const twoIdentifiers: readonly Situation<Stage>[] = (['checkin_id', 'webcheckin_id'] as const).flatMap(
  (by) =>
    (['as number', 'as text', 'in parts', 'for a pnr'] as const).map((form): Wci => ({
      name: `update by ${by} beside another booking ${form}`,
      family: 'updates',
      cells: ['two identifiers', `two identifiers ${form}`, `two identifiers ${by} ${form}`],
      price: 1,
      worth: 1,
      isPossible: (stage) => stage.book.of('primary').length > 3 && waiting(stage) !== null,
      bring: async (stage) => {
        const [one, other] = [waiting(stage), waiting(stage)];
        if (!one || !other || one === other) return;
        const content =
          form === 'for a pnr'
            ? { type: 'pnr', payload: { pnr: stage.bench.identities.pnr() } }
            : { passengers: [{ ...stage.passenger(), passport: null }] };
        const booking = form === 'as text' ? String(other.bookingId) : other.bookingId;
        const carrier: Carrier = form === 'in parts' ? 'multipart' : 'json';
        await updateWith(
          stage,
          one,
          { [by]: one.id, booking_id: booking, ...content },
          { carrier, what: `update two identifiers` },
        );
        stage.touched(other, 'update two identifiers');
      },
    })),
);
