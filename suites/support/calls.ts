import {
  type ApiRequest,
  type CheckContext,
  type Exchange,
  type Judgement,
  type RequestOptions,
  answered,
  flightSubscribe,
  responseOf,
  status,
  subscribe,
  unauthorized,
  unclear,
  update,
  utcDate,
} from '../checks.ts';
import { bookingParts, knownForm, multipart, updateParts } from './multipart.ts';

/** Operations for which the reads of the two APIs do not speak: what is judged there need not be judged here. */
export const recordOperations = [
  'status',
  'update',
  'subscribe',
  'multipart update',
  'multipart subscribe',
] as const;
type RecordOperation = (typeof recordOperations)[number];

const nobody = { checkin_id: 'gatecheck-nobody' };
const passengers = [{ first_name: 'Gatecheck', last_name: 'Nobody' }];

/** A well-formed request to a web check-in operation that has no effect where it is let in. */
export function recordCall(t: CheckContext, operation: RecordOperation, options: RequestOptions): ApiRequest {
  if (operation === 'status') return status(nobody, options);
  if (operation === 'update') return update({ ...nobody, passengers }, options);
  if (operation === 'multipart update')
    return multipart(t, 'wci.update', updateParts({ ...nobody, passengers }, knownForm(t)), options);
  const yesterday = `${utcDate(t.now(), -1)}T10:00:00`;
  const flight = { airline: 'EK', flight_number: '3', origin: 'DXB', destination: 'LHR' };
  const flights = [{ ...flight, departure_datetime: yesterday }];
  const booking = { pnr: t.identities.pnr(), flights, passengers };
  return operation === 'multipart subscribe'
    ? multipart(t, 'wci.subscribe', bookingParts(booking), options)
    : subscribe(booking, options);
}

/** A well-formed flight subscribe, for a flight that does not exist. */
export function flightCall(t: CheckContext, options: RequestOptions): ApiRequest {
  const airports = { departureAirportIata: 'DOH', arrivalAirportIata: 'LHR' };
  const departureDate = utcDate(t.now(), 30);
  return flightSubscribe({ flightNumber: 'ZZ9998', departureDate, ...airports }, options);
}

/** 401; what is refused for its form before its key is looked at says nothing of the key. */
export function keyRefused(x: Exchange): Judgement {
  const code = responseOf(x)?.status;
  return code === 400 ? unclear(`${x.id}: it was refused for its form`) : answered(x, unauthorized);
}
