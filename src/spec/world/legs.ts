import type { Exchange } from '../../core/evidence.ts';
import { keptTexts, onceForEach } from '../../core/latest.ts';
import { isDocumented, isObject, onceForAnswers, readAnswer, type JsonObject } from '../../trace/body.ts';
import { callOf, type Call } from '../../trace/call.ts';
import { textOf } from '../grammar/form.ts';

/** A leg snapshot as one answer showed it. */
export interface ShownLeg {
  /** Its place in the body, such as `[1]` or `latest_status_snapshot`. */
  readonly at: string;
  readonly leg: JsonObject;
}

const none: readonly ShownLeg[] = Object.freeze([]);

/** Legs of a lookup that are judged: many times those that a flight has on a day. */
const mostLegs = 500;

/** The leg snapshots that a successful lookup or flight subscribe shows. */
export function shownLegs(exchange: Exchange): readonly ShownLeg[] {
  return isDocumented(exchange) ? legsIn(exchange.operation, exchange.outcome.response.body) : none;
}

const legsIn = onceForAnswers((operation, bytes): readonly ShownLeg[] => {
  const { typed: body } = readAnswer(operation, bytes);
  if (operation === 'fla.subscribe') {
    const leg = isObject(body) ? body.latest_status_snapshot : null;
    return isObject(leg) ? [{ at: 'latest_status_snapshot', leg }] : none;
  }
  if (operation !== 'fla.lookup') return none;
  const legs = Array.isArray(body) ? (body as readonly unknown[]) : [];
  return legs.slice(0, mostLegs).flatMap((leg, index) => (isObject(leg) ? [{ at: `[${index}]`, leg }] : []));
});

/** What a flight subscribe asked for, cleaned as the documents say. */
export interface LegRequest {
  readonly departure: string;
  readonly arrival: string;
  /** The same for all spellings of one leg that the documents make equal. */
  readonly name: string;
  /** Null where a polling-only subscription was asked for. */
  readonly callback: JsonObject | null;
}

/** The leg that a flight subscribe asks for; null where the request is not of the documented form. */
export function requestedLeg(exchange: Exchange): LegRequest | null {
  const body = callOf(exchange)?.body;
  return body ? legAskedIn(body) : null;
}

const legAskedIn = onceForEach((body: JsonObject): LegRequest | null => {
  const departure = airportCode(body.departureAirportIata);
  const arrival = airportCode(body.arrivalAirportIata);
  const { flightNumber, departureDate, callbackData } = body;
  if (!departure || !arrival || typeof flightNumber !== 'string' || typeof departureDate !== 'string')
    return null;
  if (callbackData !== undefined && callbackData !== null && !isObject(callbackData)) return null;
  const name = `${cleanFlightNumber(flightNumber)} ${departureDate} ${departure} ${arrival}`;
  return { departure, arrival, name, callback: callbackData ?? null };
});

function airportCode(value: unknown): string | null {
  const code = typeof value === 'string' ? value.trim().toUpperCase() : '';
  return /^[A-Z]{3}$/.test(code) ? code : null;
}

/** Upper case, without spaces and hyphens, and without leading zeros after a two-letter airline code. */
export const cleanFlightNumber = keptTexts((flightNumber) => {
  const compact = flightNumber.toUpperCase().replace(/[ -]/g, '');
  return compact.replace(/^([A-Z]{2})0+(?=\d)/, '$1');
});

/** A flight on a date as a request or a step names it, also where it is not of the documented form. */
export function flightOf({ flightNumber, departureDate }: JsonObject): string {
  return `${cleanFlightNumber(textOf(flightNumber))} ${textOf(departureDate)}`;
}

/** The same of a leg. */
export const legNameOf = onceForEach((asked: JsonObject): string => {
  const { departureAirportIata: from, arrivalAirportIata: to } = asked;
  return [flightOf(asked), ...[from, to].map((code) => textOf(code).trim().toUpperCase())].join(' ');
});

/** What a request to flight alerts says of its flight; null where it cannot be read. */
export function flightAskedIn({ op, query, body }: Call): JsonObject | null {
  return op === 'fla.lookup' ? query : body;
}

/** A flight on a date, whatever spelling names it; null where readers differ (FLA-OPN-004), or it is not of the documented form. */
export const flightName = onceForEach(
  ({ flightNumber: number, departureDate: date }: JsonObject): string | null => {
    if (typeof number !== 'string' || typeof date !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(date))
      return null;
    const clean = cleanFlightNumber(number);
    const isPlain = /^[A-Z0-9]{2,3}\d{1,4}$/.test(clean) && !/^(..|[A-Z]{3})0/.test(clean);
    return isPlain ? `${clean} ${date}` : null;
  },
);

/** `DOH-SIN`, blank where a code is missing. */
export function routeOf({ departure, arrival }: JsonObject): string {
  return `${codeOf(departure)}-${codeOf(arrival)}`;
}

function codeOf(end: unknown): string {
  const code = isObject(end) ? end.airportIata : null;
  return typeof code === 'string' ? code.trim().toUpperCase() : '';
}

/** Whether a leg of this status may count as one that is not available: the document does not say which ones are. */
export function mayBeUnavailable(status: unknown): boolean {
  return (
    typeof status === 'string' &&
    /cancel|depart|arriv|return|diver|circl|climb|cruis|descend|land/i.test(status)
  );
}
