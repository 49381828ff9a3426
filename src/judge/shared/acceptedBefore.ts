import type { Exchange } from '../../core/evidence.ts';
import { describeResponse } from '../kernel/answer.ts';
import { headerOf, isObject, responseOf, type Json, type JsonObject } from '../kernel/body.ts';
import { canonical } from '../kernel/canonical.ts';
import { violated } from '../kernel/judgement.ts';
import type { Oracle } from '../kernel/oracle.ts';
import { queryOf, requestHeader, requestObject } from '../kernel/request.ts';
import { noSamples, type Sample, sampleOf } from '../kernel/sample.ts';

/**
 * What was taken as valid once is not refused as invalid, whoever sends it and whatever came before: the same booking
 * under another locator, the same passengers for another record, the same leg or flight.
 */
export const acceptedBefore: Oracle = {
  id: 'accepted-before',
  title: 'What was accepted as valid once is not refused with 400 another time',
  verifies: ['WCI-SUB-001', 'WCI-UPD-001', 'FLA-SUB-003', 'FLA-CBR-014', 'FLA-GET-001'],
  createWatch: () => {
    const accepted = new Map<string, string>();
    return {
      exchange: (exchange) => {
        const status = responseOf(exchange)?.status;
        if (status !== 200 && status !== 400) return noSamples;
        const matter = matterOf(exchange);
        if (!matter) return noSamples;
        const name = `${matter.requirement} ${matter.name}`;
        if (status === 200) accepted.set(name, exchange.id);
        const before = accepted.get(name);
        return status === 400 && before !== undefined ? [refusedNow(exchange, matter, before)] : noSamples;
      },
    };
  },
};

/** What a request asks, but for what is its own: two that ask the same are both valid, or neither. */
interface Matter {
  readonly requirement: string;
  readonly name: string;
}

function refusedNow(exchange: Exchange, { requirement }: Matter, before: string): Sample {
  const actual = `${describeResponse(exchange)}, though ${before} asked the same and was accepted`;
  return sampleOf(requirement, violated('refused', 'a valid request to be accepted again', actual));
}

function matterOf(exchange: Exchange): Matter | null {
  const type = requestHeader(exchange.request, 'content-type');
  const body = type === 'application/json' ? requestObject(exchange.request) : null;
  switch (exchange.operation) {
    case 'wci.subscribe':
      return body && bookingOf(body, exchange);
    case 'wci.update':
      return body && passengersOf(body);
    case 'fla.subscribe':
      return body && legOf(body, exchange);
    case 'fla.lookup':
      return flightOf(exchange);
    case 'wci.list':
    case 'wci.status':
    case null:
      return null;
  }
}

function bookingOf(body: JsonObject, exchange: Exchange): Matter | null {
  const { pnr, flights, passengers, ...rest } = body;
  if (!isLocator(pnr) || !Array.isArray(flights) || !hasOnly(rest, ['callbackData'])) return null;
  const dates = (flights as readonly Json[]).map((leg) => (isObject(leg) ? leg.departure_datetime : null));
  if (!dates.every((date) => isAhead(date, exchange))) return null;
  const hook = hookForm(rest.callbackData);
  return hook === null
    ? null
    : { requirement: 'WCI-SUB-001', name: `${hook} ${canonical(flights)} ${canonical(passengers)}` };
}

/** A webhook of the plainest form; null for any other one. */
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

function passengersOf(body: JsonObject): Matter | null {
  const { checkin_id: id, type, passengers, operation, ...rest } = body;
  const isPlain =
    typeof id === 'string' &&
    id !== '' &&
    Array.isArray(passengers) &&
    (type === undefined || type === 'passengers') &&
    (operation === undefined || operation === 'update');
  if (!isPlain || Object.keys(rest).length > 0) return null;
  return { requirement: 'WCI-UPD-001', name: canonical(passengers) };
}

function legOf(body: JsonObject, exchange: Exchange): Matter | null {
  const { callbackData, ...leg } = body;
  if (!isAhead(leg.departureDate, exchange)) return null;
  if (callbackData === undefined || callbackData === null)
    return { requirement: 'FLA-SUB-003', name: canonical(leg) };
  if (!isObject(callbackData) || !hasOnly(callbackData, ['fid', 'callbackUrl'])) return null;
  const { fid, callbackUrl } = callbackData;
  const host =
    typeof callbackUrl === 'string' ? /^https:\/\/[a-z0-9.-]+(?=\/[\w/-]*$)/i.exec(callbackUrl) : null;
  if (!host || typeof fid !== 'string' || !/^[\w-]{1,100}$/.test(fid)) return null;
  return { requirement: 'FLA-CBR-014', name: `${host[0].toLowerCase()} ${canonical(leg)}` };
}

function flightOf(exchange: Exchange): Matter | null {
  const query = queryOf(exchange.request);
  const names = [...query.keys()].sort().join();
  const { flightNumber, departureDate } = Object.fromEntries(query);
  if (names !== 'departureDate,flightNumber' || !isAhead(departureDate, exchange)) return null;
  if (!/^[A-Z0-9]+$/.test(flightNumber ?? '')) return null;
  return { requirement: 'FLA-GET-001', name: `${flightNumber} ${departureDate}` };
}

function isLocator(pnr: Json | undefined): boolean {
  return typeof pnr === 'string' && /^[A-Z][A-Z0-9]{5}$/.test(pnr);
}

function hasOnly(object: JsonObject, names: readonly string[]): boolean {
  return Object.keys(object).every((name) => names.includes(name));
}

const dayMs = 86_400_000;

/** Whether a date is ahead by more than any clock is wrong: what was valid may have passed since. */
function isAhead(date: Json | undefined, exchange: Exchange): boolean {
  const response = responseOf(exchange);
  const shown = response && headerOf(response, 'date');
  const day = typeof date === 'string' ? Date.parse(`${date.slice(0, 10)}T00:00:00Z`) : Number.NaN;
  return shown !== null && day - Date.parse(shown) > 2 * dayMs;
}
