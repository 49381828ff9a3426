import type { Call } from '../../trace/call.ts';
import { isObject, type JsonObject } from '../../trace/body.ts';
import { readForms } from '../grammar/readForms.ts';
import { only, type Blame } from '../kernel/blame.ts';
import type { Violation } from '../kernel/violation.ts';
import type { Booking, By, Fact, Sight } from '../world/booking.ts';
import type { Bookings } from '../world/bookings.ts';
import { rulesOf } from '../world/readiness.ts';

/** What an answer shows of a booking agrees with what is known of it. */
export function judgeSight(sight: Sight, booking: Booking, world: Bookings, blame: Blame): readonly Violation[] {
  if (world.mayMove(booking) || !world.isAfter(sight, booking)) return none;
  const members = [
    comparison('status', booking.status, sight.shown.status, sight),
    world.isAssessed(sight, booking) ? comparison('missing_info', booking.complete, completeIn(sight.shown), sight) : null,
    sight.by === 'list' ? comparison('pnr', booking.pnr, pnrIn(sight.shown), sight) : null,
  ];
  return members.flatMap((one) => (one === null ? none : judged(one, sight, booking, blame)));
}

const none: readonly Violation[] = Object.freeze([]);

interface Comparison {
  readonly member: 'status' | 'missing_info' | 'pnr';
  readonly known: Fact<unknown>;
  readonly value: unknown;
}

function comparison(member: Comparison['member'], known: Fact<unknown>, value: unknown, sight: Sight): Comparison | null {
  if (known.value === null || value === undefined) return null;
  // Another letter case is a matter of its own, and a subscribe that finds a booking tells what others have shown.
  if (typeof value === 'string' && value !== known.value && value.toUpperCase() === String(known.value).toUpperCase())
    return null;
  return sight.by === 'subscribe' && known.seen.length === 0 && known.by[0] !== sight.exchange ? null : { member, known, value };
}

function completeIn({ missing_info: missing, status }: JsonObject): boolean | undefined {
  return Array.isArray(missing) && status === 'SCHEDULED' ? missing.length === 0 : undefined;
}

function pnrIn({ pnr }: JsonObject): string | undefined {
  return typeof pnr === 'string' ? pnr : undefined;
}

function judged({ member, known, value }: Comparison, sight: Sight, booking: Booking, blame: Blame): readonly Violation[] {
  const { bystanders } = booking;
  if (value === known.value) {
    if (known.seen.length === 0) blame.keep(known.isTelling ? known : { ...known, how: [] });
    for (const { rule } of bystanders) blame.keep(only(`${rule} ${member}`));
    return none;
  }
  const violation: Violation = {
    rule: '',
    code: `world:${member}`,
    ...{ at: member, want: wanted(member, known.value), got: JSON.stringify(sight.shown[member]) },
    because: [...known.by, ...bystanders.slice(-1).map(({ by }) => by), sight.exchange],
  };
  const accused = booking.accused[member];
  if (accused && accused.want === value && accused.by !== sight.by) {
    // Another kind of answer shows what was expected: the two kinds disagree.
    blame.withdraw(accused.accusation, accused.by, agreement(accused.by, sight, member));
    delete booking.accused[member];
    return none;
  }
  const isMade = known.seen.length === 0 && known.rules.length + known.write.length > 0;
  const suspects = isMade ? known : only(disagreement(member, known, sight, booking, blame));
  booking.accused[member] = { want: known.value, by: sight.by, accusation: blame.accuse(suspects, sight.by, violation) };
  return none;
}

/** The sentence that an answer breaks by showing something else than those before. */
function disagreement(
  member: Comparison['member'],
  known: Fact<unknown>,
  sight: Sight,
  { bystanders }: Booking,
  blame: Blame,
): string {
  const latest = bystanders.at(-1);
  if (sight.by === 'subscribe') {
    if (latest?.rule === 'WCI-SUB-018' && member === 'missing_info') return latest.rule;
    return member === 'status' && sight.shown.status === 'SCHEDULED' ? 'WCI-SUB-017' : 'WCI-STS-007';
  }
  const isSame = known.seen.includes(sight.by);
  const suspects = bystanders.filter(({ rule }) => isSame || rule !== 'WCI-STS-009').toReversed();
  const suspect = suspects.find(({ rule }) => !blame.hasKept(`${rule} ${member}`));
  return suspect?.rule ?? agreement(known.seen.at(-1), sight, member);
}

function agreement(before: By | undefined, sight: Sight, member = 'status'): string {
  if (member === 'pnr') return 'WCI-LST-020';
  if (sight.isByAlias) return 'WCI-STS-002';
  const both = [before, sight.by];
  if (both.includes('update')) return 'WCI-UPD-033';
  return both.includes('subscribe') && !both.includes('list') ? 'WCI-STS-007' : 'WCI-STS-008';
}

function wanted(member: Comparison['member'], value: unknown): string {
  if (member === 'missing_info') return value === true ? '[]' : 'something that is missing';
  return JSON.stringify(value);
}

/** A refusal keeps the sentence of the only thing that a request lacks. */
export function keepRefusal({ op, carrier, body, status }: Call, blame: Blame): void {
  if (status !== 400 || body === null || (op !== 'wci.subscribe' && op !== 'wci.update') || carrier === 'unread') return;
  const asked = { operation: op, carrier } as const;
  const lacking = readForms(body, asked).filter(({ kind }) => kind === 'lacking' || kind === 'fault');
  const [first] = lacking;
  if (first?.kind !== 'lacking' || lacking.length > 1) return;
  for (const rule of rulesOf(first, asked)) blame.keep(only(rule));
}

/** The bookings that an answer shows; `find` gives what is known of one. */
export function sightsIn(call: Call): readonly Sight[] {
  const { answer, op, exchange, query, status } = call;
  if (status !== 200 || !isObject(answer) || answer.message === 'REJECTED') return noSights;
  const isByAlias = query.checkinId !== undefined && query.checkin_id === undefined;
  const sight = (by: By, shown: JsonObject): Sight => ({ by, exchange, shown, isByAlias });
  switch (op) {
    case 'wci.subscribe':
      return [sight('subscribe', answer)];
    case 'wci.status':
      return [sight('status', answer)];
    case 'wci.update':
      return isObject(answer.data) ? [sight('update', answer.data)] : noSights;
    case 'wci.list':
      return Array.isArray(answer.data)
        ? answer.data.slice(0, mostItems).filter(isObject).map((item) => sight('list', item))
        : noSights;
    default:
      return noSights;
  }
}

/** A page has 100 at most. */
const mostItems = 1000;
const noSights: readonly Sight[] = Object.freeze([]);
