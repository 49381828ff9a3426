import * as fc from 'fast-check';
import { documentTypes } from '../../spec/grammar/passenger.ts';
import type { JsonObject } from '../../spec/kit/json.ts';
import { filled, withOptional } from '../kit/optional.ts';
import { countryCode, dateWithin, documentNumber, documentUrl } from '../kit/text.ts';

/** Any valid supporting document of a JSON body. */
export function document(now: number): fc.Arbitrary<JsonObject> {
  return withOptional({ type: documentType }, documentFields(now));
}

/** A supporting document with every field filled. */
export function completeDocument(now: number): fc.Arbitrary<JsonObject> {
  return filled({ type: documentType, ...documentFields(now) });
}

const documentType = fc.constantFrom(...documentTypes);

function documentFields(now: number) {
  return {
    document_number: documentNumber(5, 12),
    issuing_country: countryCode,
    expiry_date: dateWithin(now, 365, 4 * 365),
    document_url: documentUrl,
  };
}
