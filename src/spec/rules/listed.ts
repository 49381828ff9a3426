import { textOf } from '../grammar/form.ts';
import { only, type Blame } from '../kernel/blame.ts';
import type { Booking } from '../world/booking.ts';
import { clockOf, instantsAt, zoneOf } from '../world/departure.ts';
import type { Sight } from '../world/sights.ts';

/** The forms of a value that need no cleaning. */
const plain = {
  airline: /^[A-Z]{2}$/,
  flight_number: /^[1-9]\d{0,3}$/,
  origin: /^[A-Z]{3}$/,
  destination: /^[A-Z]{3}$/,
} as const;

/** An item repeats the leg that a booking was made with; of several legs, which one is open. */
export function judgeListed({ record, exchange, by }: Sight, booking: Booking, blame: Blame): void {
  const [leg, ...more] = booking.flights;
  if (by !== 'list' || !leg || more.length > 0) return;
  const accuse = (rule: string, at: string, want: string, got: unknown) =>
    blame.accuse(only(rule), 'list', {
      ...{ rule: '', code: 'known:item', at, want: JSON.stringify(want), got: JSON.stringify(got) },
      because: [...booking.passengers.by.slice(0, 1), exchange],
      // No request changes the itinerary of a booking; one may change its locator.
      ...(at !== 'pnr' && { isSettled: true }),
    });
  for (const [member, form] of Object.entries(plain)) {
    const sent = textOf(leg[member]);
    if (form.test(sent) && record[member] !== sent) accuse('WCI-LST-020', member, sent, record[member]);
  }
  // Another locator is judged by what has changed it.
  const pnr = textOf(booking.pnr.value);
  const isOtherwise =
    textOf(record.pnr).toUpperCase() === pnr || (typeof record.pnr !== 'string' && !booking.isUpdated);
  if (/^[A-Z][A-Z0-9]{5}$/.test(pnr) && record.pnr !== pnr && isOtherwise)
    accuse('WCI-LST-020', 'pnr', pnr, record.pnr);
  const departure = record.departure_datetime ?? record.departure_date;
  const [wanted, told] = [clockOf(leg.departure_datetime), clockOf(departure)];
  if (wanted === null || told === null) return;
  const length = Math.min(wanted.length, told.length);
  const isSame = wanted.slice(0, length) === told.slice(0, length);
  // A clock that no day has is record as one that it has.
  if (!isSame && instantsAt(leg.departure_datetime, zoneOf(leg.origin)).length === 1)
    accuse('WCI-DT-014', 'departure', wanted, departure);
}
