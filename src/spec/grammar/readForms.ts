import { always } from '../kit/mutation.ts';
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
  type Member,
  type Refusal,
  type Sent,
  type Table,
} from './form.ts';
import { listTable } from './listQuery.ts';
import { rowAt } from './narrowerRows.ts';
import { passengerTable } from './passenger.ts';
import { statusForms } from './statusQuery.ts';
import { passengersPlace, updatedPassengers, updateForms, updateTraits } from './update.ts';

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
}

/** A feature for which no service may accept the request. */
export interface Fault extends Feature {
  readonly kind: 'fault';
  readonly rule: string;
}

/** Everything in a request that a sentence of the documents speaks of; `sent` is its body, or its query as an object. */
export function readForms(sent: Sent, asked: Asked, envelope?: Envelope): readonly Feature[] {
  const reader = new Reader(asked);
  readers[asked.operation]?.(sent, reader);
  if (envelope) reader.table(envelopeTable, { ...envelope }, '');
  return reader.features;
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
      .filter(({ kind, name: form }) => kind === 'fault' && !form.endsWith('past'))
      .map(({ rule }) => ({ at: `${prefix}${name}`, rule: rule ?? '' })),
    ...faultsIn(inside, `${prefix}${name}.`),
    ...faultsIn(each, `${prefix}${name}[].`),
  ]);
}

type Read = (sent: Sent, reader: Reader) => void;

const passengersOfUpdate: Member = { forms: updatedPassengers, each: passengerTable };
// What is past does not depend on the tables, only what they make.
const [booking, lookup, subscribe] = [bookingTable(0), lookupTable(0), flightSubscribeTable(0)];

const tables: Readonly<Partial<Record<OperationId, readonly Table[]>>> = {
  'wci.subscribe': [booking],
  'wci.update': [{ passengers: passengersOfUpdate }, { '': { forms: updateForms, also: updateTraits } }],
  'wci.status': [{ '': { forms: statusForms } }],
  'fla.lookup': [lookup],
  'fla.subscribe': [subscribe],
};

const readers: Readonly<Partial<Record<OperationId, Read>>> = {
  'wci.subscribe': (body, reader) => {
    reader.table(booking, body, '');
  },
  'wci.update': (body, reader) => {
    reader.member('', { forms: updateForms, also: updateTraits }, body);
    const place = passengersPlace(body);
    if (place !== null) reader.member(place, passengersOfUpdate, valueAt(body, place));
  },
  'wci.status': (query, reader) => {
    reader.member('', { forms: statusForms }, query);
  },
  'wci.list': (query, reader) => {
    reader.table(listTable, query, '');
  },
  'fla.lookup': (query, reader) => {
    reader.table(lookup, query, '');
  },
  'fla.subscribe': (body, reader) => {
    reader.table(subscribe, body, '');
  },
};

/** What happens to it is open (SHR-OPN-009). */
const unknown: Member = {
  forms: [
    open(
      'unknown-member',
      other,
      always((object) => object),
    ),
  ],
};

class Reader {
  readonly features: Feature[] = [];
  readonly #asked: Asked;
  #index = 0;

  constructor(asked: Asked) {
    this.#asked = asked;
  }

  table(table: Table, object: Sent, prefix: string): void {
    for (const name in table) this.member(`${prefix}${name}`, table[name] ?? unknown, object[name]);
    for (const name in object) if (!(name in table)) this.member(`${prefix}${name}`, unknown, object[name]);
  }

  member(at: string, { forms, also = [], inside, each, whole }: Member, value: unknown): void {
    const isBroken = this.#note(at, forms, value);
    if (isBroken) return;
    for (const trait of also) this.#note(at, [trait], value, true);
    if (inside && isJsonObject(value as JsonValue)) this.table(inside, value as Sent, `${at}.`);
    if (!each || !Array.isArray(value)) return;
    const before = this.features.length;
    this.#elements(at, each, value);
    if (whole && !this.features.slice(before).some(({ kind }) => kind === 'fault'))
      this.#note(at, whole, value);
  }

  #elements(at: string, table: Table, list: readonly unknown[]): void {
    const outer = this.#index;
    for (const [index, element] of list.entries()) {
      this.#index = Math.max(outer, index);
      if (isJsonObject(element as JsonValue)) this.table(table, element as Sent, `${at}[${index}].`);
    }
    this.#index = outer;
  }

  /** Notes the first form that fits, and says whether it is a fault. */
  #note(at: string, forms: readonly Form[], value: unknown, isTrait = false): boolean {
    const form = forms.find(({ fits }) => fits(value, this.#asked));
    if (!form) return false;
    const { kind, name, refusal, about } = form;
    const rule = kind === 'fault' ? rowAt(form.rule ?? '', at, this.#asked) : form.rule;
    const place = this.#index > 0 ? 'later' : 'first';
    const of = about === undefined ? { at, value } : { at: about, value: valueAt(value, about) };
    this.features.push({ kind, rule, name, ...of, refusal, place, isTrait });
    return kind === 'fault';
  }
}

function valueAt(value: unknown, path: string): unknown {
  const steps = path.split('.');
  return steps.reduce<unknown>(
    (inner, step) => (isJsonObject(inner as JsonValue) ? (inner as Sent)[step] : undefined),
    value,
  );
}
