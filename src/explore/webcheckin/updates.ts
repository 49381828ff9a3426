import * as fc from 'fast-check';
import { filePart } from '../../generate/kit/multipart.ts';
import { updateCorruptions } from '../../generate/webcheckin/corruptions.ts';
import { passengerTable } from '../../spec/grammar/passenger.ts';
import { inPassengers } from '../../spec/grammar/update.ts';
import { companionOf } from '../../spec/kit/companion.ts';
import { isJsonObject, objectsAt, without, type JsonObject } from '../../spec/kit/json.ts';
import type { KeyChoice } from '../../send/request.ts';
import type { Own } from '../book.ts';
import type { Situation } from '../situation.ts';
import { spellingsOf, type Spelling } from '../spellings.ts';
import type { Carrier, Stage } from '../stage.ts';
import { multipart, partsOf, read, written } from './requests.ts';

type Wci = Situation<Stage>;

const operation = 'wci.update';
const carriers = ['json', 'multipart'] as const;
/** How an update names its record. */
export const identifiers = ['checkin_id', 'webcheckin_id', 'booking_id', 'booking_id as text'] as const;
type Identifier = (typeof identifiers)[number];
/** What it carries, and where. */
const manners = ['untyped', 'typed', 'payload', 'pnr'] as const;
type Manner = (typeof manners)[number];

/** What the new passengers are like. */
const effects: Readonly<Record<string, (one: JsonObject) => readonly JsonObject[]>> = {
  complete: (one) => [one],
  'without passport': (one) => [{ ...one, passport: null }],
  'without email': (one) => [{ ...one, email: null }],
  'one more, without passport': (one) => [one, { ...companionOf(one), passport: null }],
  'one more': (one) => [one, companionOf(one)],
  'without optional fields': (one) => [
    without(one, 'passport', 'email', 'documents', 'seat_preference', 'phone'),
  ],
  'of one name, without passport': (one) => [one, { ...one, passport: null, email: null }],
  'without place of issue': (one) => [
    isJsonObject(one.passport) ? { ...one, passport: without(one.passport, 'place_of_issue') } : one,
  ],
};

export function nameOf(own: Own, by: Identifier): JsonObject {
  if (by === 'booking_id') return { booking_id: own.bookingId ?? '' };
  if (by === 'booking_id as text') return { booking_id: String(own.bookingId) };
  return { [by]: own.id };
}

export function contentOf(stage: Stage, manner: Manner, passengers: readonly JsonObject[]): JsonObject {
  if (manner === 'pnr') return { type: 'pnr', payload: { pnr: stage.bench.identities.pnr() } };
  if (manner === 'payload') return { type: 'passengers', payload: { passengers } };
  return manner === 'typed' ? { type: 'passengers', passengers } : { passengers };
}

/** A record of the run that waits, so that an update is to be taken. */
export function waiting(stage: Stage): Own | null {
  const all = allWaiting(stage);
  // What nobody has looked at yet would be overwritten.
  const seen = all.filter(({ unseen }) => ![...unseen.status].some((what) => what.includes('update')));
  return stage.pick((seen.length > 0 ? seen : all).slice(-40)) ?? null;
}

const allWaiting = (stage: Stage) =>
  stage.book.of('primary').filter((own) => own.status === 'SCHEDULED' && own.bookingId !== null);
const hasWaiting = (stage: Stage) => allWaiting(stage).length > 0;

/** What is done with a record that waits, as soon as there is one. */
export function withWaiting(
  bring: (stage: Stage, own: Own) => Promise<void>,
): Pick<Wci, 'isPossible' | 'bring'> {
  return {
    isPossible: hasWaiting,
    bring: async (stage) => {
      const own = waiting(stage);
      if (own) await bring(stage, own);
    },
  };
}

/** Sends an update of a record, and notes that something may have happened to it. */
export async function updateWith(
  stage: Stage,
  own: Own,
  body: JsonObject,
  {
    carrier = 'json',
    what,
    key,
  }: { readonly carrier?: Carrier; readonly what: string; readonly key?: KeyChoice },
): Promise<void> {
  await stage.send(written(stage, operation, body, carrier, { key: key ?? stage.keyOf(own.home) }));
  stage.touched(own, what);
}

/** The updates that the grammar can write. */
export function updates(): readonly Wci[] {
  const spellings = spellingsOf({ passengers: { forms: [], each: passengerTable } });
  return [
    ...identifiers.flatMap((by) =>
      manners.flatMap((manner) =>
        (['json', 'multipart', 'scan'] as const).flatMap((carrier) =>
          Object.keys(manner === 'pnr' ? { complete: 0 } : effects).map((effect) =>
            allowed({ by, manner, carrier, effect }),
          ),
        ),
      ),
    ),
    ...updateCorruptions.flatMap(({ name, rule, apply, applicable }) =>
      carriers.flatMap((carrier) =>
        (['untyped', 'payload', 'second'] as const).map((manner) =>
          broken(name, rule, { carrier, manner, change: apply, applicable }),
        ),
      ),
    ),
    ...spellings
      .filter(({ form }) => form.kind !== 'fault')
      .flatMap((one) => carriers.map((carrier) => spelled(one, carrier))),
  ];
}

interface Allowed {
  readonly by: Identifier;
  readonly manner: Manner;
  readonly carrier: 'json' | 'multipart' | 'scan';
  readonly effect: string;
}

function allowed({ by, manner, carrier, effect }: Allowed): Wci {
  const isByBooking = by.startsWith('booking_id');
  return {
    name: `update ${by} ${manner} ${carrier} ${effect}`,
    family: 'updates',
    cells: [
      `update ${carrier}`,
      `update by ${by}`,
      `update ${manner}`,
      `update ${effect}`,
      `update ${carrier} ${manner}`,
      `update ${carrier} by ${by}`,
      `update ${manner} by ${by}`,
      `update ${manner} ${effect}`,
      `update ${by} ${manner} ${carrier} ${effect}`,
    ],
    price: 1,
    worth: 1,
    isPossible: (stage) => hasWaiting(stage) && !(carrier === 'scan' && (isByBooking || manner === 'pnr')),
    bring: async (stage) => {
      const own = waiting(stage);
      if (!own) return;
      const [first = {}, ...others] = effects[effect]?.(stage.passenger()) ?? [];
      const passengers = carrier === 'scan' ? [withScan(first), ...others] : [first, ...others];
      const given = stage.random() < 0.5 ? { operation: 'update' } : {};
      const body = { ...nameOf(own, by), ...contentOf(stage, manner, passengers), ...given };
      const what = `update ${manner} ${carrier} ${effect}`;
      if (carrier !== 'scan') return updateWith(stage, own, body, { carrier, what });
      const parts = [...partsOf(operation, body), filePart('scan1', 'scan.png')];
      await stage.send(multipart(stage, operation, parts));
      stage.touched(own, what);
    },
  };
}

export function withScan(passenger: JsonObject, name = 'scan1'): JsonObject {
  const held = isJsonObject(passenger.passport) ? passenger.passport : {};
  return { ...passenger, passport: { ...held, file_field: name } };
}

interface Broken {
  readonly carrier: Carrier;
  /** In payload, or beside a passenger before them. */
  readonly manner: 'untyped' | 'payload' | 'second';
  readonly change: fc.Arbitrary<(body: JsonObject) => JsonObject>;
  readonly applicable: (body: JsonObject) => boolean;
}

/** An update with one fault; it would change the record if it were taken. */
function broken(name: string, rule: string, { carrier, manner, change, applicable }: Broken): Wci {
  return {
    name: `update ${carrier} ${manner} fault ${name}`,
    family: 'update faults',
    cells: [
      `update fault ${rule}`,
      `update fault ${name}`,
      `update ${carrier} fault ${rule}`,
      `update ${carrier} fault ${name}`,
      `update ${manner} fault ${name}`,
      `update ${carrier} ${manner} fault ${name}`,
    ],
    price: 1,
    worth: 0.8,
    ...withWaiting(async (stage, own) => {
      const passengers = [{ ...stage.passenger(), passport: null }];
      const plain = {
        checkin_id: own.id,
        ...contentOf(stage, manner === 'payload' ? manner : 'untyped', passengers),
      };
      if (!applicable(plain)) return;
      const changed = stage.sample(change)(plain);
      const before = companionOf(stage.passenger());
      const [first] = objectsAt(changed, 'passengers');
      if (manner === 'second' && first === undefined) return;
      const body = manner === 'second' ? { ...changed, passengers: [before, first ?? {}] } : changed;
      const faults = read(operation, body, carrier, stage.bench.now()).filter(({ kind }) => kind === 'fault');
      if (faults.length !== 1) return;
      await updateWith(stage, own, body, { carrier, what: `refused update ${carrier}` });
    }),
  };
}

/** An update whose passenger is written in a form that is no fault. */
function spelled({ member, form, within }: Spelling, carrier: Carrier): Wci {
  const name = `${member} ${form.name}`;
  return {
    name: `update ${carrier} ${name}`,
    family: 'update forms',
    cells: [`update ${form.kind} ${form.rule}`, `update ${name}`, `update ${carrier} ${name}`],
    price: 1,
    worth: { fault: 1, lacking: 0.6, free: 0.4, open: 0.1 }[form.kind],
    ...withWaiting(async (stage, own) => {
      const edit = inPassengers(() =>
        within.map((change) => (body: JsonObject) => ({ ...body, passengers: [change(stage.passenger())] })),
      );
      const body = stage.sample(edit(fc))({ checkin_id: own.id, passengers: [stage.passenger()] });
      await updateWith(stage, own, body, { carrier, what: `update ${form.kind} ${name}` });
    }),
  };
}
