import { onceForLatest } from '../../core/latest.ts';
import { objectsAt, without, type JsonObject } from '../kit/json.ts';
import { always, drop, mapped, setTo, type Make, type Mutation } from '../kit/mutation.ts';
import {
  fault,
  free,
  is,
  isList,
  isMissing,
  isObject,
  isText,
  notText,
  open,
  textOf,
  type Asked,
  type Form,
  type Member,
  type Sent,
  type Table,
} from './form.ts';
import { listForms } from './listForms.ts';
import { passengerTable } from './passenger.ts';

const identifiers = ['checkin_id', 'webcheckin_id', 'booking_id'] as const;
/** What an update can change: the words of its type. */
export const subjects = ['passengers', 'pnr'] as const;
const held = (value: unknown): JsonObject => (isObject(value) ? value : {});
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

/** The passengers of an update, at the top or in payload. */
export const passengersOfUpdate: Member = { forms: updatedPassengers, each: passengerTable };

const noLocator = fault('WCI-UPD-015', 'pnr-null', is(null), setTo('pnr', null));
const badLocators: readonly Form[] = [
  fault('WCI-UPD-016', 'pnr-empty', is(''), setTo('pnr', '')),
  fault('WCI-UPD-049', 'pnr-number', (pnr) => typeof pnr === 'number', setTo('pnr', 123456)),
  fault('WCI-UPD-049', 'pnr-array', isList, setTo('pnr', ['GTCHK1'])),
  fault('WCI-UPD-049', 'pnr-boolean', notText, setTo('pnr', true)),
];

/** The members of an update, each for itself; how they go together is said by the forms of the whole. */
export const updateTable: Table = {
  checkin_id: { forms: [], shape: { types: ['string'] } },
  webcheckin_id: { forms: [], shape: { types: ['string'] } },
  booking_id: { forms: [], shape: { types: ['integer', 'string'] } },
  type: { forms: [], shape: { words: subjects } },
  operation: { forms: [], shape: { words: ['update'] } },
  passengers: leftOut('passengers', passengersOfUpdate),
  payload: {
    forms: [],
    inside: {
      passengers: leftOut('passengers', passengersOfUpdate),
      pnr: leftOut('pnr', { forms: [noLocator, ...badLocators] }),
    },
  },
};

/** A member that may be left out for another one. */
function leftOut(name: string, member: Member): Member {
  return { ...member, forms: [open(`absent-${name}`, is(undefined), drop(name)), ...member.forms] };
}

type Has = (body: JsonObject) => boolean;
type HasPnr = (pnr: unknown, body: JsonObject) => boolean;

const isPnr: Has = ({ type }) => type === 'pnr';
const hasPassengers: Has = (body) => given(body, 'passengers') || given(held(body.payload), 'passengers');
const hasBoth: Has = (body) => isPnr(body) && hasPassengers(body);
const hasOddType: Has = ({ type }) => !isMissing(type) && !isText(type);
const hasOtherType: Has = ({ type }) => isText(type) && !isWord(type, ...subjects);
const hasOtherOperation: Has = ({ operation }) => isText(operation) && !isWord(operation, 'update', '');
const deletesPnr: Has = (body) => hasOtherOperation(body) && isPnr(body);
const lacksPassengers: Has = (body) => body.type === 'passengers' && !hasPassengers(body);
const hasNone =
  (...members: readonly string[]): Has =>
  (body) =>
    members.every((name) => !given(body, name));
const isAtTop: HasPnr = (pnr, body) => isMissing(pnr) && isText(body.pnr);
const hasOtherPayload: HasPnr = (pnr, { payload }) => pnr === undefined && payload !== undefined;
const deletion: Mutation = (body) => ({
  ...pnrWith({ payload: { pnr: 'GTCHK1' } })(body),
  operation: 'delete',
});
const ofPassengers: Mutation = (body) => ({ ...bare(body), type: 'passengers' });
const otherOperation = setTo('operation', 'delete', 'replace', 'add');
const otherWord = setTo('type', 'Passengers', 'PASSENGERS ');
const unchanged = always((body: JsonObject) => body);
const nameless: Mutation = (body) => without(body, ...identifiers);

/**
 * The forms of an update as a whole: how it names its record, what it is and what it carries. The valid body has an identifier and
 * passengers, at the top or in payload, or type pnr with payload.pnr; what a fault does not concern is kept.
 */
export const updateForms: readonly Form[] = [
  // In which parts type and operation travel is not shown, so that these may be passed over.
  of('WCI-UPD-007', 'no-identifier', 'checkin_id', hasNone(...identifiers), always(nameless)),
  of('WCI-UPD-020', 'type-true', 'type', hasOddType, setTo('type', true)),
  of('WCI-UPD-020', 'type-unknown', 'type', hasOtherType, setTo('type', 'flights', 'booking', 'callback')),
  of('WCI-UPD-022', 'operation-unknown-of-a-pnr', 'operation', deletesPnr, always(deletion)),
  of('WCI-UPD-022', 'operation-unknown', 'operation', hasOtherOperation, otherOperation),
  // A letter case and spaces of their own; an operation of nothing may be none.
  open('update-words-otherwise', (body) => hasOtherWord(held(body)), otherWord),
  // With passengers beside it, it may be read as an update of those.
  open('pnr-beside-passengers', (body) => hasBoth(held(body)), setTo('type', 'pnr')),
  pnr('WCI-UPD-017', 'pnr-at-top-level', isAtTop, { pnr: 'GTCHK1' }),
  inPayload(noLocator),
  pnr('WCI-UPD-015', 'pnr-with-empty-payload', hasOtherPayload, { payload: {} }),
  pnr('WCI-UPD-015', 'pnr-without-payload', (value) => value === undefined, {}),
  ...badLocators.map(inPayload),
  of('WCI-UPD-024', 'type-without-passengers', 'passengers', lacksPassengers, always(ofPassengers)),
  of('WCI-UPD-051', 'nothing-to-do', 'passengers', hasNone('type', 'passengers', 'payload'), always(bare)),
];

const isFilled = (value: unknown) => isText(value) && value !== '';
const isDigits = (value: unknown) => isText(value) && /^\d+$/.test(value);
const hasType: Has = ({ type, passengers }) => type === 'passengers' && passengers !== undefined;
const hasNoType: Has = (body) => subjectOf(body) === 'passengers' && !isText(body.type);
const changesPnr: Has = (body) => subjectOf(body) === 'pnr';
const hasShortPnr: Has = ({ payload }) => /^[A-Z0-9]{1,5}$/.test(textOf(held(payload).pnr));

/** How an update that is allowed names its record: by one member alone. */
const names: readonly (readonly [by: string, has: (value: unknown) => boolean, ...rows: Rows])[] = [
  ['checkin_id', isFilled, 'WCI-UPD-001', 'WCI-MP-012'],
  ['webcheckin_id', isFilled, 'WCI-UPD-002', 'WCI-MP-015'],
  ['booking_id', Number.isInteger, 'WCI-UPD-003', null],
  ['booking_id of digits', isDigits, 'WCI-UPD-004', null],
];

/** What an update that is allowed has, each for itself; whatever is none of these ways to name a record and its data is open. */
export const updateTraits: readonly Form[] = [
  ...subjects.flatMap((subject) =>
    names.flatMap(([by, has, ...rows]) => {
      const member = by.split(' ')[0] ?? by;
      const isSo: Has = (body) => subjectOf(body) === subject && isNamedBy(body, member, has);
      return trait(`${subject}-by-${by}`, member, isSo, ...rows);
    }),
  ),
  ...trait('operation-given', 'operation', ({ operation }) => operation === 'update', 'WCI-UPD-021', null),
  ...trait(
    'operation-left-out',
    'operation',
    ({ operation }) => operation === undefined,
    'WCI-UPD-021',
    null,
  ),
  ...trait('type-given', 'type', hasType, 'WCI-UPD-010', null),
  ...trait('type-left-out', 'type', hasNoType, 'WCI-UPD-011', null),
  ...trait(
    'in-payload',
    'payload',
    ({ payload }) => given(held(payload), 'passengers'),
    'WCI-UPD-012',
    'WCI-UPD-012',
  ),
  ...trait('pnr-in-payload', 'payload', changesPnr, 'WCI-UPD-013', 'WCI-MP-013'),
  ...trait('short-pnr', 'payload.pnr', hasShortPnr, 'WCI-UPD-055', null),
  open('named-otherwise', (body, { carrier }) => !isNamed(held(body), carrier), unchanged),
  open('carried-otherwise', (body) => subjectOf(held(body)) === null, unchanged),
];

type Rows = readonly [json: string, multipart: string | null];

function trait(name: string, about: string, has: Has, ...[json, multipart]: Rows): readonly Form[] {
  const form = (rule: string, as: 'json' | 'multipart'): Form => ({
    ...free(rule, name, (body, { carrier }) => carrier === as && has(held(body)), unchanged),
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
const subjectOf = onceForLatest((body: JsonObject): (typeof subjects)[number] | null =>
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

function of(rule: string, name: string, about: string, has: Has, make: Make): Form {
  return { ...fault(rule, name, (body, { carrier }) => carrier === 'json' && has(held(body)), make), about };
}

function pnr(rule: string, name: string, has: HasPnr, members: JsonObject): Form {
  const isSo: Has = (body) => isPnr(body) && has(held(body.payload).pnr, body);
  return of(rule, name, 'payload.pnr', isSo, always(pnrWith(members)));
}

/** A form of the pnr alone, in an update that changes it. */
function inPayload({ rule, name, fits, make }: Form): Form {
  const edit = mapped(make, (change) => (body: JsonObject) => pnrWith({ payload: change({}) })(body));
  const isSo: Has = (body) => isPnr(body) && fits(held(body.payload).pnr, asJson);
  return of(rule ?? '', name, 'payload.pnr', isSo, edit);
}

const asJson: Asked = { operation: 'wci.update', carrier: 'json' };

/** Identifiers and operation: what an update has beside its subject. */
function bare(body: JsonObject): JsonObject {
  return without(body, 'type', 'passengers', 'payload', 'pnr');
}

function pnrWith(members: JsonObject): Mutation {
  return (body) => ({ ...bare(body), type: 'pnr', ...members });
}

function hasOtherWord({ type, operation }: JsonObject): boolean {
  const isPlain = (value: unknown, ...words: readonly string[]) =>
    isMissing(value) || words.includes(value as string);
  return !isPlain(type, ...subjects) || !isPlain(operation, 'update');
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
