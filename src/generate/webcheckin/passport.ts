import type * as fc from 'fast-check';
import type { JsonObject } from '../../spec/kit/json.ts';
import { filled, withOptional } from '../kit/optional.ts';
import { countryCode, dateWithin, documentNumber, documentUrl, unusualText } from '../kit/text.ts';

/** Any valid passport of a JSON body: each field absent, null or filled (`file_field` belongs to multipart bodies). */
export function passport(now: number): fc.Arbitrary<JsonObject> {
  return withOptional({}, passportFields(now));
}

/** A passport with all that international readiness asks for, and the rest. */
export function completePassport(now: number): fc.Arbitrary<JsonObject> {
  return filled(passportFields(now));
}

function passportFields(now: number) {
  return {
    number: documentNumber(5, 9).map((number) => `GC${number}`),
    date_of_issue: dateWithin(now, -5 * 365, -30),
    expiry_date: dateWithin(now, 365, 4 * 365),
    place_of_issue: unusualText,
    nationality: countryCode,
    document_url: documentUrl,
  };
}
