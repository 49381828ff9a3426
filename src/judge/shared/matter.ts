import type { Exchange } from '../../core/evidence.ts';
import type { OperationId } from '../../core/operations.ts';
import { callOf, type Call } from '../../trace/call.ts';
import { isObject, valueNamed, type Json, type JsonObject } from '../kernel/body.ts';
import { digestOf } from '../kernel/digest.ts';
import { formOf } from '../kernel/formOf.ts';

/** What a request asks, without its own ids: of two that ask the same, both are valid or neither. */
export interface Matter {
  readonly requirement: string;
  readonly name: string;
  /** The local day or time that it is about; null if it is about none. */
  readonly day: string | null;
  /** The record that it names. */
  readonly record?: string;
}

/** What a request asks, if that can be read in one way only. */
export function matterOf(exchange: Exchange): Matter | null {
  const call = callOf(exchange);
  if (call?.op === 'fla.lookup') return flightOf(call);
  const read = call ? readers[call.op] : undefined;
  if (!read || !call?.body) return null;
  const type = valueNamed(exchange.request.headers, 'content-type') ?? '';
  if (call.carrier === 'json') return type === 'application/json' ? read(call.body, null) : null;
  const form = formOf(call);
  // A boundary in quotes is read or not: a row of its own, as JSON with a charset has one.
  return form === null || type.includes('"') ? null : read(call.body, form);
}

/** Reads a body; by parts it has a form, in which a deployment may read less of it than of JSON. */
type Reader = (body: JsonObject, form: string | null) => Matter | null;

const readers: Readonly<Partial<Record<OperationId, Reader>>> = {
  'wci.subscribe': bookingOf,
  'wci.update': passengersOf,
  'fla.subscribe': legOf,
};

function bookingOf(body: JsonObject, form: string | null): Matter | null {
  const { pnr, flights, passengers, ...rest } = body;
  const isNamed = isLocator(pnr) || (form !== null && pnr === undefined);
  if (!isNamed || !Array.isArray(flights) || !hasOnly(rest, ['callbackData'])) return null;
  const [first] = flights as readonly Json[];
  const day = isObject(first) ? timeOf(first.departure_datetime) : null;
  const hook = hookForm(rest.callbackData);
  if (day === null || hook === null) return null;
  const requirement = form === null ? 'WCI-SUB-001' : 'WCI-MP-001';
  return { requirement, name: digestOf(hook, flights, passengers, form), day };
}

/** A webhook of the simplest form; null for any other. */
function hookForm(data: Json | undefined): string | null {
  if (data === undefined || data === null) return 'unhooked';
  if (!isObject(data) || !hasOnly(data, ['callbackUrl', 'auth_header', 'clientId', 'clientName']))
    return null;
  const { callbackUrl, auth_header: header } = data;
  const isPlain =
    typeof callbackUrl === 'string' &&
    /^https?:\/\/[a-z0-9.-]+(:\d+)?\/[\w/-]*$/i.test(callbackUrl) &&
    typeof header === 'string' &&
    /^(X-API-Key|Authorization): [\w-]+$/.test(header) &&
    [data.clientId, data.clientName].every((text) => text === undefined || typeof text === 'string');
  return isPlain ? `hooked ${Object.keys(data).sort().join()}` : null;
}

const identifiers = ['checkin_id', 'webcheckin_id', 'booking_id'] as const;

function passengersOf(body: JsonObject, form: string | null): Matter | null {
  const { type, passengers, operation, ...rest } = body;
  const [by, another] = identifiers.filter((name) => rest[name] !== undefined);
  const id = by === undefined ? undefined : rest[by];
  const isPlain =
    another === undefined &&
    ((typeof id === 'string' && id !== '') || (by === 'booking_id' && typeof id === 'number')) &&
    Array.isArray(passengers) &&
    (type === undefined || type === 'passengers') &&
    (operation === undefined || operation === 'update');
  if (!isPlain || by === undefined || Object.keys(rest).length > 1) return null;
  const naming = `${by} as ${typeof id}`;
  const requirement = form === null ? (updateRows[naming] ?? 'WCI-UPD-001') : 'WCI-MP-012';
  return { requirement, name: digestOf(naming, passengers, form), day: null, record: String(id) };
}

/** Whose name for a record it is that serves once and not the next time. */
const updateRows: Readonly<Record<string, string>> = {
  'webcheckin_id as string': 'WCI-UPD-002',
  'booking_id as number': 'WCI-UPD-003',
  'booking_id as string': 'WCI-UPD-004',
};

function legOf(body: JsonObject): Matter | null {
  const { callbackData, ...leg } = body;
  const day = timeOf(leg.departureDate);
  if (day === null) return null;
  if (callbackData === undefined || callbackData === null)
    return { requirement: 'FLA-SUB-003', name: digestOf(leg), day };
  if (!isObject(callbackData) || !hasOnly(callbackData, ['fid', 'callbackUrl'])) return null;
  const { fid, callbackUrl } = callbackData;
  const host =
    typeof callbackUrl === 'string' ? /^https:\/\/[a-z0-9.-]+(?=\/[\w/-]*$)/i.exec(callbackUrl) : null;
  if (!host || typeof fid !== 'string' || !/^[\w-]{1,100}$/.test(fid)) return null;
  return { requirement: 'FLA-CBR-014', name: digestOf(host[0].toLowerCase(), leg), day };
}

function flightOf({ query }: Call): Matter | null {
  const { flightNumber, departureDate, ...more } = query;
  const day = timeOf(departureDate);
  if (day === null || typeof flightNumber !== 'string' || !/^[A-Z0-9]+$/.test(flightNumber)) return null;
  if (!hasOnly(more, [])) return null;
  return { requirement: 'FLA-GET-001', name: digestOf(flightNumber, departureDate), day };
}

function isLocator(pnr: Json | undefined): boolean {
  return typeof pnr === 'string' && /^[A-Z][A-Z0-9]{5}$/.test(pnr);
}

function hasOnly(object: JsonObject, names: readonly string[]): boolean {
  for (const name in object) if (!names.includes(name)) return false;
  return true;
}

/** A time in the form in which times are compared; null if a request has none that can be read. */
function timeOf(time: Json | undefined): string | null {
  return typeof time === 'string' && /^\d{4}-\d\d-\d\d/.test(time) ? time : null;
}
