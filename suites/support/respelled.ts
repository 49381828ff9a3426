import {
  type CheckContext,
  type Exchange,
  type FlightLeg,
  type FlightSubscription,
  generate,
  isAccepted,
  keyOf,
} from '../checks.ts';
import { callbackOf, sendSubscribe } from './flights.ts';

/** A retry in another spelling, which cleaning makes the same; as it was at first, where that is not taken as a retry. */
export async function retryRespelled(
  t: CheckContext,
  { leg, body, key }: FlightSubscription,
): Promise<Exchange> {
  const { flightNumber } = leg;
  const sent = (spelling: Partial<FlightLeg>) =>
    sendSubscribe(t, generate.renderFlightSubscription({ ...leg, ...spelling }, callbackOf(body)), key);
  const number = `${flightNumber.slice(0, 2)}-${flightNumber.slice(2)} `.toLowerCase();
  const airports = {
    departure: ` ${leg.departure.toLowerCase()}`,
    arrival: `${leg.arrival.toLowerCase()} `,
  };
  const retry = await sent({ flightNumber: number, ...airports });
  if (isRetry(retry)) return retry;
  const plain = await sendSubscribe(t, body, key);
  await sent(airports);
  await sent({ flightNumber: number });
  return plain;
}

function isRetry(exchange: Exchange): boolean {
  return isAccepted(exchange) && keyOf(exchange) === null;
}
