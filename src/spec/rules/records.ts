import { callOf, type Call } from '../../trace/call.ts';
import type { Evidence } from '../../trace/evidence.ts';
import { isObject, memberOf, type JsonObject } from '../../trace/body.ts';
import { textOf } from '../grammar/form.ts';
import { readForms } from '../grammar/readForms.ts';
import { only, type Blame, type Suspects, type Unblamed } from '../kernel/blame.ts';
import type { Booking, Fact } from '../world/booking.ts';
import type { Bookings } from '../world/bookings.ts';
import * as is from '../kernel/value.ts';
import { rulesOf } from '../world/readiness.ts';
import { completeIn, place, type By, type Sight } from '../world/sights.ts';
import { judgeCompleted } from './passes.ts';

/** What an answer shows of a booking agrees with what is known of it. */
export function judgeSight(sight: Sight, booking: Booking, world: Bookings, blame: Blame): void {
  const isAfter = world.isAfter(sight, booking);
  // Whoever shows what it was moved to knows of the step.
  if (isAfter || booking.status.isNew) judgeCompleted(sight, booking, blame);
  if (!isAfter) {
    keepEarly(sight, booking, blame);
    return;
  }
  const isOwn = sight.by === 'subscribe' && booking.complete.by[0] === sight.exchange;
  if (isOwn) judgeMade(sight, booking.complete, blame);
  const isShown = !isOwn || Array.isArray(sight.untyped.missing_info);
  const members = [
    isFree(sight, booking, world) ? null : comparison('status', booking.status, sight.record.status, sight),
    isShown && world.isAssessed(sight, booking)
      ? comparison('missing_info', toldOf(booking, sight), completeIn(sight.record), sight)
      : null,
    sight.by === 'list' ? comparison('pnr', booking.pnr, pnrIn(sight.record, booking), sight) : null,
  ];
  for (const one of members) if (one !== null) judge(one, sight, booking, blame);
}

/** A new booking shows what it lacks by two members that fit together. */
function judgeMade(
  { record, untyped, exchange }: Sight,
  { value, isCertain }: Fact<boolean>,
  blame: Blame,
): void {
  const { missing_info: missing, sub_status: sub } = untyped;
  if (value === null || !isCertain || record.status !== 'SCHEDULED') return;
  const accuse = (rule: string, at: string, want: is.Value) =>
    blame.accuse(only(rule), 'subscribe', {
      ...{ code: `made:${at}`, at, want, got: is.value(untyped[at]), because: [exchange] },
    });
  if (!Array.isArray(missing))
    accuse(value ? 'WCI-SUB-005' : 'WCI-SUB-014', 'missing_info', wanted('missing_info', value));
  else if (value && missing.length === 0) {
    if (sub === 'COMPLETE_INFO') blame.keep(only('WCI-SUB-004'));
    else accuse('WCI-SUB-004', 'sub_status', is.value('COMPLETE_INFO'));
  }
}

/** What a subscribe knows of a booking that a status has shown as its latest write made it. */
function toldOf({ complete, isReassessed }: Booking, { by }: Sight): Fact<boolean> {
  const isTold = by === 'subscribe' && isReassessed && complete.seen.length === 0;
  return isTold ? { ...complete, rules: [], write: [], seen: ['status'] } : complete;
}

/** Whether the deployment may have moved a booking by itself; a subscribe moves none back. */
function isFree({ by, record }: Sight, booking: Booking, world: Bookings): boolean {
  const isBack = by === 'subscribe' && record.status === 'SCHEDULED';
  return isBack ? world.mayReturn(booking) : world.mayMove(booking);
}

/** A copy that may be late knows of a write if it shows what only that made, or is as new as its answer. */
function keepEarly(sight: Sight, { status, complete, pnr, writtenAt }: Booking, blame: Blame): void {
  const { record, exchange } = sight;
  if (exchange.timings.sentAt < writtenAt) return;
  if (sight.by === 'list' && record.pnr === pnr.value && isAsNew(record, pnr.by.at(-1)))
    blame.show(...pnr.rules, ...pnr.write);
  if (status.isNew && record.status === status.value) blame.keep(status);
  if (complete.isNew && completeIn(record) === complete.value)
    blame.show(...complete.rules, ...complete.write);
}

/** Whether a booking was updated last when an update was, or later: times of whole seconds tell as much as that. */
function isAsNew({ last_updated: shown }: JsonObject, update: Evidence | undefined): boolean {
  const data = update && 'request' in update ? memberOf(update, 'data') : null;
  return isObject(data) && Date.parse(textOf(shown)) >= Date.parse(textOf(data.last_updated));
}

/** The answer to an update that shows what only that made: what it shows otherwise may follow. */
export function showUpdated({ record, exchange }: Sight, { complete }: Booking, blame: Blame): void {
  if (complete.by.at(-1) !== exchange || completeIn(record) !== complete.value) return;
  if (complete.tells === true) blame.keep(complete);
  blame.show(...complete.rules, ...(complete.beside ?? []));
}

interface Comparison {
  readonly member: 'status' | 'missing_info' | 'pnr';
  readonly known: Fact<unknown>;
  readonly value: unknown;
}

function comparison(
  member: Comparison['member'],
  known: Fact<unknown>,
  value: unknown,
  sight: Sight,
): Comparison | null {
  if (known.value === null || value === undefined) return null;
  // Another letter case is a matter of its own, and a subscribe that finds a booking tells what others have shown.
  if (
    typeof value === 'string' &&
    value !== known.value &&
    value.toUpperCase() === textOf(known.value).toUpperCase()
  )
    return null;
  const isTold = sight.by !== 'subscribe' || known.seen.length > 0 || known.by[0] === sight.exchange;
  if (isTold) return { member, known, value };
  // What the state handler did is known all the same.
  return member === 'status' && known.by.length === 0
    ? { member, known: { ...known, rules: [...known.rules, `WCI-SUB-017 of ${textOf(known.value)}`] }, value }
    : null;
}

/** What is not shown at all is another matter, unless an update has taken it away. */
function pnrIn({ pnr }: JsonObject, { isUpdated }: Booking): string | null | undefined {
  return typeof pnr === 'string' ? pnr : isUpdated ? null : undefined;
}

function judge({ member, known, value }: Comparison, sight: Sight, booking: Booking, blame: Blame): void {
  const { bystanders } = booking;
  if (value === known.value) {
    if (known.seen.length === 0) {
      blame.keep(known.tells === false ? { ...known, write: [], narrow: [] } : known);
      blame.show(...(known.beside ?? []));
    }
    for (const { rule, by } of bystanders) if (by !== sight.exchange) blame.keep(only(`${rule} ${member}`));
    blame.show(...agreed(member, known, sight));
    return;
  }
  const violation: Unblamed = {
    code: known.by[0] === sight.exchange ? `made:${member}` : `known:${member}`,
    ...{
      at: place(sight, member),
      want: wanted(member, known.value),
      got: JSON.stringify(sight.record[member]),
    },
    because: [...known.by, ...bystanders.slice(-1).map(({ by }) => by), sight.exchange],
  };
  const accused = booking.accused[member];
  if (accused && accused.want === value && accused.by !== sight.by) {
    // Another kind of answer shows what was expected: the two kinds disagree.
    blame.withdraw(accused.accusation, accused.by, agreement(accused.by, sight, member));
    if (accused.made)
      blame.accuse(only(accused.want === true ? 'WCI-SUB-005' : 'WCI-SUB-014'), accused.by, accused.made);
    booking.accused = { ...booking.accused, [member]: undefined };
    return;
  }
  const isMade = known.seen.length === 0 && known.rules.length + known.write.length > 0;
  // What only lists show may have been changed by whoever passed by.
  if (isMade && member === 'pnr' && bystanders.some(({ rule: by }) => by !== 'WCI-STS-009')) return;
  const rule = isMade ? null : disagreement(member, known, sight, booking, blame);
  if (!isMade && rule === null) return;
  const suspects = rule === null ? suspectsOf(known, value) : only(rule);
  const accusation = blame.accuse(suspects, sight.by, violation);
  // What a subscribe shows of its own booking has a sentence for itself.
  const isOwn = sight.by === 'subscribe' && member === 'missing_info' && known.by[0] === sight.exchange;
  const one = {
    ...{ want: known.value, by: sight.by, at: sight.exchange.timings.receivedAt, accusation },
    ...(isOwn && known.isCertain && { made: violation }),
  };
  booking.accused[member] = one;
  booking.accusations = [...booking.accusations, one].slice(-20);
}

/** A pnr that one of the updates has at its top comes from there; what an update takes away does not. */
function suspectsOf(known: Fact<unknown>, value: unknown): Suspects {
  const loose = typeof value === 'string' ? known.by.find((one) => looseIn(one)?.pnr === value) : undefined;
  if (loose) return only(looseIn(loose)?.type === 'pnr' ? 'WCI-UPD-018' : 'WCI-UPD-019');
  if (value !== null) return known;
  const write = known.write.filter((rule) => !rule.startsWith('WCI-UPD-018'));
  return { ...known, write: write.map((rule) => rule.replace('WCI-UPD-019', 'WCI-UPD-045')) };
}

function looseIn(by: Evidence): JsonObject | null {
  const call = 'request' in by ? callOf(by) : null;
  return call?.op === 'wci.update' ? call.body : null;
}

/** The sentence that an answer breaks by showing something else than those before; null where it may be one of several. */
function disagreement(
  member: Comparison['member'],
  known: Fact<unknown>,
  sight: Sight,
  { bystanders }: Booking,
  blame: Blame,
): string | null {
  const latest = bystanders.at(-1);
  if (sight.by === 'subscribe') {
    if (latest?.rule === 'WCI-SUB-018' && member === 'missing_info') return latest.rule;
    return member === 'status' && sight.record.status === 'SCHEDULED' ? 'WCI-SUB-017' : 'WCI-STS-007';
  }
  // Nothing was said of its window.
  if (member === 'status' && known.value === 'SCHEDULED') return 'WCI-SUB-065';
  const isSame = known.seen.includes(sight.by);
  const others = bystanders.filter(
    ({ rule, by }) => by !== sight.exchange && (isSame || rule !== 'WCI-STS-009'),
  );
  const suspect = others.toReversed().find(({ rule }) => !blame.hasKept(`${rule} ${member}`));
  if (suspect) return suspect.rule;
  return others.some(({ rule }) => rule !== 'WCI-STS-009')
    ? null
    : agreement(known.seen.at(-1), sight, member);
}

/** The sentences by which an answer shows what others have shown, since nothing was written meanwhile. */
function agreed(
  member: Comparison['member'],
  { seen, value }: Fact<unknown>,
  sight: Sight,
): readonly string[] {
  if (seen.length === 0) return [];
  const others = seen.filter((by) => by !== sight.by).map((by) => agreement(by, sight, member));
  const isWaiting = member === 'status' && value === 'SCHEDULED' && sight.by !== 'subscribe';
  // The same answer by the other name of the id is more than these members.
  return [...others, isWaiting ? 'WCI-SUB-065' : null].filter(
    (rule): rule is string => rule !== null && rule !== 'WCI-STS-002',
  );
}

function agreement(before: By | undefined, sight: Sight, member: Comparison['member']): string | null {
  // Only lists show it, and what has passed by meanwhile is not known.
  if (member === 'pnr') return null;
  const both = [before, sight.by];
  if (both.includes('alias')) return both.includes('list') ? null : 'WCI-STS-002';
  if (both.includes('update')) return 'WCI-UPD-033';
  if (!both.includes('subscribe')) return 'WCI-STS-008';
  return both.includes('list') ? null : 'WCI-STS-007';
}

function wanted(member: Comparison['member'], value: unknown): is.Value {
  if (member === 'missing_info') return value === true ? is.value([]) : is.notEmpty;
  return is.value(value);
}

/** A refusal keeps the sentence of the only thing that a request lacks. */
export function keepRefusal({ op, carrier, body, status }: Call, blame: Blame): void {
  if (
    status !== 400 ||
    body === null ||
    (op !== 'wci.subscribe' && op !== 'wci.update') ||
    carrier === 'unread'
  )
    return;
  const asked = { operation: op, carrier } as const;
  const lacking = readForms(body, asked).filter(({ kind }) => kind === 'lacking' || kind === 'fault');
  const [first] = lacking;
  if (first?.kind !== 'lacking' || lacking.length > 1) return;
  for (const rule of rulesOf(first, asked)) blame.keep(only(rule));
}
