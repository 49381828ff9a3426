import type { OperationId } from '../core/operations.ts';
import { isObject, type Json, type JsonObject } from './json.ts';

/**
 * The body of a successful answer in the documented form, also where its content stands one or two levels too deep, too high, or
 * under another name, as long as only one part of the body can be meant. A form that differs breaks a rule of its own, which is
 * judged by the body as it came, and is no reason to judge nothing else.
 */
export function documentedForm(operation: OperationId, body: Json): Json {
  return readers[operation](body);
}

/**
 * The same with the members of its records in the documented type, where they can only mean one thing: `null` for nothing that is
 * missing, a number as an id, one item without its array. Other rules build on what they mean.
 */
export function documentedTypes(operation: OperationId, body: Json): Json {
  if (!isObject(body) || !operation.startsWith('wci.')) return body;
  const { data } = body;
  if (operation === 'wci.update') return isObject(data) ? { ...body, data: typedRecord(data) } : body;
  if (operation !== 'wci.list') return typedRecord(body);
  const isTyped = !Array.isArray(data) || (data as readonly Json[]).every((item) => typedItem(item) === item);
  return isTyped ? body : { ...body, data: (data as readonly Json[]).map(typedItem) };
}

function typedItem(item: Json): Json {
  return isObject(item) ? typedRecord(item) : item;
}

function typedRecord(record: JsonObject): JsonObject {
  const { checkin_id: id, missing_info: missing, boarding_passes: passes } = record;
  const isLoose = missing !== undefined && !Array.isArray(missing);
  if (typeof id !== 'number' && typeof passes !== 'string' && !isLoose) return record;
  return {
    ...record,
    ...(typeof id === 'number' && { checkin_id: String(id) }),
    ...(typeof passes === 'string' && { boarding_passes: passes === '' ? [] : [passes] }),
    ...(isLoose && { missing_info: itemsOf(missing) }),
  };
}

function itemsOf(value: Json): readonly Json[] {
  if (Array.isArray(value)) return value as readonly Json[];
  const isNothing = value === null || value === '' || value === false || value === 0;
  return isNothing || (isObject(value) && Object.keys(value).length === 0) ? [] : [value];
}

const readers: Readonly<Record<OperationId, (body: Json) => Json>> = {
  'wci.subscribe': (body) => atTop(body, isRecord),
  'wci.status': (body) => atTop(body, isRecord),
  'wci.update': updateForm,
  'wci.list': listForm,
  'fla.lookup': lookupForm,
  'fla.subscribe': subscriptionForm,
};

type Test<T extends Json = JsonObject> = (value: Json | undefined) => value is T;

const isRecord: Test = (value): value is JsonObject => isObject(value) && value.checkin_id !== undefined;
const isLeg: Test = (value): value is JsonObject =>
  isObject(value) && isObject(value.departure) && isObject(value.arrival);
const showsSnapshot: Test = (value): value is JsonObject =>
  isObject(value) && isLeg(value.latest_status_snapshot);
const isPagination: Test = (value): value is JsonObject =>
  isObject(value) && value.total !== undefined && value.limit !== undefined;
const isList: Test<readonly Json[]> = (value): value is readonly Json[] =>
  Array.isArray(value) && (value as readonly Json[]).every(isObject);

/** The body with the members of the only part that is of this kind. */
function atTop(body: Json, isWanted: Test): Json {
  if (isWanted(body)) return body;
  const part: JsonObject | null = onlyPart(body, isWanted);
  return part === null ? body : { ...outerOf(body), ...part };
}

function updateForm(body: Json): Json {
  if (isObject(body) && isRecord(body.data)) return body;
  const data = isRecord(body) ? body : onlyPart(body, isRecord);
  return data === null ? body : { ...outerOf(body), data };
}

function listForm(body: Json): Json {
  const outer = outerOf(body);
  if (Array.isArray(outer.data) && isObject(outer.pagination)) return body;
  const data = Array.isArray(outer.data) ? outer.data : isList(body) ? body : onlyPart(body, isList);
  const pagination = isPagination(body) ? body : onlyPart(body, isPagination);
  if (data === null && pagination === null) return body;
  return { ...outer, ...(data && { data }), ...(pagination && { pagination }) };
}

function lookupForm(body: Json): Json {
  if (!isObject(body)) return body;
  if (isLeg(body)) return [body];
  const leg = onlyPart(body, isLeg);
  return leg === null ? (onlyPart(body, isList) ?? body) : [leg];
}

function subscriptionForm(body: Json): Json {
  const shown = atTop(body, showsSnapshot);
  if (!isObject(shown) || shown.latest_status_snapshot !== undefined) return shown;
  const leg = isLeg(shown) ? shown : onlyPart(shown, isLeg);
  return leg === null ? shown : { ...shown, latest_status_snapshot: leg };
}

function outerOf(body: Json): JsonObject {
  return isObject(body) ? body : {};
}

/** How deep a part may stand: `{ "data": { "checkin": { … } } }`. */
const deepest = 2;

/** The only part of this kind below a value; null if there is none, or several. */
function onlyPart<T extends Json>(value: Json, isWanted: Test<T>): T | null {
  const [found, ...others] = partsOf(value, isWanted, deepest);
  return found === undefined || others.length > 0 ? null : found;
}

function partsOf<T extends Json>(value: Json, isWanted: Test<T>, depth: number): readonly T[] {
  if (depth === 0 || value === null || typeof value !== 'object') return [];
  const parts: readonly (Json | undefined)[] = Object.values(value);
  return parts.flatMap((part): readonly T[] =>
    isWanted(part) ? [part] : part === undefined ? [] : partsOf(part, isWanted, depth - 1),
  );
}
