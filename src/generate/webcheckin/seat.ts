import * as fc from 'fast-check';
import type { JsonObject } from '../kit/json.ts';
import { filled, withOptional } from '../kit/optional.ts';

// `back` is not among them: whether it is accepted is open (WCI-OPN-002).
export const rowPreferences = ['front', 'middle', 'rear'] as const;
export const columnPreferences = ['window', 'middle', 'aisle'] as const;

const seatFields = {
  row_preference: fc.constantFrom(...rowPreferences),
  column_preference: fc.constantFrom(...columnPreferences),
};

/** Any valid seat preference, the empty object included. */
export const seatPreference: fc.Arbitrary<JsonObject> = withOptional({}, seatFields);

/** A seat preference that prefers something in both directions. */
export const completeSeatPreference: fc.Arbitrary<JsonObject> = filled(seatFields);
