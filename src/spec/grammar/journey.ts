import { objectsAt, textAt, without, type JsonObject } from '../kit/json.ts';
import { utcDate } from '../kit/localTime.ts';
import { parseDate } from '../kit/impossibleDates.ts';
import { always, atEnd, inElement, type Make, mapped, oneOf } from '../kit/mutation.ts';
import { airports, triedAirlines } from '../kit/places.ts';
import { parseLocal, preferredForm, renderDateTime } from './clockSpelling.ts';
import { dated, isEmpty, isList, isObject, unfit, type Asked, type Form } from './form.ts';

/** Trips that no service may accept, whichever step refuses them: forms of the whole list of flights. */
export const journeyForms = (now: number): readonly Form[] => [
  journey('WCI-JRN-007', 'origin-is-destination', leadsToItself, inElement('flights', toItself), oneLeg),
  journey('WCI-JRN-010', 'legs-reversed', isOutOfOrder, reversed, severalLegs),
  journey('WCI-JRN-008', 'legs-not-connected', isBroken, elsewhere, severalLegs),
  // Codes of two and of three characters may name one airline.
  journey('WCI-JRN-009', 'two-airlines', hasTwoAirlines, inElement('flights', otherAirline, 1), severalLegs),
  // What an invalid route is, is not said.
  { ...journey('WCI-JRN-021', 'round-trip', leadsBack, backToTheStart, severalLegs), kind: 'open' },
  // Lead times near six hours are not among them: those are bookings rendered for a given departure.
  dated(
    journey('WCI-JRN-005', 'departure-in-the-past', isPast, atEnd('first', 'flights', departedBefore(now))),
  ),
];

type Legs = readonly JsonObject[];

function journey(
  rule: string,
  name: string,
  fits: (legs: Legs, asked: Asked) => boolean,
  make: Make,
  applicable: (body: JsonObject) => boolean = () => true,
): Form {
  const isTrip = (value: unknown): value is Legs => isList(value) && !isEmpty(value) && value.every(isObject);
  return { ...unfit(rule, name, (value, asked) => isTrip(value) && fits(value, asked), make), applicable };
}

const oneLeg = (body: JsonObject) => objectsAt(body, 'flights').length === 1;
const severalLegs = (body: JsonObject) => objectsAt(body, 'flights').length > 1;

const codeOf = (leg: JsonObject = {}, member: string) => textAt(leg, member).trim().toUpperCase();

function leadsToItself(legs: Legs): boolean {
  return legs.some(
    (leg) => codeOf(leg, 'origin') !== '' && codeOf(leg, 'origin') === codeOf(leg, 'destination'),
  );
}

function leadsBack(legs: Legs): boolean {
  const [start, end] = [codeOf(legs[0], 'origin'), codeOf(legs.at(-1), 'destination')];
  return legs.length > 1 && start !== '' && start === end && connects(legs);
}

function isOutOfOrder(legs: Legs): boolean {
  return isReversed(legs) || legs.slice(1).some((leg, at) => wallOf(legs[at]) - wallOf(leg) > mostApartMs);
}

/** No two clocks on earth differ by as much. */
const mostApartMs = 27 * 3_600_000;

function wallOf(leg: JsonObject = {}): number {
  return Date.parse(`${textAt(leg, 'departure_datetime').trim().slice(0, 16).replace(' ', 'T')}Z`);
}

function isReversed(legs: Legs): boolean {
  return isBroken(legs) && connects(legs.toReversed());
}

function connects(legs: Legs): boolean {
  return changesOf(legs).every(([arrival, departure]) => arrival === departure);
}

/** Whether a leg departs from another country than the one before arrives in: a city may have several airports. */
function isBroken(legs: Legs): boolean {
  return changesOf(legs).some(([arrival, departure]) => {
    const [from, to] = [arrival, departure].map((code) => airports.find((one) => one.code === code)?.country);
    return from !== undefined && to !== undefined && from !== to;
  });
}

/** Where each leg but the last arrives, and where the next one departs. */
function changesOf(legs: Legs): readonly (readonly [string, string])[] {
  return legs.slice(1).map((leg, at) => [codeOf(legs[at], 'destination'), codeOf(leg, 'origin')] as const);
}

function hasTwoAirlines(legs: Legs): boolean {
  const codes = legs.map((leg) => codeOf(leg, 'airline'));
  return codes.every((code) => code.length === codes[0]?.length) && new Set(codes).size > 1;
}

function isPast([first]: Legs, { now }: Asked): boolean {
  const day = /^\s*(\d{4}-\d\d-\d\d)/.exec(textAt(first ?? {}, 'departure_datetime'))?.[1];
  return now !== undefined && day !== undefined && day <= utcDate(now, -2);
}

// Two days or more before the UTC day of now, so past in every time zone.
function departedBefore(now: number): Make {
  return mapped(
    (fc) => fc.integer({ min: 2, max: 40 }),
    (days) => (flight) => {
      const clock = parseLocal(textAt(flight, 'departure_datetime'));
      const departure = renderDateTime({ ...clock, ...parseDate(utcDate(now, -days)) }, preferredForm);
      return { ...without(flight, 'arrival_datetime'), departure_datetime: departure };
    },
  );
}

const toItself = always((leg: JsonObject): JsonObject => ({ ...leg, destination: leg.origin ?? null }));

/** The second leg departs from another country than the first arrives in. */
const elsewhere: Make = mapped(
  (fc) => fc.nat({ max: airports.length - 1 }),
  (start) => (body) => {
    const flights = objectsAt(body, 'flights');
    const arrival = airports.find(({ code }) => code === codeOf(flights[0], 'destination'));
    const used = flights.flatMap((flight) => [textAt(flight, 'origin'), textAt(flight, 'destination')]);
    const chosen = [...airports.slice(start), ...airports].find(
      ({ code, country }) => country !== arrival?.country && !used.includes(code),
    );
    const origin = chosen?.code ?? '';
    return { ...body, flights: flights.map((flight, at) => (at === 1 ? { ...flight, origin } : flight)) };
  },
);

// An airline that is not supported would be refused for that alone.
const otherAirline: Make = mapped(oneOf(...triedAirlines), (airline) => (flight) => {
  const current = textAt(flight, 'airline');
  const { iata, icao } =
    [airline, ...triedAirlines].find((one) => one.iata !== current && one.icao !== current) ?? airline;
  return { ...flight, airline: current.length === 3 ? icao : iata };
});

const backToTheStart = always((body: JsonObject): JsonObject => {
  const flights = objectsAt(body, 'flights');
  const destination = flights[0]?.origin ?? null;
  return {
    ...body,
    flights: flights.map((leg, at) => (at < flights.length - 1 ? leg : { ...leg, destination })),
  };
});

const reversed = always((body: JsonObject): JsonObject => {
  return { ...body, flights: objectsAt(body, 'flights').toReversed() };
});
