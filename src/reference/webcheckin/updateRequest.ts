import { readBody, type RequestBody } from '../shared/body.ts';
import type { Incoming } from '../shared/call.ts';
import { invalid } from '../shared/refusal.ts';
import { refuseUnknown } from '../shared/unknownMembers.ts';
import { breakOn } from './breakOn.ts';
import type { WebCheckin } from './context.ts';
import { Inspection, isMissing, isObject } from './inspection.ts';
import { inspectPassengers } from './passengers.ts';
import type { Members, UpdateForm } from './policyTerms.ts';
import type { Passenger } from './records.ts';

type IdentifierName = 'checkin_id' | 'webcheckin_id' | 'booking_id';

/** Which attempt an update is about; several identifiers in order of precedence. */
export interface Identifier {
  readonly name: IdentifierName;
  readonly value: string;
}

/** A validated update (POST update). */
export type UpdateRequest = {
  readonly identifiers: readonly Identifier[];
  readonly form: UpdateForm;
  /** The body as it was sent. */
  readonly sent: Members;
  readonly inspection: Inspection;
} & (
  | { readonly type: 'passengers'; readonly passengers: readonly Passenger[] }
  | { readonly type: 'pnr'; readonly pnr: string }
);

const members = ['checkin_id', 'webcheckin_id', 'booking_id', 'type', 'operation', 'passengers', 'payload'];

export async function readUpdate(incoming: Incoming, { policy }: WebCheckin): Promise<UpdateRequest> {
  const body = await readBody(incoming, ['passengers', 'payload'], policy);
  const inspection = new Inspection(policy, { operation: 'update', multipart: body.multipart });
  if (!inspection.require(isObject(body.value), 'body.object', 'The body must be an object.'))
    inspection.refuse('journey');
  const value = body.value as Members;
  if (!body.multipart) refuseUnknown(Object.keys(value), members, policy);
  for (const name of members) breakOn(name, value[name], policy);
  const identifiers = readIdentifiers(value, body, inspection);
  const { operation } = value;
  const known = isMissing(operation) || operation === 'update';
  inspection.require(known, 'update.operation.values', 'operation must be update.');
  inspection.require(!isMissing(operation), 'update.operation.required', 'operation is required.');
  inspection.require(isMissing(operation), 'update.operation.none', 'operation is not known.');
  const content = readContent(value, body, inspection);
  inspection.refuse('payload');
  return { identifiers, form: formOf(value, body), sent: value, inspection, ...content };
}

function formOf({ type, passengers }: Members, { multipart, files }: RequestBody): UpdateForm {
  return { type, multipart, files: files.length, nested: isMissing(passengers) };
}

function readIdentifiers(value: Members, body: RequestBody, inspection: Inspection): readonly Identifier[] {
  const { policy } = inspection;
  const given = policy
    .identifierOrder(formOf(value, body), value)
    .filter((name) => !isMissing(value[name]))
    .map((name) => ({ name, value: identifierText(name, value[name], inspection) }));
  const text = 'checkin_id, webcheckin_id or booking_id is required.';
  inspection.require(given.length > 0, 'update.identifier', text);
  const named = given.some(({ name }) => name !== 'booking_id');
  const uploads = body.files.length > 0;
  const uploadText = 'Uploads require checkin_id or webcheckin_id.';
  inspection.require(!uploads || named, 'update.uploadIdentifier', uploadText);
  if (policy.identifiers === 'one-only' && given.length > 1) throw invalid('Give one identifier only.');
  return orderAliases(given, inspection);
}

/** Which of checkin_id and webcheckin_id counts where both are given with different values. */
function orderAliases(given: readonly Identifier[], { policy }: Inspection): readonly Identifier[] {
  const main = given.find(({ name }) => name === 'checkin_id');
  const alias = given.find(({ name }) => name === 'webcheckin_id');
  if (!main || !alias || main.value === alias.value || policy.aliasConflict === 'main') return given;
  if (policy.aliasConflict === 'refused') throw invalid('checkin_id and webcheckin_id differ.');
  return [alias, ...given.filter((one) => one !== alias)];
}

function identifierText(name: IdentifierName, value: unknown, inspection: Inspection): string {
  const whole = name === 'booking_id' && Number.isInteger(value);
  if (!whole && typeof value !== 'string') inspection.note('structure', `${name} has a wrong type.`);
  const numeric = name !== 'booking_id' || typeof value === 'number';
  inspection.require(numeric, 'update.bookingId.number', 'booking_id must be a number.');
  const textual = name !== 'booking_id' || typeof value === 'string';
  inspection.require(textual, 'update.bookingId.text', 'booking_id must be a string.');
  if (value === '' && inspection.policy.emptyIdentifier === 'invalid')
    inspection.note('structure', `${name} must not be empty.`);
  return String(value);
}

type Content =
  | { readonly type: 'passengers'; readonly passengers: readonly Passenger[] }
  | { readonly type: 'pnr'; readonly pnr: string };

function readContent(value: Members, body: RequestBody, inspection: Inspection): Content {
  const { payload } = value;
  if (!isMissing(payload) && !isObject(payload)) inspection.note('structure', 'payload must be an object.');
  const inner = isObject(payload) ? payload : {};
  const type = readType(value, inner, inspection);
  if (type === 'pnr') return { type, pnr: readNewPnr(value, inner, inspection) };
  return { type: 'passengers', passengers: readPassengers({ value, payload: inner, body }, inspection) };
}

const untyped = { field: 'type' };

function readType(value: Members, payload: Members, inspection: Inspection): unknown {
  const { type } = value;
  const { policy } = inspection;
  if (isMissing(type)) {
    const allowed = policy.untypedPayload === 'accepted' && !isMissing(payload.passengers);
    const implied = !isMissing(value.passengers) || allowed;
    if (!implied && policy.untypedPnr === 'accepted' && !isMissing(payload.pnr)) return 'pnr';
    inspection.require(implied, 'update.type.needed', 'type may be omitted only with passengers.', untyped);
    return 'passengers';
  }
  const known = type === 'passengers' || type === 'pnr';
  inspection.require(known, 'update.type.values', 'type must be passengers or pnr.', {
    field: 'type',
    value: type,
  });
  const contradicts = type === 'pnr' && !isMissing(value.passengers ?? payload.passengers);
  if (contradicts && policy.contradictingType === 'refused')
    inspection.note('structure', 'type pnr does not go with passengers.');
  return type;
}

function readNewPnr(value: Members, payload: Members, inspection: Inspection): string {
  const pnr = inspection.policy.newPnr(value, payload);
  inspection.require(typeof pnr === 'string', 'update.pnr.needed', 'payload.pnr is required for type pnr.');
  inspection.require(pnr !== '', 'update.pnr.length', 'payload.pnr must not be empty.');
  const isLocator = typeof pnr !== 'string' || pnr.length === 6;
  inspection.require(isLocator, 'update.pnr.six', 'payload.pnr must have six characters.');
  return typeof pnr === 'string' ? inspection.policy.canonicalCode(pnr) : '';
}

function readPassengers(
  { value, payload, body }: { value: Members; payload: Members; body: RequestBody },
  inspection: Inspection,
): readonly Passenger[] {
  const { passengersTwice, nestedPassengers } = inspection.policy;
  const isTwice = !isMissing(value.passengers) && !isMissing(payload.passengers);
  if (isTwice && passengersTwice === 'refused') inspection.note('structure', 'passengers is given twice.');
  const nested = isMissing(value.passengers) || (isTwice && passengersTwice === 'payload');
  const inPayload = nestedPassengers === 'read' ? payload.passengers : undefined;
  const sent = nested ? inPayload : value.passengers;
  const placed = nested || isMissing(value.type);
  inspection.require(placed, 'update.passengers.nested', 'passengers belongs into payload.');
  const text = 'passengers is required for type passengers.';
  const at = isMissing(value.type) ? untyped : {};
  if (!inspection.require(!isMissing(sent), 'update.passengers.needed', text, at)) return [];
  const inner = new Inspection(inspection.policy, { ...inspection.place, nested });
  const passengers = inspectPassengers(sent, body, inner);
  for (const defect of inner.defects) inspection.note(defect.kind, defect.text);
  return passengers;
}
