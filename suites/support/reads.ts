import {
  type ApiRequest,
  type CheckContext,
  type KeyChoice,
  type RequestOptions,
  list,
  lookup,
  utcDate,
} from '../checks.ts';

/** A lookup with valid parameters; whether the deployment knows the flight does not matter. */
export function anyLookup(t: CheckContext, options?: RequestOptions): ApiRequest {
  return lookup({ flightNumber: 'EK3', departureDate: utcDate(t.now(), 1) }, options);
}

/** One valid read of each API that the target has, which costs nothing. */
export function readsOf(t: CheckContext, options?: RequestOptions): readonly ApiRequest[] {
  return [
    ...(t.apis.includes('webcheckin') ? [list({ limit: '1' }, options)] : []),
    ...(t.apis.includes('flight-alerts') ? [anyLookup(t, options)] : []),
  ];
}

/** The same with one key, as rows that are named by their paths. */
export function namedReads(t: CheckContext, key: KeyChoice, of = '') {
  return readsOf(t, { key }).map((request) => ({ name: `${of}${request.path}`, request }));
}

/** The cheapest read that the target offers. */
export function anyRead(t: CheckContext, options?: RequestOptions): ApiRequest {
  return readsOf(t, options)[0] ?? anyLookup(t, options);
}
