import type { Call } from '../../trace/call.ts';
import type { JsonObject } from '../../trace/body.ts';
import { textOf } from '../grammar/form.ts';
import { readForms } from '../grammar/readForms.ts';
import { only, type Blame, type Unblamed } from '../kernel/blame.ts';
import type { Booking, Fact } from '../world/booking.ts';
import type { Bookings } from '../world/bookings.ts';
import * as is from '../kernel/value.ts';
import { rulesOf } from '../world/readiness.ts';
import { place, type By, type Sight } from '../world/sights.ts';

/** What an answer shows of a booking agrees with what is known of it. */
export function judgeSight(sight: Sight, booking: Booking, world: Bookings, blame: Blame): void {
  if (world.isRevoked(booking.key) && sight.by === 'status') blame.show('WCI-SCP-012');
  if (!world.isAfter(sight, booking)) {
    keepEarly(sight, booking, blame);
    return;
  }
  const members = [
    isFree(sight, booking, world) ? null : comparison('status', booking.status, sight.record.status, sight),
    world.isAssessed(sight, booking)
      ? comparison('missing_info', booking.complete, completeIn(sight.record), sight)
      : null,
    sight.by === 'list' ? comparison('pnr', booking.pnr, pnrIn(sight.record), sight) : null,
  ];
  for (const one of members) if (one !== null) judge(one, sight, booking, blame);
}

/** Whether the deployment may have moved a booking by itself; a subscribe moves none back. */
function isFree({ by, record }: Sight, booking: Booking, world: Bookings): boolean {
  const isBack = by === 'subscribe' && record.status === 'SCHEDULED';
  return isBack ? world.mayReturn(booking) : world.mayMove(booking);
}

/** A copy that may be late knows of a write if it shows what only that made. */
function keepEarly(
  { record, exchange }: Sight,
  { status, complete, writtenAt }: Booking,
  blame: Blame,
): void {
  if (exchange.timings.sentAt < writtenAt) return;
  if (status.isNew && record.status === status.value) blame.keep(status);
  if (complete.isNew && completeIn(record) === complete.value)
    blame.show(...complete.rules, ...complete.write);
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

function completeIn({ missing_info: missing, status }: JsonObject): boolean | undefined {
  return Array.isArray(missing) && status === 'SCHEDULED' ? missing.length === 0 : undefined;
}

function pnrIn({ pnr }: JsonObject): string | undefined {
  return typeof pnr === 'string' ? pnr : undefined;
}

function judge({ member, known, value }: Comparison, sight: Sight, booking: Booking, blame: Blame): void {
  const { bystanders } = booking;
  if (value === known.value) {
    if (known.seen.length === 0) blame.keep(known);
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
    booking.accused = { ...booking.accused, [member]: undefined };
    return;
  }
  const isMade = known.seen.length === 0 && known.rules.length + known.write.length > 0;
  // What only lists show may have been changed by whoever passed by.
  if (isMade && member === 'pnr' && bystanders.some(({ rule: by }) => by !== 'WCI-STS-009')) return;
  const rule = isMade ? null : disagreement(member, known, sight, booking, blame);
  if (!isMade && rule === null) return;
  const suspects = rule === null ? known : only(rule);
  const accusation = blame.accuse(suspects, sight.by, violation);
  const one = { want: known.value, by: sight.by, at: sight.exchange.timings.receivedAt, accusation };
  booking.accused[member] = one;
  booking.accusations = [...booking.accusations, one].slice(-20);
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
