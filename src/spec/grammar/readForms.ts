import { always } from '../kit/mutation.ts';
import { onceForEach } from '../../core/latest.ts';
import type { OperationId } from '../../core/operations.ts';
import { isJsonObject, type JsonValue } from '../kit/json.ts';
import { bookingTable } from './booking.ts';
import { envelopeTable, type Envelope } from './envelope.ts';
import { flightSubscribeTable, lookupTable } from './flightSubscribe.ts';
import {
  open,
  other,
  type Asked,
  type Form,
  type FormKind,
  type Refusal,
  type Sent,
  type Table,
} from './form.ts';
import { listTable } from './listQuery.ts';
import { rowAt } from './narrowerRows.ts';
import { Layer, Place, type Spot } from './place.ts';
import { statusForms } from './statusQuery.ts';
import { passengersOfUpdate, passengersPlace, updateForms, updateTraits } from './update.ts';

/** Something in a request that a sentence of the documents speaks of. */
export interface Feature {
  readonly kind: FormKind;
  /** The sentence that speaks of it where it stands; null for what is open. */
  readonly rule: string | null;
  /** The form, wherever it stands. */
  readonly name: string;
  /** The path of the member, such as `flights[1].origin`; empty for the request as a whole. */
  readonly at: string;
  readonly value: unknown;
  /** Whether it stands in the first element of its list or in a later one. */
  readonly place: 'first' | 'later';
  readonly refusal: Refusal;
  /** Whether it is one of several that a value has, and not the one way in which it is written. */
  readonly isTrait: boolean;
  /** The form and where it stands: the same for requests of one operation by one carrier, and for elements behind the first. */
  readonly spot: string;
}

/** A feature for which no service may accept the request. */
export interface Fault extends Feature {
  readonly kind: 'fault';
  readonly rule: string;
}

/** Everything in a request that a sentence of the documents speaks of; `sent` is its body, or its query as an object. */
export function readForms(sent: Sent, asked: Asked, envelope?: Envelope): readonly Feature[] {
  const features = asked.now === undefined ? withoutClock(sent, asked) : membersIn(sent, asked);
  const around = envelope ? featuresAround(envelope, asked) : none;
  return around.length === 0 ? features : [...features, ...around];
}

/** The first fault among them: one that the payload shows alone comes before one of the journey. */
export function firstFault(features: readonly Feature[]): Fault | null {
  const faults = features.filter(isFault);
  return faults.find(({ refusal }) => refusal === 'payload') ?? faults[0] ?? null;
}

function isFault(feature: Feature): feature is Fault {
  return feature.kind === 'fault';
}

/** Every sentence that allows something in such a request. */
export function freeRows(operation: OperationId): readonly string[] {
  return [
    ...new Set(
      [...(tables[operation] ?? []), envelopeTable].flatMap((table) =>
        formsOf(table).flatMap(({ kind, rule }) => (kind === 'free' ? (rule ?? []) : [])),
      ),
    ),
  ];
}

/** Every sentence by which the likelier reading refuses something in such a request, where readers differ. */
export function doubtfulRows(operation: OperationId): readonly string[] {
  const forms = (tables[operation] ?? []).flatMap((table) => formsOf(table));
  return [...new Set(forms.flatMap(({ kind, rule }) => (kind === 'open' ? (rule ?? []) : [])))];
}

function formsOf(table: Table): readonly Form[] {
  return Object.values(table).flatMap(({ forms, also = [], whole = [], inside = {}, each = {} }) => [
    ...forms,
    ...also,
    ...whole,
    ...formsOf(inside),
    ...formsOf(each),
  ]);
}

/** Every sentence that a fault of such a request can break, by its carriers and by the elements in which it may stand. */
export function faultRows(operation: OperationId): readonly string[] {
  const carriers = operation.startsWith('wci.') ? (['json', 'multipart'] as const) : (['json'] as const);
  const rows = (tables[operation] ?? [])
    .flatMap((table) => faultsIn(table))
    .flatMap(({ at, rule }) =>
      carriers.flatMap((carrier) =>
        ['[0]', '[1]', '[2]'].map((index) => rowAt(rule, at.replace('[]', index), { operation, carrier })),
      ),
    );
  return [...new Set(rows)];
}

interface FaultRow {
  readonly at: string;
  readonly rule: string;
}

function faultsIn(table: Table, prefix = ''): readonly FaultRow[] {
  return Object.entries(table).flatMap(([name, { forms, whole = [], inside = {}, each = {} }]) => [
    ...[...forms, ...whole]
      // What is past is said by the deployment's clock alone, which a request does not show.
      .filter(({ kind, isDated = false }) => kind === 'fault' && !isDated)
      .map(({ rule }) => ({ at: `${prefix}${name}`, rule: rule ?? '' })),
    ...faultsIn(inside, `${prefix}${name}.`),
    ...faultsIn(each, `${prefix}${name}[].`),
  ]);
}

const wholeOfUpdate: Table = { '': { forms: updateForms, also: updateTraits } };
// What is past does not depend on the tables, only what they make.
const [booking, lookup, subscribe] = [bookingTable(0), lookupTable(0), flightSubscribeTable(0)];

const tables: Readonly<Partial<Record<OperationId, readonly Table[]>>> = {
  'wci.subscribe': [booking],
  'wci.update': [{ passengers: passengersOfUpdate }, wholeOfUpdate],
  'wci.status': [{ '': { forms: statusForms } }],
  'fla.lookup': [lookup],
  'fla.subscribe': [subscribe],
};

type Read = (sent: Sent, reader: Reader) => void;

/** The readers of one operation by one carrier, made when the first request comes. */
const readersOf: Readonly<Record<OperationId, (asked: Asked) => Read>> = {
  'wci.subscribe': (asked) => readerOf(asked, booking),
  'wci.update': (asked) => {
    const whole = new Place(asked, '', '', { forms: updateForms, also: updateTraits });
    const passengers = new Place(asked, '', 'passengers', passengersOfUpdate);
    return (body, reader) => {
      reader.member('', whole, body);
      const place = passengersPlace(body);
      if (place !== null)
        reader.member(place.slice(0, -'passengers'.length), passengers, valueAt(body, place));
    };
  },
  'wci.status': (asked) => {
    const whole = new Place(asked, '', '', { forms: statusForms });
    return (query, reader) => reader.member('', whole, query);
  },
  'wci.list': (asked) => readerOf(asked, listTable),
  'fla.lookup': (asked) => readerOf(asked, lookup),
  'fla.subscribe': (asked) => readerOf(asked, subscribe),
};

function readerOf(asked: Asked, table: Table): Read {
  const layer = new Layer(asked, '', table);
  return (sent, reader) => reader.layer('', layer, sent);
}

/** How one operation is read by one carrier. */
interface Reading {
  readonly members: Read;
  readonly around: Layer;
  /** What was read last around the members: most requests have the same there. */
  envelope: Envelope | null;
  features: readonly Feature[];
}

const none: readonly Feature[] = [];

const readings: Partial<Record<OperationId, Partial<Record<Asked['carrier'], Reading>>>> = {};

function readingOf({ operation, carrier }: Asked): Reading {
  const ofOperation = (readings[operation] ??= {});
  return (ofOperation[carrier] ??= {
    members: readersOf[operation]({ operation, carrier }),
    around: new Layer({ operation, carrier }, '', envelopeTable),
    envelope: null,
    features: none,
  });
}

function featuresAround(envelope: Envelope, asked: Asked): readonly Feature[] {
  const reading = readingOf(asked);
  if (reading.envelope === envelope) return reading.features;
  const reader = new Reader(asked);
  reader.layer('', reading.around, { ...envelope });
  reading.envelope = envelope;
  return (reading.features = reader.features);
}

function membersIn(sent: Sent, asked: Asked): readonly Feature[] {
  const reader = new Reader(asked);
  readingOf(asked).members(sent, reader);
  return reader.features;
}

/** What was read of a body or a query, as all ask for whom the clock does not matter. */
const readingIn = onceForEach<Sent, { asked?: Asked; features: readonly Feature[] }>(() => ({
  features: [],
}));

function withoutClock(sent: Sent, asked: Asked): readonly Feature[] {
  const known = readingIn(sent);
  if (known.asked?.operation === asked.operation && known.asked.carrier === asked.carrier)
    return known.features;
  known.asked = asked;
  return (known.features = membersIn(sent, asked));
}

/** What happens to it is open (SHR-OPN-009). */
const unknownMember = open(
  'unknown-member',
  other,
  always((object) => object),
);

class Reader {
  readonly features: Feature[] = [];
  readonly #asked: Asked;
  #index = 0;

  constructor(asked: Asked) {
    this.#asked = asked;
  }

  layer(prefix: string, layer: Layer, object: Sent): void {
    for (const place of layer.places) this.member(prefix, place, object[place.name]);
    for (const name of layer.unknownIn(object))
      this.#note(prefix + name, layer.unknown(this.#asked, name, unknownMember), object[name]);
  }

  member(prefix: string, place: Place, value: unknown): void {
    const { spots, isFault } = place.read(value, this.#asked.now);
    for (const spot of spots) this.#note(prefix + place.name, spot, value);
    if (isFault || typeof value !== 'object' || value === null) return;
    const { inside, each } = place;
    if (Array.isArray(value)) {
      if (each) this.#list(prefix + place.name, place, each, value);
    } else if (inside) this.layer(`${prefix}${place.name}.`, inside, value as Sent);
  }

  /** The elements of a list, and the list as a whole if these have no fault. */
  #list(at: string, place: Place, layer: Layer, list: readonly unknown[]): void {
    const before = this.features.length;
    const outer = this.#index;
    for (const [index, element] of list.entries()) {
      this.#index = Math.max(outer, index);
      if (isJsonObject(element as JsonValue)) this.layer(`${at}[${index}].`, layer, element as Sent);
    }
    this.#index = outer;
    if (this.features.some(({ kind }, index) => index >= before && kind === 'fault')) return;
    const whole = place.readWhole(list, this.#asked.now);
    if (whole) this.#note(at, whole, list);
  }

  #note(at: string, { form, isTrait, names }: Spot, value: unknown): void {
    const { kind, name, refusal, about } = form;
    const rule = kind === 'fault' ? rowAt(form.rule ?? '', at, this.#asked) : form.rule;
    const place = this.#index > 0 ? 'later' : 'first';
    const [own, held] = about === undefined ? [at, value] : [about, valueAt(value, about)];
    this.features.push({
      kind,
      rule,
      name,
      at: own,
      value: held,
      place,
      refusal,
      isTrait,
      spot: names[place],
    });
  }
}

function valueAt(value: unknown, path: string): unknown {
  const steps = path.split('.');
  return steps.reduce<unknown>(
    (inner, step) => (isJsonObject(inner as JsonValue) ? (inner as Sent)[step] : undefined),
    value,
  );
}
