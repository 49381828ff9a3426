import * as is from '../../spec/kernel/value.ts';
import { only, owed, type Trait } from '../../spec/kernel/blame.ts';
import { tokensOf } from '../../spec/world/addresses.ts';
import type { HookedRecord, Move } from '../../spec/world/hookedRecord.ts';
import { differs } from '../kernel/judgement.ts';
import { broken, isRefused, isSplit, type Judged, type Told } from './toldEvents.ts';

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
    const stray = isSplit(told)
      ? undefined
      : told.find((one) => !used.has(one) && isStray(one, move, told, record));
    const isManual = stray !== undefined && world.isManual(move.startedAt, stray.at);
    // Automation may have told another status, of a change of its own.
    if (!isManual && told.some((one) => !used.has(one) && isOther(one, move, record))) continue;
    if (stray && isManual) {
      said.push(
        broken(
          'WCI-CB-020',
          differs('known:other', 'changes.status', move.status, is.value(stray.event.changes.status)),
          [stray.event.delivery, record.by],
        ),
      );
      continue;
    }
    blame.accuse(owed(...traitsOf(move, record, used.size > 0)), 'callback', {
      rule: '',
      code: 'known:silent',
      at: 'changes.status',
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
