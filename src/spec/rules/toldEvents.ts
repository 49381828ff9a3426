import { isDeepStrictEqual } from 'node:util';
import type { Delivery } from '../../core/evidence.ts';
import type { Evidence } from '../../trace/evidence.ts';
import { deliveredObject } from '../../trace/delivered.ts';
import { only, owed, type Blame, type Trait } from '../kernel/blame.ts';
import type { Violation } from '../kernel/findings.ts';
import * as is from '../kernel/value.ts';
import { tokensOf } from '../world/addresses.ts';
import type { OwedEvents } from '../world/events.ts';
import type { Arrival, HookedRecord, Move } from '../world/hookedRecord.ts';
import { fieldsOf, nameOf } from '../world/toldChanges.ts';
import { eventOf, type WebhookEvent } from '../world/webhookEvent.ts';

/** An event, with its deliveries in the order of their arrival. */
export interface Told {
  readonly event: WebhookEvent;
  readonly arrivals: readonly Arrival[];
  /** When it came first, in epoch milliseconds. */
  readonly at: number;
}

/** What is known, and what is said of it. */
export interface Judged {
  readonly world: OwedEvents;
  readonly blame: Blame;
  readonly said: Violation[];
}

/** The events of a record, each once. */
export function toldOf({ deliveries }: HookedRecord): readonly Told[] {
  const told = new Map<string, { event: WebhookEvent; arrivals: Arrival[]; at: number }>();
  for (const arrival of deliveries) {
    const event = eventOf(arrival.delivery);
    if (!event) continue;
    const known = told.get(nameOf(event));
    if (known) known.arrivals.push(arrival);
    else told.set(nameOf(event), { event, arrivals: [arrival], at: arrival.delivery.receivedAt });
  }
  return [...told.values()];
}

/** Each member that changed has an event of its own, so that they cannot be told apart from those of another change. */
export function isSplit(told: readonly Told[]): boolean {
  return told.some(({ event: { changes } }) => fieldsOf(changes).length === 1);
}

/** Whether a delivery was not answered 2xx. */
export function isRefused(arrival: Arrival | undefined): boolean {
  return arrival !== undefined && !arrival.delivery.answer.startsWith('2');
}

/** A violation that rests on all that was done before; what shows it comes last. */
export function known(
  rule: string,
  code: string,
  { at, want, got }: Pick<Violation, 'at' | 'want' | 'got'>,
  because: readonly Evidence[],
): Violation {
  return { rule, code: `known:${code}`, at, want, got, because };
}

/** Each change is told by an event of its own; returns whether all are. */
export function judgePresence(record: HookedRecord, told: readonly Told[], judged: Judged): boolean {
  const { world, blame, said } = judged;
  const used = new Set<Told>();
  const isReached = [...record.urls].some((url) => world.addresses.isReached(url));
  const tokens = [...record.urls].flatMap(tokensOf);
  // What could not be read may have told it.
  const unreadAt = Math.max(...tokens.map((token) => world.unread.get(token) ?? Number.NEGATIVE_INFINITY));
  const missing: Move[] = [];
  for (const move of record.moves.filter(({ isOwed }) => isOwed)) {
    const fitting = told.filter(
      (one) => !used.has(one) && one.event.changes.status === move.status && one.at >= move.knownAt,
    );
    const one = fitting.find(({ at }) => at >= move.startedAt) ?? fitting[0];
    if (one) {
      used.add(one);
      blame.keep(only(...traitsOf(move, record, false)));
      if (used.size > 1) blame.keep(only('WCI-CB-021'));
    } else if (isReached && unreadAt < move.startedAt && world.outbox.isEmptySince(move.mark))
      missing.push(move);
  }
  for (const move of missing) {
    const want = is.value(move.status);
    const left = told.filter((one) => !used.has(one));
    const stray = isSplit(told) ? undefined : left.find((one) => isStray(one, move, told, record));
    const isManual = stray !== undefined && world.isManual(move.startedAt, stray.at);
    if (stray && isManual) {
      const got = is.value(stray.event.changes.status);
      const { delivery } = stray.event;
      said.push(known('WCI-CB-020', 'other', { at: 'changes.status', want, got }, [record.by, delivery]));
      // Automation may have told another status, of a change of its own.
    } else if (!left.some((one) => isOther(one, move, record)))
      blame.accuse(owed(...traitsOf(move, record, used.size > 0)), 'callback', {
        ...{ code: 'known:silent', at: 'changes.status' },
        want: is.telling({ status: move.status }),
        got: is.number(told.length, 'deliveries', 'of other changes'),
        because: [record.by, ...told.slice(-2).map(({ event }) => event.delivery)],
      });
  }
  return missing.length === 0;
}

/** It tells a status that the record did not get at that time, nor later. */
function isStray(
  { event: { changes }, at }: Told,
  move: Move,
  told: readonly Told[],
  { moves, made }: HookedRecord,
): boolean {
  const { status } = changes;
  const isLater = moves.some((one) => one.startedAt >= move.startedAt && one.status === status);
  if (typeof status !== 'string' || at < move.startedAt || isLater) return false;
  const had = [made.status, ...moves.map((one) => one.status)].filter((one) => one === status).length;
  return told.filter(({ event }) => event.changes.status === status).length > had;
}

/** It tells another status, and came before the next change. */
function isOther({ event: { changes }, at }: Told, move: Move, { moves }: HookedRecord): boolean {
  const next = moves[moves.indexOf(move) + 1];
  const isThen = at >= move.startedAt && (!next || at <= next.startedAt);
  return isThen && changes.status !== undefined && changes.status !== move.status;
}

/** What sets a change apart, with what became of the deliveries before it. */
function traitsOf(move: Move, { deliveries, moves }: HookedRecord, isOthersTold: boolean): readonly Trait[] {
  const earlier = deliveries.filter(({ delivery }) => delivery.receivedAt < move.startedAt);
  const failed = earlier.slice(1 + earlier.findLastIndex((arrival) => !isRefused(arrival)));
  const isGivenUp = failed.length > 2 && moves[moves.indexOf(move) - 1]?.isClosed === true;
  const [base = '', ...rest] = move.traits;
  return [
    isOthersTold ? 'WCI-CB-021' : base,
    ...rest,
    ...(isGivenUp ? ['WCI-CB-080'] : failed.length > 0 ? ['WCI-CB-021 behind retry'] : []),
  ];
}

/** What becomes of an event that was not taken; `areRepeated`: the deployment repeats what failed at all. */
export function judgeRepetition(
  { by }: HookedRecord,
  told: readonly Told[],
  { world, areRepeated, blame, said }: Judged & { readonly areRepeated: boolean },
): void {
  const at = 'callback';
  for (const { event, arrivals } of told) {
    const [first, second] = arrivals.map(({ delivery }) => delivery);
    if (!first || !isRefused(arrivals[0])) continue;
    if (second && !isDeepStrictEqual(deliveredObject(first), deliveredObject(second))) {
      const [want, got] = [is.text(textIn(first)), is.text(textIn(second))];
      said.push(known('WCI-CB-018', 'body', { at, want, got }, [first, second]));
    } else if (second) blame.show('WCI-CB-017', 'WCI-CB-018');
    const isOver = world.outbox.isEmptySince({ at: first.receivedAt, looks: 0 });
    if (areRepeated && isOver && !second && !isPart(event, told)) {
      const want = is.number(2, 'deliveries', 'as after other failures');
      const got = is.number(1, 'deliveries', `answered ${first.answer}`);
      said.push(known('WCI-CB-017', 'given-up', { at, want, got }, [by, first]));
    }
  }
  const [short, full] = told.flatMap((one) => {
    const whole = told.find((other) => isShortOf(one, other));
    return whole ? [one, whole] : [];
  });
  if (!short || !full) return;
  const [want, got] = [is.whose('the delivery that failed'), is.value(short.event.changes)];
  said.push(
    known('WCI-CB-011', 'shortened', { at: 'changes', want, got }, [
      full.event.delivery,
      short.event.delivery,
    ]),
  );
}

/** The same change with other members: it came again in another form. */
function isPart({ occurredAt }: WebhookEvent, told: readonly Told[]): boolean {
  return told.filter(({ event }) => event.occurredAt === occurredAt).length > 1;
}

/** A part of an event that had failed before, of the same moment. */
function isShortOf({ event: again, at }: Told, { event: first, arrivals, at: firstAt }: Told): boolean {
  if (!isRefused(arrivals[0]) || at <= firstAt || again.occurredAt !== first.occurredAt) return false;
  const [less = [], more = []] = [again, first].map(({ changes }) => Object.keys(changes));
  return (
    less.length > 0 &&
    less.length < more.length &&
    less.every((name) => more.includes(name) && isDeepStrictEqual(again.changes[name], first.changes[name]))
  );
}

function textIn({ body }: Delivery): string {
  return Buffer.from(body).toString('utf8');
}
