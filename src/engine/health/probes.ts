import type { Api } from '../../core/operations.ts';
import { utcDate } from '../../spec/kit/localTime.ts';
import { list, lookup, status, type ApiRequest, type RequestOptions } from '../../send/request.ts';

/** A request that costs no quota and changes nothing. */
export function cheapRead(api: Api, now: number, options: RequestOptions = {}): ApiRequest {
  if (api === 'webcheckin') return list({ limit: '1' }, options);
  return lookup({ flightNumber: 'EK3', departureDate: utcDate(now, 1) }, options);
}

/** A read that every deployment has to refuse, whoever sends it. */
export function faultyRead(api: Api, options: RequestOptions = {}): ApiRequest {
  return api === 'webcheckin' ? status({}, options) : lookup({}, options);
}

/** A valid read and one that must be refused, for each API. */
export function provingReads(apis: readonly Api[], now: number): readonly ApiRequest[] {
  return apis.flatMap((api) => [cheapRead(api, now), faultyRead(api)]);
}
