import * as fc from 'fast-check';
import type { JsonObject } from '../../spec/kit/json.ts';

/** How an update names its record: by `checkin_id`, by its alias, or by the booking (which uploads do not allow). */
type UpdateIdentifier =
  | { readonly checkin_id: string }
  | { readonly webcheckin_id: string }
  | { readonly booking_id: number | string };

/**
 * Every documented way to replace the passengers: at the top level, with or without type, and in payload with type.
 * Payload without type is open (WCI-OPN-009).
 */
export function passengersUpdate(
  identifier: UpdateIdentifier,
  passengers: readonly JsonObject[],
): fc.Arbitrary<JsonObject> {
  const type = 'passengers';
  const body = fc.constantFrom<JsonObject>(
    { ...identifier, passengers },
    { ...identifier, type, passengers },
    { ...identifier, type, payload: { passengers } },
  );
  return fc
    .tuple(body, fc.boolean())
    .map(([members, named]) => (named ? { ...members, operation: 'update' } : members));
}
