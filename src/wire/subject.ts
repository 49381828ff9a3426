import type { Asked } from './asked.ts';
import { canonical, isItems, isMembers, type Json, type JsonObject } from './json.ts';
import type { Spot } from './spots.ts';

/** Names by which a request says which record it means, the documented one first. */
const identifiers = ['checkin_id', 'webcheckin_id', 'checkinId', 'booking_id'] as const;

/** How a request names its record; null where it names none. */
interface Identifier {
  readonly name: (typeof identifiers)[number];
  readonly value: string;
}

export function identifierOf({ query, body }: Pick<Asked, 'query' | 'body'>): Identifier | null {
  const inputs = isMembers(body) ? { ...query, ...body } : query;
  for (const name of identifiers) {
    const value = inputs[name];
    if (typeof value === 'string' || typeof value === 'number') return { name, value: String(value) };
  }
  return null;
}

/** What a request is about, in one text: a record, a booking, a flight, or the lists of a key. */
export function subjectOf(asked: Asked): string {
  const body = isMembers(asked.body) ? asked.body : {};
  switch (asked.operation) {
    case 'wci.subscribe':
      return `booking ${canonical(body.pnr)} ${canonical(body.flights)}`;
    case 'wci.update':
    case 'wci.status':
      return `record ${identifierOf(asked)?.value ?? ''}`;
    case 'fla.lookup':
      return `flight ${textsOf(asked.query, ['flightNumber', 'departureDate'])}`;
    case 'fla.subscribe':
      return `leg ${textsOf(body, ['flightNumber', 'departureDate', 'departureAirportIata', 'arrivalAirportIata'])}`;
    case 'wci.list':
    case null:
      return `key ${asked.key ?? ''}`;
  }
}

/** What a place of an answer is about: the record or leg around it, or else what was asked for. */
export function subjectAt({ around }: Pick<Spot, 'around'>, asked: string): string {
  for (const members of around) {
    if (typeof members.checkin_id === 'string') return `record ${members.checkin_id}`;
    if (isMembers(members.departure) && isMembers(members.arrival))
      return `${asked} ${canonical(members.departure.airportIata)} ${canonical(members.arrival.airportIata)}`;
  }
  return asked;
}

/** Whether a request holds a second leg or passenger, or asks for a further page. */
export function isFurther({ query, body }: Pick<Asked, 'query' | 'body'>): boolean {
  if (Number(query.page ?? 0) >= 1) return true;
  const payload = isMembers(body) && isMembers(body.payload) ? body.payload : {};
  const lists: readonly (Json | undefined)[] = isMembers(body)
    ? [body.flights, body.passengers, payload.passengers]
    : [];
  return lists.some((list) => isItems(list) && list.length > 1);
}

function textsOf(members: JsonObject, names: readonly string[]): string {
  return names.map((name) => canonical(members[name])).join(' ');
}
