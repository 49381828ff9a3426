import { encodeMultipart, jsonPart, textPart, type Part } from '../../generate/kit/multipart.ts';
import { rawRequest, subscribe, update, type ApiRequest, type RequestOptions } from '../../send/request.ts';
import { readForms, type Feature } from '../../spec/grammar/readForms.ts';
import type { JsonObject } from '../../spec/kit/json.ts';
import type { Carrier, Stage } from '../stage.ts';

type Written = 'wci.subscribe' | 'wci.update';

const partNames: Readonly<Record<Written, readonly string[]>> = {
  'wci.subscribe': ['flights', 'passengers', 'callbackData'],
  'wci.update': ['passengers', 'payload'],
};

/** A body as it travels by a carrier. */
export function written(
  stage: Stage,
  operation: Written,
  body: JsonObject,
  carrier: Carrier,
  options: RequestOptions = {},
): ApiRequest {
  if (carrier === 'multipart') return multipart(stage, operation, partsOf(operation, body), options);
  return operation === 'wci.subscribe' ? subscribe(body, options) : update(body, options);
}

/** A multipart request with a boundary of its own. */
export function multipart(
  stage: Stage,
  operation: Written,
  parts: readonly Part[],
  options: RequestOptions = {},
): ApiRequest {
  const { bytes, contentType } = encodeMultipart(parts, stage.bench.identities.token());
  return rawRequest(operation, bytes, contentType, options);
}

/** Named parts as JSON text, the others as text. */
export function partsOf(operation: Written, body: JsonObject): readonly Part[] {
  return Object.entries(body)
    .filter(([name, value]) => partNames[operation].includes(name) || value !== null)
    .map(([name, value]) =>
      partNames[operation].includes(name) || typeof value !== 'string'
        ? jsonPart(name, value)
        : textPart(name, value),
    );
}

/** What the grammar reads of a body. */
export function read(
  operation: Written,
  body: JsonObject,
  carrier: Carrier,
  now: number,
): readonly Feature[] {
  return readForms(body, { operation, carrier, now });
}

/** Whether nothing in it is a fault, lacks or is open: then it is sure to be allowed. */
export function isAllowed(features: readonly Feature[]): boolean {
  return features.every(({ kind }) => kind === 'free');
}
