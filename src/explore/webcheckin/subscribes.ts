import { bookingTable } from '../../spec/grammar/booking.ts';
import { bookingDraft, renderBooking } from '../../generate/webcheckin/booking.ts';
import { dateTimeCorners, dateTimeForm } from '../../generate/webcheckin/clocks.ts';
import { unusualEmails } from '../../generate/webcheckin/passenger.ts';
import { parseLocal, renderDateTime } from '../../spec/grammar/clockSpelling.ts';
import { isAccepted } from '../../judge/kernel/answer.ts';
import { companionOf } from '../../spec/kit/companion.ts';
import { objectsAt, textAt, type JsonObject } from '../../spec/kit/json.ts';
import type { Mutation } from '../../spec/kit/mutation.ts';
import type { Situation } from '../situation.ts';
import { places, spellingsOf, type PlaceName, type Spelling } from '../spellings.ts';
import { withPassengers, type Carrier, type Stage, type Trip } from '../stage.ts';
import { isAllowed, read, written } from './requests.ts';

type Wci = Situation<Stage>;

const operation = 'wci.subscribe';
/** What a unit is worth in requests. */
const unitPrice = 0.3;
/** The price of so many requests that spend a unit. */
export const spending = (requests: number) => ({ price: requests + unitPrice, units: 1 });
const carriers = ['json', 'multipart'] as const;

/** Sends a booking, notes its record, and tells whether it was accepted. */
export async function subscribeWith(
  stage: Stage,
  body: JsonObject,
  { carrier = 'json', what }: { readonly carrier?: Carrier; readonly what: string },
): Promise<boolean> {
  const x = await stage.send(written(stage, operation, body, carrier));
  stage.subscribed(x, body, 'primary', what);
  return isAccepted(x);
}

/** The subscribes that the grammar can write: faults one by one, what is allowed in bundles and alone. */
export function subscribes(now: number): readonly Wci[] {
  const spellings = spellingsOf(bookingTable(now));
  const allowed = spellings.filter(({ form }) => form.kind === 'free');
  return [
    ...plainOnes,
    ...carriers.flatMap((carrier) => bundles(allowed, carrier)),
    ...spellings.flatMap((one) => carriers.flatMap((carrier) => alone(one, carrier))),
    ...carriers.map(generated),
    ...carriers.flatMap((carrier) =>
      (['departure_datetime', 'arrival_datetime'] as const).map((member) => spelledClock(member, carrier)),
    ),
    ...unusualEmails.flatMap((email) => carriers.map((carrier) => unusualAddress(email, carrier))),
  ];
}

const trips: readonly Trip[] = [
  ...(['international', 'domestic', 'twoLeg', 'threeLegs'] as const),
  ...(['dateLine', 'domesticFirst', 'domesticLast'] as const),
];

const plainOnes: readonly Wci[] = trips.flatMap((trip) =>
  carriers.flatMap((carrier) =>
    [false, true].map((hooked): Wci => ({
      name: `subscribe ${trip} ${carrier}${hooked ? ' with callback' : ''}`,
      family: 'bookings',
      cells: [
        ...(hooked ? ['subscribe hooked', 'hooked'] : []),
        `subscribe ${carrier}`,
        `subscribe ${trip}`,
        `subscribe ${carrier} ${trip} ${hooked}`,
      ],
      ...spending(1),
      worth: 1,
      isPossible: (stage) => stage.has(trip) && (!hooked || stage.hasSink),
      bring: async (stage) => {
        await stage.prepare(trip);
        if (!stage.has(trip)) return;
        const body = stage.booking({ trip });
        const whole = hooked ? { ...body, callbackData: stage.callback() } : body;
        await subscribeWith(stage, whole, { carrier, what: `subscribe ${carrier}` });
      },
    })),
  ),
);

/** The place of a form, as far as it can have several. */
function placesOf({ list, form }: Spelling): readonly PlaceName[] {
  return list === null || form.only !== undefined ? ['first'] : places;
}

function areaOf(member: string): string {
  if (member.startsWith('callbackData')) return 'callbacks';
  if (member.endsWith('_datetime')) return 'clocks';
  return /^(flights|passengers)\./.exec(member)?.[1] ?? 'bodies';
}

/** A form in a request of its own. */
function alone(spelling: Spelling, carrier: Carrier): readonly Wci[] {
  const { form, member } = spelling;
  const { kind, name } = form;
  const rule = form.rule ?? 'open';
  return placesOf(spelling).map((place): Wci => {
    const cells = [
      `subscribe ${kind} ${rule}`,
      `subscribe ${kind} ${member}`,
      `subscribe ${name}`,
      `subscribe ${carrier} ${kind} ${rule}`,
      `subscribe ${carrier} ${name}`,
      `subscribe ${name} ${place}`,
      `subscribe ${carrier} ${member} ${name} ${place}`,
    ];
    return {
      name: `subscribe ${carrier} ${member} ${name} ${place}`,
      family: `${kind === 'fault' ? 'faults' : 'forms'} of ${areaOf(member)}`,
      cells: kind === 'fault' ? cells : cells.map((cell) => `alone ${cell}`),
      ...(kind === 'fault' ? { price: 1 } : spending(1)),
      worth: { fault: 1, lacking: 1, free: 0.8, open: 0.3 }[kind],
      isPossible: () => true,
      bring: (stage) => sendAlone(stage, spelling, { carrier, place }),
    };
  });
}

async function sendAlone(
  stage: Stage,
  spelling: Spelling,
  { carrier, place }: { readonly carrier: Carrier; readonly place: PlaceName },
): Promise<void> {
  const { list, member, form } = spelling;
  const trip = tripFor(spelling, place);
  await stage.prepare(trip);
  if (!stage.has(trip)) return;
  const isOfCallback = list === null && member.startsWith('callbackData.');
  const plain = stage.booking({ trip });
  const body = isOfCallback && stage.hasSink ? { ...plain, callbackData: stage.callback() } : plain;
  for (let tries = 0; tries < 4; tries += 1) {
    const changed = stage.sample(spelling.at(place))(body);
    const features = read(operation, changed, carrier, stage.bench.now());
    const faults = features.filter(({ kind }) => kind === 'fault');
    const isIt = features.some(({ name }) => name === form.name);
    if (!isIt || faults.length > (form.kind === 'fault' ? 1 : 0)) continue;
    await subscribeWith(stage, changed, { carrier, what: `subscribe ${form.kind} ${form.name}` });
    return;
  }
}

function tripFor({ list, member, form }: Spelling, place: PlaceName): Trip {
  if (/reversed|not-connected|two-airlines|round-trip/.test(form.name)) return 'twoLeg';
  if (list !== 'flights' || place === 'first')
    return member === 'flights' ? 'international' : 'international';
  return place === 'second' ? 'twoLeg' : 'threeLegs';
}

/** How many allowed forms one request has. */
const bundleSize = 10;

/** Much that is allowed in one request; if that is refused, halves of it are sent, and halves of these. */
function bundles(allowed: readonly Spelling[], carrier: Carrier): readonly Wci[] {
  const usable = allowed.filter(
    ({ member, form }) => !/^callbackData|^flights$|^passengers$/.test(member) && form.only !== 'every',
  );
  const count = Math.ceil(usable.length / bundleSize);
  return Array.from({ length: count }, (_, at): Wci => {
    // Forms of one member come one after the other, and cannot stand together: every n-th is taken.
    const parts = usable.filter((_one, index) => index % count === at);
    return {
      name: `subscribe ${carrier} bundle ${at}`,
      family: 'bundles',
      cells: [],
      beside: parts.map(({ form, member }) => [
        `allowed ${form.rule}`,
        `allowed ${member} ${form.name}`,
        `allowed ${carrier} ${member} ${form.name}`,
      ]),
      ...spending(1),
      // Where one is refused, halves of it are sent as well.
      worth: 0.5,
      isPossible: () => true,
      bring: (stage) => sendBundle(stage, parts, carrier),
    };
  });
}

async function sendBundle(stage: Stage, parts: readonly Spelling[], carrier: Carrier): Promise<void> {
  const { body, held } = bundled(stage, parts, carrier);
  const isTaken = await subscribeWith(stage, body, { carrier, what: `subscribe bundle` });
  if (isTaken || held.length < 2) return;
  const middle = Math.ceil(held.length / 2);
  await sendBundle(stage, held.slice(0, middle), carrier);
  await sendBundle(stage, held.slice(middle), carrier);
}

/** A booking with as many of the forms as can stand together. */
function bundled(
  stage: Stage,
  parts: readonly Spelling[],
  carrier: Carrier,
): { readonly body: JsonObject; readonly held: readonly Spelling[] } {
  let body = stage.booking();
  const held: Spelling[] = [];
  let passengers = 0;
  for (const part of parts) {
    const change = stage.sample(part.within);
    const next =
      part.list === 'passengers' ? withOneMore(body, change, passengers) : inFirst(body, part, change);
    const features = read(operation, next, carrier, stage.bench.now());
    const names = new Set(features.map(({ name }) => name));
    if (!isAllowed(features) || ![...held, part].every(({ form }) => names.has(form.name))) continue;
    if (part.list === 'passengers') passengers += 1;
    body = next;
    held.push(part);
  }
  return { body, held };
}

/** The first passenger is replaced, the others are added. */
function withOneMore(body: JsonObject, change: Mutation, count: number): JsonObject {
  return withPassengers(body, (passengers) => {
    const [first = {}] = passengers;
    if (count === 0) return [change(first)];
    const last = companionOf(plainOf(first));
    return [...passengers, change({ ...last, first_name: `Testa${'abcdefghij'.charAt(count % 10)}` })];
  });
}

const plainOf = (passenger: JsonObject): JsonObject => passenger;

function inFirst(body: JsonObject, { list }: Spelling, change: Mutation): JsonObject {
  if (list === null) return change(body);
  const [first = {}, ...others] = objectsAt(body, list);
  return { ...body, [list]: [change(first), ...others] };
}

/** Any valid booking: unusual texts, clocks in any spelling, fields absent, null or filled. */
function generated(carrier: Carrier): Wci {
  return {
    name: `subscribe ${carrier} generated`,
    family: 'bookings',
    cells: ['generated', `generated ${carrier}`],
    ...spending(1),
    worth: 1,
    isPossible: () => true,
    bring: async (stage) => {
      const draft = stage.sample(bookingDraft(stage.bench.now()));
      const trip = stage.oneOf(['international', 'twoLeg', 'domestic'] as const);
      await stage.prepare(trip ?? 'international');
      const target = {
        itinerary: stage.itinerary(trip),
        now: stage.bench.now(),
        pnr: stage.bench.identities.pnr(),
      };
      await subscribeWith(stage, renderBooking(draft, target), { carrier, what: `subscribe ${carrier}` });
    },
  };
}

/** One clock of a plain booking in any spelling, or in one on which the documents are silent. */
function spelledClock(member: 'departure_datetime' | 'arrival_datetime', carrier: Carrier): Wci {
  return {
    name: `subscribe ${carrier} ${member} in any spelling`,
    family: 'spelled clocks',
    cells: ['spelled', `spelled ${member}`, `spelled ${member} ${carrier}`],
    ...spending(1),
    worth: 1,
    isPossible: () => true,
    bring: async (stage) => {
      const body = stage.booking();
      const spell = (leg: JsonObject): JsonObject => {
        const text = textAt(leg, member);
        const corner = stage.oneOf(dateTimeCorners);
        const isCorner = stage.random() < 0.3 && corner !== undefined;
        const spelled = renderDateTime(parseLocal(text), stage.sample(dateTimeForm));
        return { ...leg, [member]: isCorner ? corner.text(parseLocal(text)) : spelled };
      };
      const flights = objectsAt(body, 'flights').map(spell);
      await subscribeWith(stage, { ...body, flights }, { carrier, what: `subscribe ${carrier}` });
    },
  };
}

/** A complete booking whose only address is an unusual one. */
function unusualAddress(email: string, carrier: Carrier): Wci {
  return {
    name: `subscribe ${carrier} with ${email}`,
    family: 'readiness',
    cells: ['ready email', `ready email ${email}`, `ready email ${carrier} ${email}`],
    ...spending(1),
    worth: 1,
    isPossible: () => true,
    bring: async (stage) => {
      const body = withPassengers(stage.booking(), (all) => all.map((one) => ({ ...one, email })));
      await subscribeWith(stage, body, { carrier, what: 'subscribe unusual email' });
    },
  };
}
