import type { JsonObject } from '../../spec/kit/json.ts';

/** One leg of one flight, with a canonical flight number and upper-case airport codes. */
export interface FlightLeg {
  readonly flightNumber: string;
  /** `YYYY-MM-DD`. */
  readonly departureDate: string;
  readonly departure: string;
  readonly arrival: string;
}

/** The JSON body of a flight subscription; `absent` and null both ask for polling only. */
export function renderFlightSubscription(
  leg: FlightLeg,
  callbackData: JsonObject | null | 'absent',
): JsonObject {
  return {
    flightNumber: leg.flightNumber,
    departureDate: leg.departureDate,
    departureAirportIata: leg.departure,
    arrivalAirportIata: leg.arrival,
    ...(callbackData === 'absent' ? {} : { callbackData }),
  };
}
