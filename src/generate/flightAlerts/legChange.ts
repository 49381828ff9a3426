import * as fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../spec/kit/json.ts';
import { alternateRoutes, unusualLeg } from './snapshotValues.ts';
import type { LegChanges } from './upstreamLeg.ts';

const stopovers: readonly JsonObject[] = [
  { airportIata: 'KWI', city: 'Kuwait City' },
  { airportIata: 'BAH', city: null },
  { city: 'Manama' },
  { airportIata: null, city: null },
];

/** More members than any leg has. */
const mostMembers = 32;

const offset: fc.Arbitrary<JsonValue> = fc.constantFrom<JsonValue>(
  7200,
  '7200',
  0,
  '0',
  -12_600,
  '28800',
  null,
);

/**
 * Changes of a leg as upstream may report them: some of its members, with the unusual values that a leg may have. The
 * route stays, since it names the leg.
 */
export function legChange(departureDate: string): fc.Arbitrary<LegChanges> {
  const routes = alternateRoutes(departureDate);
  return fc
    .record(
      {
        leg: unusualLeg(departureDate),
        stopover: fc.constantFrom(...stopovers),
        alternateInfo: fc.oneof(fc.subarray([...routes], { minLength: 1 }), fc.constant(null)),
        offset,
        keep: fc.array(fc.nat(2), { minLength: mostMembers, maxLength: mostMembers, size: 'max' }),
      },
      { noNullPrototype: true },
    )
    .map(({ leg, stopover, alternateInfo, offset: utcOffsetSeconds, keep }) => {
      const whole: LegChanges = {
        ...leg,
        stopover,
        alternateInfo,
        arrival: { ...leg.arrival, utcOffsetSeconds },
      };
      let member = 0;
      return some(whole, () => keep[member++] === 2);
    })
    .filter((changes) => Object.keys(changes).length > 0);
}

/** A third of the members, those of the two ends one by one. */
function some(changes: LegChanges, isKept: () => boolean): JsonObject {
  const members = Object.entries(changes).flatMap(([name, value]): [string, JsonValue][] => {
    if (value === undefined) return [];
    if (name !== 'departure' && name !== 'arrival') return isKept() ? [[name, value]] : [];
    const inner = Object.entries(value as JsonObject).filter(() => isKept());
    return inner.length === 0 ? [] : [[name, Object.fromEntries(inner)]];
  });
  return Object.fromEntries(members);
}
