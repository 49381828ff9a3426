import type { Exchange } from '../../core/evidence.ts';
import { parseLocal } from '../../spec/grammar/clockSpelling.ts';
import { isJsonObject, textAt, type JsonValue } from '../../spec/kit/json.ts';
import { hourMs, instantsOf, minuteMs } from '../../spec/kit/localTime.ts';
import { airports } from '../../spec/kit/places.ts';
import { memberOf } from '../../trace/body.ts';
import { callOf } from '../../trace/call.ts';
import { isRejectedMessage } from '../kernel/answer.ts';

/** A subscribe whose answer shows by which of two clocks lead times are measured. */
interface Lead {
  readonly id: string;
  readonly isAccepted: boolean;
  /** A clock that is further ahead of ours finds this departure too close. */
  readonly mostMs: number;
}

const leadTimeMs = 6 * hourMs;
/** No timezone differs further from UTC. */
const mostOffMs = 15 * hourMs;
/** No lead time is judged closer: clocks drift. */
const slackMs = 5 * minuteMs;
/** As many near departures are remembered. */
const mostLeads = 200;
const zones = new Map(airports.map(({ code, zone }) => [code, zone]));

/** The departures of a run that are near six hours ahead, with their answers. */
export class LeadTimes {
  readonly #leads: Lead[] = [];

  see(exchange: Exchange): void {
    if (exchange.operation !== 'wci.subscribe' || this.#leads.length >= mostLeads) return;
    const isAccepted = isTaken(exchange);
    if (isAccepted === null) return;
    const departure = departureOf(exchange);
    if (departure === null) return;
    const mostMs = departure - leadTimeMs - exchange.timings.receivedAt;
    if (Math.abs(mostMs) <= mostOffMs) this.#leads.push({ id: exchange.id, isAccepted, mostMs });
  }

  /**
   * A subscribe that was answered as only one of two clocks has it, both in milliseconds ahead of ours: accepted if `right` is the
   * earlier one, and refused, for which there may be other reasons, if it is the later one. Null where none was.
   */
  showing(right: number, wrong: number): string | null {
    const [earlier, later] = [Math.min(right, wrong), Math.max(right, wrong)];
    const shows = ({ isAccepted, mostMs }: Lead) =>
      isAccepted === (right === earlier) && mostMs >= earlier + slackMs && mostMs <= later - slackMs;
    return this.#leads.find(shows)?.id ?? null;
  }
}

/** Whether a new record was made, or the journey was rejected; null for any other answer. */
function isTaken(exchange: Exchange): boolean | null {
  const status = callOf(exchange)?.status;
  if (status === 422 || isRejectedMessage(exchange)) return false;
  return status === 200 && memberOf(exchange, 'message') === 'SCHEDULED' ? true : null;
}

/** The instant of the first departure; null for one that is days ahead, or that can be read in more than one way. */
function departureOf(exchange: Exchange): number | null {
  const flights = callOf(exchange)?.body?.flights;
  const [leg] = Array.isArray(flights) ? (flights as readonly JsonValue[]) : [];
  if (!isJsonObject(leg)) return null;
  const clock = textAt(leg, 'departure_datetime').trim();
  const zone = zones.get(textAt(leg, 'origin').trim().toUpperCase());
  const day = /^\d{4}-\d\d-\d\d(?=[T ]\d\d:\d\d)/.exec(clock)?.[0];
  if (zone === undefined || day === undefined) return null;
  const daysAhead = (Date.parse(day) - exchange.timings.receivedAt) / (24 * hourMs);
  if (!(Math.abs(daysAhead) < 3)) return null;
  const [instant, other] = instantsOf(parseLocal(clock), zone);
  return instant === undefined || other !== undefined ? null : instant;
}
