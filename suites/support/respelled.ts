import {
  type CheckContext,
  type Exchange,
  type FlightLeg,
  type FlightSubscription,
  type Judgement,
  all,
  answered,
  describeResponse,
  generate,
  holds,
  lookup,
  ok,
  responseOf,
  returnsNoKey,
} from '../checks.ts';
import { callbackOf, sendSubscribe } from './flights.ts';

/** A retry in another spelling, which cleaning makes the same; as it was at first, where that is not taken as a retry. */
export async function retryRespelled(
  t: CheckContext,
  { leg, body, key, subscribed: first }: FlightSubscription,
): Promise<Exchange> {
  const { flightNumber, departureDate } = leg;
  const sent = (spelling: Partial<FlightLeg>) =>
    sendSubscribe(t, generate.renderFlightSubscription({ ...leg, ...spelling }, callbackOf(body)), key);
  const number = `${flightNumber.slice(0, 2)}-${flightNumber.slice(2)} `.toLowerCase();
  const airports = {
    departure: ` ${leg.departure.toLowerCase()}`,
    arrival: `${leg.arrival.toLowerCase()} `,
  };
  const retry = await sent({ flightNumber: number, ...airports });
  if (isRetry(retry).status === 'holds') {
    t.judge([first, retry], { 'FLA-SUB-017': holds, 'FLA-SUB-021': holds });
    return retry;
  }
  const plain = await sendSubscribe(t, body, key);
  if (isRetry(plain).status !== 'holds') return plain;
  const byAirports = await sent(airports);
  t.judge([plain, byAirports], { 'FLA-SUB-021': isRetry(byAirports) });
  const byNumber = await sent({ flightNumber: number });
  const sought = await t.send(lookup({ flightNumber: number, departureDate }));
  t.assume(
    responseOf(sought)?.status === 200,
    `${sought.id}: the lookup does not clean the number either, ${describeResponse(sought)}`,
  );
  t.judge([plain, byNumber], { 'FLA-SUB-017': isRetry(byNumber) });
  return plain;
}

function isRetry(exchange: Exchange): Judgement {
  return all(answered(exchange, ok), returnsNoKey(exchange));
}
