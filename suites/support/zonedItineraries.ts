import { type CheckContext, type Exchange, type Itinerary, hourMs, responseOf } from '../checks.ts';
import { isUnambiguous, leadTimeMs, originOffset, spelledLike } from './departures.ts';

/** Itineraries from airports west of UTC, known ones first, spelled as the target accepts them. */
export async function westernItineraries(t: CheckContext): Promise<readonly Itinerary[]> {
  const accepting = await t.fixtures.itinerary('international');
  const { domestic, international, twoLeg } = t.settings.itineraries;
  const one = (airline: string, flightNumber: string, origin: string, destination: string): Itinerary => ({
    airline,
    legs: [{ flightNumber, origin, destination }],
  });
  const known = [domestic, international, twoLeg, accepting].filter((itinerary) => itinerary !== null);
  const candidates = [
    ...known,
    one('UA', '1175', 'HNL', 'SFO'),
    one('HA', '10', 'HNL', 'LAX'),
    one('UA', '110', 'LAX', 'LHR'),
    one('BA', '112', 'JFK', 'LHR'),
  ];
  return alsoOf(accepting.airline, candidates)
    .filter((itinerary) => originOffset(t, itinerary, leadTimeMs) < -hourMs)
    .map((itinerary) => spelledLike(accepting, itinerary));
}

/** Whether a refusal names an airport or the airline of a booking, which it would refuse for the same reason. */
export function isRuledOut({ airline, legs }: Itinerary, refusals: readonly Exchange[]): boolean {
  const codes = [airline, ...legs.flatMap(({ origin, destination }) => [origin, destination])];
  const words = refusals.flatMap((one) =>
    Buffer.from(responseOf(one)?.body ?? [])
      .toString('utf8')
      .split(/[^A-Za-z0-9]+/),
  );
  return codes.some((code) => words.includes(code));
}

/** Itineraries of two legs from airports that have daylight saving when they depart. */
export async function summerItineraries(t: CheckContext, leadMs: number): Promise<readonly Itinerary[]> {
  const accepting = await t.fixtures.itinerary('international');
  const two = (
    airline: string,
    first: string,
    second: string,
    ...[origin, stop, end]: string[]
  ): Itinerary => ({
    airline,
    legs: [
      { flightNumber: first, origin: origin ?? '', destination: stop ?? '' },
      { flightNumber: second, origin: stop ?? '', destination: end ?? '' },
    ],
  });
  // A domestic leg first, from both hemispheres.
  const candidates = [
    two('BA', '1435', '117', 'EDI', 'LHR', 'JFK'),
    two('QF', '400', '81', 'MEL', 'SYD', 'SIN'),
    two('LH', '2025', '400', 'MUC', 'FRA', 'JFK'),
  ];
  return alsoOf(accepting.airline, candidates)
    .filter((itinerary) => hasDaylightSaving(t, itinerary, leadMs) && isUnambiguous(t, itinerary, leadMs))
    .map((itinerary) => spelledLike(accepting, itinerary));
}

/** The same routes with the airline that is known to be supported as well, where none with its own is. */
function alsoOf(airline: string, candidates: readonly Itinerary[]): readonly Itinerary[] {
  const others = candidates.filter((itinerary) => itinerary.airline !== airline);
  return [...candidates, ...others.map((itinerary) => ({ ...itinerary, airline }))];
}

/** Whether the clock of the origin is ahead of its standard time at the departure. */
export function hasDaylightSaving(t: CheckContext, itinerary: Itinerary, leadMs: number): boolean {
  const quarterMs = 91 * 24 * hourMs;
  const now = originOffset(t, itinerary, leadMs);
  return [1, 2, 3].some((quarters) => originOffset(t, itinerary, leadMs + quarters * quarterMs) < now);
}
