import { isObject } from '../../trace/body.ts';
import type { Call } from '../../trace/call.ts';
import { textOf } from '../grammar/form.ts';
import { only, type Blame } from '../kernel/blame.ts';
import type { Violation } from '../kernel/findings.ts';
import * as is from '../kernel/value.ts';
import type { Bookings } from '../world/bookings.ts';
import { areApart, type Repeats, type Twin } from '../world/repeats.ts';

/** A subscribe finds the attempt of its own booking, and of no other. */
export function judgeRepeat(call: Call, repeats: Repeats, world: Bookings, blame: Blame): void {
  if (call.op !== 'wci.subscribe' || call.status !== 200 || !isObject(call.answer)) return;
  const { message, checkin_id: id } = call.answer;
  if (typeof id !== 'string') return;
  const twin = repeats.of(call);
  if (twin) judgeTwin(call, twin, message === 'ALREADY_SUBSCRIBED', repeats, blame);
  else if (message === 'ALREADY_SUBSCRIBED') judgeOther(call, world, blame);
  else if (message === 'SCHEDULED' && isApartFromAll(call, id, world)) blame.show('WCI-SUB-002');
}

function judgeTwin(call: Call, twin: Twin, isNamed: boolean, repeats: Repeats, blame: Blame): void {
  const { booking, call: first } = twin;
  const { message, checkin_id: id } = isObject(call.answer) ? call.answer : {};
  const isSame = id === booking.id;
  const because = [first.exchange, call.exchange];
  const accuse = (rules: readonly string[], violation: Pick<Violation, 'at' | 'want' | 'got'>) =>
    blame.accuse(only(...rules), 'repeat', { code: 'known:repeat', because, ...violation });
  if (isSame && call.sentAt >= first.receivedAt) judgeNumber(call, twin, blame);
  if (isSame && isNamed) for (const rule of sentencesOf(call, twin)) blame.keep(only(rule));
  else if (isSame && call.sentAt >= first.receivedAt)
    accuse(['WCI-SUB-015'], {
      at: 'message',
      want: is.value('ALREADY_SUBSCRIBED'),
      got: is.value(message),
    });
  else if (!isSame && !isNamed && isKnownSame(call, twin, repeats)) {
    const want = is.value(booking.id, 'with ALREADY_SUBSCRIBED');
    const other = { at: 'checkin_id', want, got: is.value(id, `with ${textOf(message)}`) };
    accuse(sentencesOf(call, twin), other);
    const ofIds = sentencesOf(call, twin, 'WCI-SUB-016');
    if (ofIds.every((rule) => /^WCI-SUB-0(16|21)/.test(rule))) accuse(ofIds, other);
  }
}

/** What finds an attempt returns both of its ids. */
function judgeNumber(call: Call, twin: Twin, blame: Blame): void {
  const { booking, call: first } = twin;
  const number = isObject(call.answer) ? call.answer.booking_id : undefined;
  if (idOf(number) === idOf(booking.bookingId))
    for (const rule of sentencesOf(call, twin, 'WCI-SUB-016')) blame.keep(only(rule));
  else
    blame.accuse(only('WCI-SUB-016'), 'repeat', {
      ...{ code: 'known:repeat', at: 'booking_id', because: [first.exchange, call.exchange] },
      ...{ want: is.value(booking.bookingId), got: is.value(number) },
    });
}

/** A number is known by its digits. */
function idOf(id: unknown): string | null {
  return typeof id === 'number' || typeof id === 'string' ? String(id) : null;
}

/** What the documents leave open makes no violation: readers of parts may not know the locator, and an update may change what is the same. */
export function isKnownSame(call: Call, { booking, call: first }: Twin, repeats: Repeats): boolean {
  if (!repeats.mustFind(booking)) return false;
  return call.carrier === 'json' && first.carrier === 'json';
}

/** The sentences by which a subscribe finds the attempt, the widest first, each with what is special about this one. */
export function sentencesOf(
  call: Call,
  { booking, call: first }: Twin,
  row: 'WCI-SUB-015' | 'WCI-SUB-016' = 'WCI-SUB-015',
): readonly string[] {
  if (call.sentAt < first.receivedAt) return ['WCI-SUB-021'];
  const status = booking.status.value;
  const applying = [
    // Within one millisecond nobody can tell which came first.
    ['WCI-SUB-021 at once', call.sentAt === first.receivedAt],
    ['WCI-SUB-020', call.exchange.key !== first.exchange.key],
    ['WCI-MP-018', call.carrier !== first.carrier],
    [`${row} with several legs`, booking.flights.length > 1],
    [`${row} with something missing`, booking.complete.value === false],
    [`${row} while ${status ?? 'unsure'}`, status !== 'SCHEDULED'],
    [`${row} after an update`, booking.isUpdated],
  ] as const;
  return [row, ...applying.flatMap(([rule, applies]) => (applies ? [rule] : []))];
}

/** A new booking beside at least one other, which no reading takes for the same. */
function isApartFromAll(call: Call, id: string, world: Bookings): boolean {
  if (world.of(call.enterprise, id)) return false;
  for (const other of world.ofEnterprise(call.enterprise)) if (areApart(call, other)) return true;
  return false;
}

/** Bookings with other locators and other flights are not the same, whatever makes a booking the same. */
function judgeOther(call: Call, world: Bookings, blame: Blame): void {
  const found = isObject(call.answer) ? world.of(call.enterprise, call.answer.checkin_id) : null;
  if (!found || !areApart(call, found)) return;
  const [made] = found.passengers.by;
  const because = [...(made ? [made] : []), call.exchange];
  blame.accuse(only('WCI-SUB-002'), 'repeat', {
    ...{ code: 'known:first', at: 'message', because },
    ...{ want: 'SCHEDULED, as for a new booking', got: `the attempt ${found.id} of another booking` },
  });
}
