import type { Exchange } from '../../core/evidence.ts';
import type { OperationId } from '../../core/operations.ts';
import type { JsonObject } from '../../spec/kit/json.ts';
import { encodeMultipart, type Part } from '../../generate/kit/multipart.ts';
import { memberOf } from '../../judge/kernel/body.ts';
import { rawRequest, type ApiRequest } from '../../send/request.ts';
import type { PartnerAddress } from './journey.ts';

// The API for writing journeys, like suites/checks.ts for checks.

export { memberOf } from '../../judge/kernel/body.ts';
export { renderFlightSubscription } from '../../generate/flightAlerts/flightSubscription.ts';
export { filePart, jsonPart, textPart } from '../../generate/kit/multipart.ts';
export { flightSubscribe, list, lookup, status, subscribe, update } from '../../send/request.ts';
export { defineJourney, type Journey, type Partner } from './journey.ts';

/** A multipart request whose boundary is derived from `salt`. */
export function multipart(operation: OperationId, salt: string, parts: readonly Part[]): ApiRequest {
  const { bytes, contentType } = encodeMultipart(parts, salt);
  return rawRequest(operation, bytes, contentType);
}

/** The callbackData of a web check-in subscribe; clientId and clientName are given, since a deployment may demand them. */
export function callbackDataFor({ url, authHeader }: PartnerAddress): JsonObject {
  return { callbackUrl: url, auth_header: authHeader, clientId: 'gatecheck', clientName: 'Gatecheck' };
}

/** The callbackData of a flight subscribe; of auth_header, clientId and clientName it may have none. */
export function flightCallbackData({ url }: PartnerAddress, fid: string): JsonObject {
  return { fid, callbackUrl: url };
}

/** The id of the record in an answer; empty if there is none. */
export function checkinId(exchange: Exchange): string {
  const id = memberOf(exchange, 'checkin_id');
  return typeof id === 'string' ? id : '';
}
