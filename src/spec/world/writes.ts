import { isObject, type Json, type JsonObject } from '../../trace/body.ts';
import type { Call } from '../../trace/call.ts';
import { textOf } from '../grammar/form.ts';
import { fact, unsure, type Booking, type Fact, type WriteKind } from './booking.ts';
import type { Change } from './changes.ts';
import type { Readiness } from './readiness.ts';
import type { Sight } from './sights.ts';

/** How long a deployment may take to see that nothing is missing any more, in milliseconds (WCI-OPN-049). */
const assessMs = 3_000;

/** The sentence by which an update that was answered with a status changes nothing: empty for one without, null where it may change something. */
export function untouchedBy(status: number | null): string | null {
  if (status === 400) return 'WCI-UPD-037';
  if (status === 409) return 'WCI-UPD-047';
  return status !== null && [401, 402, 403, 404, 429].includes(status) ? '' : null;
}

/** Whether all identifiers of an update name this booking: one that is not known may name another. */
export function isClear({ body }: Call, { id, bookingId }: Booking): boolean {
  const names = [body?.checkin_id, body?.webcheckin_id].filter((name) => name !== undefined);
  return (
    names.every((name) => name === id) && [undefined, String(bookingId)].includes(nameOf(body?.booking_id))
  );
}

export function nameOf(id: Json | undefined): string | undefined {
  if (id === undefined) return undefined;
  return typeof id === 'number' ? String(id) : textOf(id);
}

/**
 * Whether an accepted update overlapped with no other write but those of the other member: whatever their order was, both
 * are done.
 */
export function isWhole({ status, answer, sentAt }: Call, { endedAt }: Booking, { kind }: Change): boolean {
  const isAccepted = status === 200 && isObject(answer) && answer.success === true;
  return isAccepted && sentAt >= endedAt.other && sentAt >= endedAt[kind];
}

/** Whether an update changes something for certain: what is spelled otherwise, or holds nothing, may be the same. */
export function isOther({ pnr, passengers }: Booking, change: Change): boolean {
  if (change.kind === 'pnr') return pnr.value !== null && plain(pnr.value) !== plain(change.pnr);
  return passengers.value !== null && plain(passengers.value) !== plain(change.passengers);
}

function plain(value: Json | readonly Json[]): string {
  const isNothing = (one: unknown) => one === null || one === '' || one === undefined;
  const known = JSON.stringify([value], (name, one: unknown) =>
    isNothing(one) || name === 'file_field' ? undefined : one,
  );
  return known.toLowerCase().replace(/[^a-z0-9@:,[\]{}]+/g, '');
}

export function completeness(
  { complete, rules, isCertain, lacking = [] }: Readiness,
  by: Fact<boolean>['by'],
  given: Partial<Fact<boolean>>,
): Fact<boolean> {
  return complete === null ? unsure(by) : fact(complete, by, { rules, isCertain, beside: lacking, ...given });
}

/** An update of the passengers keeps the pnr; what no answer has shown yet is still to be seen. */
export function kept(pnr: Fact<string>, { exchange, body, carrier }: Call): Fact<string> {
  const rule = body?.pnr === undefined ? 'WCI-UPD-045' : 'WCI-UPD-019';
  const rules = carrier === 'multipart' && body?.pnr !== undefined ? [rule, `${rule} in parts`] : [rule];
  const unseen = pnr.seen.length > 0 ? [] : pnr.write;
  return { ...pnr, by: [...pnr.by.slice(-1), exchange], seen: [], write: [...unseen, ...rules] };
}

export function shownBy<T>(sight: Sight, known: Fact<T>, value: T): Fact<T> {
  if (known.value === value)
    return { ...known, seen: [...known.seen.filter((by) => by !== sight.by), sight.by] };
  return fact(value, [sight.exchange], { seen: [sight.by] });
}

export function passBy(booking: Booking, rule: string, { exchange }: Call): void {
  booking.bystanders = [...booking.bystanders, { rule, by: exchange }].slice(-8);
}

/** A write whose outcome is not known, or open. */
export function doubt(booking: Booking, call: Call): void {
  const by = [...booking.passengers.by.slice(-1), call.exchange];
  const isOfPassengers = call.body?.type === 'passengers';
  Object.assign(booking, {
    pnr: unsure(by),
    passengers: unsure(by),
    complete: unsure(by),
    isUpdated: true,
    changedBy: null,
  });
  if (!isOfPassengers) booking.locators = null;
  if (booking.status.value !== 'SCHEDULED' || call.status !== 200) booking.status = unsure(by);
  wrote(booking, call);
}

export function wrote(
  booking: Booking,
  { sentAt, receivedAt, answer }: Pick<Call, 'sentAt' | 'receivedAt' | 'answer'>,
  kind: WriteKind = 'other',
): void {
  const version = isObject(answer) && isObject(answer.data) ? versionOf(answer.data) : null;
  booking.version = sentAt < booking.writtenAt ? laterOf(version, booking.version) : version;
  booking.writtenAt = Math.max(booking.writtenAt, receivedAt);
  booking.endedAt = { ...booking.endedAt, [kind]: Math.max(booking.endedAt[kind], receivedAt) };
  booking.assessedAt = booking.writtenAt + assessMs;
  booking.isReassessed = false;
  booking.passes = null;
  booking.bystanders = [];
  booking.accused = {};
  // An answer that came while it was under way may have shown its effect already.
  for (const { at, accusation } of booking.accusations) if (at > sentAt) accusation.isVoid = true;
}

function laterOf(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : Math.max(one, other);
}

export function versionOf({ last_updated: text }: JsonObject): number | null {
  const at = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  // One of whole seconds does not tell apart what came within a second.
  return Number.isNaN(at) || at % 1000 === 0 ? null : at;
}
