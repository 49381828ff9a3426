import { readJsonBody } from '../shared/body.ts';
import type { Incoming } from '../shared/call.ts';
import { invalid } from '../shared/refusal.ts';
import { refuseUnknown } from '../shared/unknownMembers.ts';
import { brokenUrlRules } from './callbackUrl.ts';
import type { FlightAlerts } from './context.ts';
import type { FlightRule } from './policy.ts';
import type { LegName } from './subscriptions.ts';
import { demanding, readAirport, readDate, readFlightNumber } from './rules.ts';

export interface SentCallback {
  readonly fid: string;
  readonly url: string;
  /** A credential that the partner supplied against the rules; null for none. */
  readonly suppliedKey: string | null;
}

export interface FlightSubscribeRequest {
  readonly leg: LegName;
  /** The leg as it was sent, before any cleaning. */
  readonly spelled: LegName;
  readonly callback: SentCallback | null;
}

type Members = Readonly<Record<string, unknown>>;

const members = [
  'flightNumber',
  'departureDate',
  'departureAirportIata',
  'arrivalAirportIata',
  'callbackData',
];
const serviceMembers = ['auth_header', 'clientId', 'clientName'];

export async function readSubscribe(
  incoming: Incoming,
  service: FlightAlerts,
): Promise<FlightSubscribeRequest> {
  const { value } = await readJsonBody(incoming, service.policy);
  if (!isObject(value)) throw invalid('The body must be an object.');
  refuseUnknown(Object.keys(value), members, service.policy);
  const leg = {
    flightNumber: readFlightNumber(value.flightNumber, 'subscribe', service),
    date: readDate(value.departureDate, 'subscribe', service),
    from: readAirport(value.departureAirportIata, 'departureAirportIata', service),
    to: readAirport(value.arrivalAirportIata, 'arrivalAirportIata', service),
  };
  if (leg.from === leg.to && service.policy.sameAirports === 400)
    throw invalid('Departure and arrival airport must differ.');
  const spelled = {
    flightNumber: String(value.flightNumber),
    date: leg.date,
    from: String(value.departureAirportIata),
    to: String(value.arrivalAirportIata),
  };
  return { leg, spelled, callback: readCallbackData(value.callbackData, service) };
}

function readCallbackData(value: unknown, service: FlightAlerts): SentCallback | null {
  const demand = demanding({ operation: 'subscribe', field: 'callbackData', value }, service);
  const given = value !== undefined && value !== null;
  demand(given || value === undefined, 'callback.notNull', 'callbackData must not be null.');
  if (!given) return null;
  demand(isObject(value), 'callback.object', 'callbackData must be an object or null.');
  if (!isObject(value)) return null;
  if (service.policy.foreignCallbackMembers === 'refused') refuseServiceMembers(value);
  const fid = readFid(value.fid, service);
  const url = readUrl(value.callbackUrl, service);
  const { auth_header: supplied } = value;
  const used = service.policy.foreignCallbackMembers === 'used' && typeof supplied === 'string';
  return { fid, url, suppliedKey: used ? supplied : null };
}

function refuseServiceMembers(value: Members): void {
  const given = serviceMembers.find((name) => name in value);
  if (given !== undefined) throw invalid(`callbackData.${given} must not be supplied.`);
}

function readFid(value: unknown, service: FlightAlerts): string {
  const { policy } = service;
  const demand = demanding({ operation: 'subscribe', field: 'fid', value }, service);
  const missing = value === undefined || value === null;
  demand(!missing, 'fid.required', 'callbackData.fid is required.');
  demand(typeof value === 'string', 'fid.type', 'callbackData.fid must be a string.');
  const fid = String(value);
  demand(fid !== '', 'fid.empty', 'callbackData.fid must not be empty.');
  if (policy.blankFid === 'refused' && fid.trim() === '')
    throw invalid('callbackData.fid must not be blank.');
  const short = policy.fidLength(fid) <= policy.longestFid;
  demand(short, 'fid.length', `callbackData.fid must have at most ${policy.longestFid} characters.`);
  return fid;
}

function readUrl(value: unknown, service: FlightAlerts): string {
  const demand = demanding({ operation: 'subscribe', field: 'callbackUrl', value }, service);
  const given = typeof value === 'string';
  demand(given, 'url.required', 'callbackData.callbackUrl is required and must be a string.');
  const url = String(value);
  for (const rule of brokenUrlRules(url, service.policy)) demand(false, rule, urlTexts[rule] ?? '');
  return url;
}

const urlTexts: Partial<Record<FlightRule, string>> = {
  'url.valid': 'callbackData.callbackUrl is not a URL.',
  'url.scheme': 'callbackData.callbackUrl must use HTTPS.',
  'url.credentials': 'callbackData.callbackUrl must not hold credentials.',
  'url.ipv4': 'callbackData.callbackUrl must not name an IP address.',
  'url.ipv6': 'callbackData.callbackUrl must not name an IP address.',
  'url.fragment': 'callbackData.callbackUrl must not have a fragment.',
  'url.internal': 'callbackData.callbackUrl must be publicly reachable.',
};

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
