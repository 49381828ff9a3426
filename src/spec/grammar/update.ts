import { onceForLatest } from '../../core/latest.ts';
import { isJsonObject, objectsAt, without, type JsonObject, type JsonValue } from '../kit/json.ts';
import { always, mapped, setTo, type Make, type Mutation } from '../kit/mutation.ts';
import { fault, free, isMissing, isText, open, textOf, type Asked, type Form, type Sent } from './form.ts';
import { listForms } from './listForms.ts';

const identifiers = ['checkin_id', 'webcheckin_id', 'booking_id'] as const;
const held = (value: unknown): JsonObject => (isJsonObject(value as JsonValue) ? (value as JsonObject) : {});
const given = (body: Sent, member: string) => !isMissing(body[member]);

/** Where the passengers stand that an update replaces; null if there are none, or if readers may take one of two lists. */
export function passengersPlace(body: Sent): 'passengers' | 'payload.passengers' | null {
  const inner = held(body.payload);
  if (body.type === 'pnr' || (body.passengers !== undefined && inner.passengers !== undefined)) return null;
  if (given(body, 'passengers')) return 'passengers';
  return given(inner, 'passengers') ? 'payload.passengers' : null;
}

/** The rules of a list of passengers in an update; that there is none belongs to the envelope. */
export const updatedPassengers = listForms('passengers', ['', 'WCI-UPD-023', 'WCI-UPD-048']).filter(
  ({ rule }) => rule !== '',
);

/**
 * The forms of an update as a whole: how it names its record, what it is and what it carries. The valid body has an identifier and
 * passengers, at the top or in payload, or type pnr with payload.pnr; what a fault does not concern is kept.
 */
export const updateForms: readonly Form[] = [
  // In which parts type and operation travel is not shown, so that these may be passed over.
  envelope(
    'WCI-UPD-007',
    'no-identifier',
    'checkin_id',
    (body) => identifiers.every((name) => !given(body, name)),
    (body) => without(body, ...identifiers),
  ),
  of(
    'WCI-UPD-020',
    'type-true',
    'type',
    ({ type }) => !isMissing(type) && !isText(type),
    setTo('type', true),
  ),
  of(
    'WCI-UPD-020',
    'type-unknown',
    'type',
    ({ type }) => isText(type) && !isWord(type, 'passengers', 'pnr'),
    setTo('type', 'flights', 'booking', 'callback'),
  ),
  of(
    'WCI-UPD-022',
    'operation-unknown-of-a-pnr',
    'operation',
    (body) => hasOtherOperation(body) && body.type === 'pnr',
    always((body: JsonObject) => ({
      ...pnrOf(body, 'GTCHK1'),
      operation: 'delete',
    })),
  ),
  of(
    'WCI-UPD-022',
    'operation-unknown',
    'operation',
    hasOtherOperation,
    setTo('operation', 'delete', 'replace', 'add'),
  ),
  // A letter case and spaces of their own; an operation of nothing may be none.
  open(
    'update-words-otherwise',
    (body) => hasOtherWord(held(body)),
    setTo('type', 'Passengers', 'PASSENGERS '),
  ),
  // With passengers beside it, it may be read as an update of those.
  open(
    'pnr-beside-passengers',
    (body) => isPnr(held(body)) && hasPassengers(held(body)),
    setTo('type', 'pnr'),
  ),
  pnr('WCI-UPD-017', 'pnr-at-top-level', (value, body) => isMissing(value) && isText(body.pnr), {
    pnr: 'GTCHK1',
  }),
  pnr('WCI-UPD-015', 'pnr-null', (value) => value === null, { payload: { pnr: null } }),
  pnr(
    'WCI-UPD-015',
    'pnr-with-empty-payload',
    (value, { payload }) => value === undefined && payload !== undefined,
    { payload: {} },
  ),
  pnr('WCI-UPD-015', 'pnr-without-payload', (value) => value === undefined, {}),
  pnr('WCI-UPD-016', 'pnr-empty', (value) => value === '', { payload: { pnr: '' } }),
  pnr('WCI-UPD-049', 'pnr-number', (value) => typeof value === 'number', { payload: { pnr: 123456 } }),
  pnr('WCI-UPD-049', 'pnr-array', (value) => Array.isArray(value), { payload: { pnr: ['GTCHK1'] } }),
  pnr('WCI-UPD-049', 'pnr-boolean', (value) => !isText(value), { payload: { pnr: true } }),
  envelope(
    'WCI-UPD-024',
    'type-without-passengers',
    'passengers',
    (body) => body.type === 'passengers' && !hasPassengers(body),
    (body) => ({
      ...bare(body),
      type: 'passengers',
    }),
  ),
  envelope(
    'WCI-UPD-051',
    'nothing-to-do',
    'passengers',
    (body) => ['type', 'passengers', 'payload'].every((name) => !given(body, name)),
    bare,
  ),
];

const isFilled = (value: unknown) => isText(value) && value !== '';
const isDigits = (value: unknown) => isText(value) && /^\d+$/.test(value);
const kinds = ['passengers', 'pnr'] as const;

/** What an update that is allowed has, each for itself; whatever is none of these ways to name a record and its data is open. */
export const updateTraits: readonly Form[] = [
  ...kinds.flatMap((kind) => {
    const named = (by: string, has: (value: unknown) => boolean, ...rows: Rows) => {
      const member = by.split(' ')[0] ?? by;
      const isSo = (body: JsonObject) => subjectOf(body) === kind && isNamedBy(body, member, has);
      return trait(`${kind}-by-${by}`, member, isSo, ...rows);
    };
    return [
      ...named('checkin_id', isFilled, 'WCI-UPD-001', 'WCI-MP-012'),
      ...named('webcheckin_id', isFilled, 'WCI-UPD-002', 'WCI-MP-015'),
      ...named('booking_id', Number.isInteger, 'WCI-UPD-003', null),
      ...named('booking_id of digits', isDigits, 'WCI-UPD-004', null),
    ];
  }),
  ...trait('operation-given', 'operation', ({ operation }) => operation === 'update', 'WCI-UPD-021', null),
  ...trait(
    'operation-left-out',
    'operation',
    ({ operation }) => operation === undefined,
    'WCI-UPD-021',
    null,
  ),
  ...trait(
    'type-given',
    'type',
    ({ type, passengers }) => type === 'passengers' && passengers !== undefined,
    'WCI-UPD-010',
    null,
  ),
  ...trait(
    'type-left-out',
    'type',
    (body) => subjectOf(body) === 'passengers' && !isText(body.type),
    'WCI-UPD-011',
    null,
  ),
  ...trait(
    'in-payload',
    'payload',
    ({ payload }) => given(held(payload), 'passengers'),
    'WCI-UPD-012',
    'WCI-UPD-012',
  ),
  ...trait('pnr-in-payload', 'payload', (body) => subjectOf(body) === 'pnr', 'WCI-UPD-013', 'WCI-MP-013'),
  ...trait(
    'short-pnr',
    'payload.pnr',
    ({ payload }) => /^[A-Z0-9]{1,5}$/.test(textOf(held(payload).pnr)),
    'WCI-UPD-055',
    null,
  ),
  open(
    'named-otherwise',
    (body, { carrier }) => !isNamed(held(body), carrier),
    always((body) => body),
  ),
  open(
    'carried-otherwise',
    (body) => subjectOf(held(body)) === null,
    always((body) => body),
  ),
];

type Rows = readonly [json: string, multipart: string | null];

function trait(name: string, about: string, has: Has, ...[json, multipart]: Rows): readonly Form[] {
  const form = (rule: string, as: 'json' | 'multipart'): Form => ({
    ...free(
      rule,
      name,
      (body, { carrier }) => carrier === as && has(held(body)),
      always((body) => body),
    ),
    about,
  });
  return [form(json, 'json'), ...(multipart === null ? [] : [form(multipart, 'multipart')])];
}

function isNamedBy(body: JsonObject, member: string, has: (value: unknown) => boolean): boolean {
  return has(body[member]) && identifiers.every((name) => name === member || body[name] === undefined);
}

/** Uploads need one of the first two. */
function isNamed(body: JsonObject, carrier: Asked['carrier']): boolean {
  const isBooking = (value: unknown) => carrier === 'json' && (isFilled(value) || Number.isInteger(value));
  return identifiers.some((by) => isNamedBy(body, by, by === 'booking_id' ? isBooking : isFilled));
}

/** What it changes, if it is carried in a way that is allowed; many forms ask. */
const subjectOf = onceForLatest((body: JsonObject): (typeof kinds)[number] | null =>
  isOfPassengers(body) ? 'passengers' : isOfPnr(body) ? 'pnr' : null,
);

/** Passengers at the top, or in payload with their type. */
function isOfPassengers(body: JsonObject): boolean {
  const { type, passengers, payload } = body;
  if (!hasOnly(body, 'type', 'operation', 'passengers', 'payload', ...identifiers)) return false;
  return type === 'passengers' && passengers === undefined
    ? hasOnly(held(payload), 'passengers')
    : (type === undefined || type === 'passengers') && payload === undefined;
}

function isOfPnr(body: JsonObject): boolean {
  const { type, payload } = body;
  return (
    type === 'pnr' &&
    /^[A-Z0-9]{1,8}$/.test(textOf(held(payload).pnr)) &&
    hasOnly(body, 'type', 'operation', 'payload', ...identifiers) &&
    hasOnly(held(payload), 'pnr')
  );
}

function hasOnly(object: JsonObject, ...names: readonly string[]): boolean {
  return Object.keys(object).every((name) => names.includes(name));
}

type Has = (body: JsonObject) => boolean;

function of(rule: string, name: string, about: string, has: Has, make: Make): Form {
  return { ...fault(rule, name, (body, { carrier }) => carrier === 'json' && has(held(body)), make), about };
}

function envelope(rule: string, name: string, about: string, has: Has, change: Mutation): Form {
  return of(rule, name, about, has, always(change));
}

function pnr(
  rule: string,
  name: string,
  has: (value: unknown, body: JsonObject) => boolean,
  members: JsonObject,
): Form {
  return envelope(
    rule,
    name,
    'payload.pnr',
    (body) => isPnr(body) && has(held(body.payload).pnr, body),
    (body) => ({ ...bare(body), type: 'pnr', ...members }),
  );
}

/** Identifiers and operation: what an update has beside its subject. */
function bare(body: JsonObject): JsonObject {
  return without(body, 'type', 'passengers', 'payload', 'pnr');
}

function pnrOf(body: JsonObject, locator: string): JsonObject {
  return { ...bare(body), type: 'pnr', payload: { pnr: locator } };
}

function isPnr({ type }: JsonObject): boolean {
  return type === 'pnr';
}

function hasPassengers(body: JsonObject): boolean {
  return given(body, 'passengers') || given(held(body.payload), 'passengers');
}

function hasOtherOperation({ operation }: JsonObject): boolean {
  return isText(operation) && !isWord(operation, 'update', '');
}

function hasOtherWord({ type, operation }: JsonObject): boolean {
  const isPlain = (value: unknown, ...words: readonly string[]) =>
    isMissing(value) || words.includes(value as string);
  return !isPlain(type, 'passengers', 'pnr') || !isPlain(operation, 'update');
}

function isWord(text: string, ...words: readonly string[]): boolean {
  return words.includes(text.trim().toLowerCase());
}

/** Where the passengers of a valid update stand, for faults in them. */
export function inPassengers(edit: Make): Make {
  return mapped(edit, (change) => (body) => {
    const payload = held(body.payload);
    return holderOf(body) === 'payload' ? { ...body, payload: change(payload) } : change(body);
  });
}

export function holderOf(body: JsonObject): 'top' | 'payload' | null {
  if (objectsAt(body, 'passengers').length > 0) return 'top';
  return objectsAt(held(body.payload), 'passengers').length > 0 ? 'payload' : null;
}
