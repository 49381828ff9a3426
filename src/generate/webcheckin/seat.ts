import * as fc from 'fast-check';
import { columnPreferences, rowPreferences } from '../../spec/grammar/passenger.ts';
import type { JsonObject } from '../../spec/kit/json.ts';
import { filled, withOptional } from '../kit/optional.ts';

const seatFields = {
  row_preference: fc.constantFrom(...rowPreferences),
  column_preference: fc.constantFrom(...columnPreferences),
};

/** Any valid seat preference, the empty object included. */
export const seatPreference: fc.Arbitrary<JsonObject> = withOptional({}, seatFields);

/** A seat preference that prefers something in both directions. */
export const completeSeatPreference: fc.Arbitrary<JsonObject> = filled(seatFields);
