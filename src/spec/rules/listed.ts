import { textOf } from '../grammar/form.ts';
import { only, type Blame } from '../kernel/blame.ts';
import * as is from '../kernel/value.ts';
import type { Booking } from '../world/booking.ts';
import { clockOf, instantsAt, zoneOf } from '../world/departure.ts';
import { place, type Sight } from '../world/sights.ts';

/** The forms of a value that need no cleaning. */
const plain = {
  airline: /^[A-Z\d]{2}$/,
  flight_number: /^[1-9]\d{0,3}$/,
  origin: /^[A-Z]{3}$/,
  destination: /^[A-Z]{3}$/,
} as const;

const time = /^\s*\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d([.,]\d+)?)?\s*(Z|[+-]\d\d(:?\d\d)?)?)?\s*$/i;

/** An item repeats the leg that a booking was made with; of several legs, which one is open. */
export function judgeListed(sight: Sight, booking: Booking, blame: Blame): void {
  const { record, exchange, by } = sight;
  const [leg, ...more] = booking.flights;
  if (by !== 'list' || !leg || more.length > 0) return;
  const accuse = (rule: string, member: string, want: string, got: unknown) =>
    blame.accuse(only(rule), 'list', {
      ...{ code: 'known:item', at: place(sight, member) },
      ...{ want: is.value(want), got: is.value(got) },
      because: [...booking.passengers.by.slice(0, 1), exchange],
      // No request changes the itinerary of a booking; one may change its locator.
      ...(member !== 'pnr' && { isSettled: true }),
    });
  const sent = Object.entries(plain).filter(([member, form]) => form.test(textOf(leg[member])));
  const others = sent.filter(([member]) => record[member] !== leg[member]);
  for (const [member] of others) accuse('WCI-LST-020', member, textOf(leg[member]), record[member]);
  // Another locator is judged by what has changed it.
  const pnr = textOf(booking.pnr.value);
  const isOtherwise =
    textOf(record.pnr).toUpperCase() === pnr || (typeof record.pnr !== 'string' && !booking.isUpdated);
  if (/^[A-Z][A-Z0-9]{5}$/.test(pnr) && record.pnr !== pnr && isOtherwise)
    accuse('WCI-LST-020', 'pnr', pnr, record.pnr);
  else if (pnr !== '' && record.pnr === pnr && others.length === 0 && sent.length === 4)
    blame.show('WCI-LST-020');
  const name = record.departure_datetime == null ? 'departure_date' : 'departure_datetime';
  const departure = record[name];
  const [wanted, told] = [clockOf(leg.departure_datetime), clockOf(departure)];
  if (wanted === null || told === null) return;
  const length = Math.min(wanted.length, told.length);
  const isSame = wanted.slice(0, length) === told.slice(0, length);
  // The text as it was sent is a time too, whatever follows its minutes.
  const isTime =
    textOf(departure).trim() === textOf(leg.departure_datetime).trim() || time.test(textOf(departure));
  if (isSame && isTime) blame.show('WCI-DT-014');
  // A clock that no day has is record as one that it has.
  if (!(isSame && isTime) && instantsAt(leg.departure_datetime, zoneOf(leg.origin)).length === 1)
    accuse('WCI-DT-014', name, wanted, departure);
}
