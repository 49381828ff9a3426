import { Contrast, type Trait } from '../../../spec/kernel/contrast.ts';
import { tokensOf } from '../../../spec/world/addresses.ts';
import { OwedEvents, type Arrival, type HookedRecord, type Move } from '../../../spec/world/events.ts';
import { callOf } from '../../../trace/call.ts';
import type { Delivery } from '../../../core/evidence.ts';
import { isDeepStrictEqual } from 'node:util';
import { deliveredObject } from '../../../trace/delivered.ts';
import { isNote } from '../../../trace/evidence.ts';
import { equalField } from '../equalField.ts';
import { idleIn } from '../webhookHistory.ts';
import { withoutPassUrls } from '../passUrls.ts';
import {
  agreesWith,
  isIdle,
  nameOf,
  ordersOf,
  tellsChanges,
  tellsCompletion,
  tellsNoMore,
  tellsOnlyText,
  tellsText,
  textless,
  withoutText,
  type Change,
} from '../webhookOrder.ts';
import { changeFields, eventOf, type WebhookEvent } from '../webhookEvent.ts';
import { clockSlackMs } from '../clockSlack.ts';
import { violated, type Judgement } from '../../kernel/judgement.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { noSamples, sampleOf, type Sample } from '../../kernel/sample.ts';

/** Changes of records that the state handler made are pushed, as they were made. */
export const owedEvents: Oracle = {
  id: 'owed-events',
  title: 'every change of a record with a webhook is pushed, as it was made',
  verifies: ['WCI-CB-001', 'WCI-CB-021'],
  operations: ['wci.subscribe', 'wci.update', 'wci.status'],
  needsAll: true,
  createWatch: () => {
    const world = new OwedEvents();
    return {
      exchange: (exchange) => {
        const call = callOf(exchange);
        if (call) world.learn(call);
        return noSamples;
      },
      delivery: (delivery) => {
        world.deliver(delivery);
        return noSamples;
      },
      note: (note) => {
        if (note.type === 'step') world.note(note);
      },
      end: () => judgeAll(world),
      forgotten: () => world.forgotten,
    };
  },
};

/** An event, with its deliveries in the order of their arrival. */
interface Told {
  readonly event: WebhookEvent;
  readonly arrivals: readonly Arrival[];
  readonly at: number;
}

function judgeAll(world: OwedEvents): readonly Sample[] {
  const contrast = new Contrast();
  const said: Sample[] = [];
  const all = [...world.records.values()].map((record) => ({ record, told: toldOf(record) }));
  const areRepeated = all.some(({ told }) => told.some(({ arrivals }) => isRefused(arrivals[0]) && arrivals.length > 1));
  for (const { record, told } of all) {
    const before = said.length;
    const isWhole = judgePresence(record, told, { world, contrast, said });
    if (!isSplit(told)) judgeContent(record, told, { world, contrast, said });
    if (isWhole && said.length === before) judgeTime(record, told, { world, contrast, said });
    if (isWhole && said.length === before && !isSplit(told)) judgeIdle(record, told, said);
    judgeRepetition(record, told, { world, areRepeated, said });
  }
  const silent = contrast.end().map(({ rule, code, want, got, because }) => ({
    ...sampleOf(rule, violated(code, want, got)),
    evidence: because.flatMap((one) => (isNote(one) ? [] : [one])).toReversed(),
  }));
  return [...said, ...silent];
}

interface Judged {
  readonly world: OwedEvents;
  readonly contrast: Contrast;
  readonly said: Sample[];
}

function toldOf({ deliveries }: HookedRecord): readonly Told[] {
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

/** Each change is told by an event of its own. */
function judgePresence(record: HookedRecord, told: readonly Told[], judged: Judged): boolean {
  const { world, contrast, said } = judged;
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
      contrast.keep(traitsOf(move, record, false));
      if (used.size > 1) contrast.keep(['WCI-CB-021']);
    } else if (isReached && unreadAt < move.startedAt && world.outbox.isEmptySince(move.mark)) missing.push(move);
  }
  for (const move of missing) {
    const stray = isSplit(told) ? undefined : told.find((one) => !used.has(one) && isStray(one, move, told, record));
    const isManual = stray !== undefined && world.isManual(move.startedAt, stray.at);
    // Automation may have told another status, of a change of its own.
    if (!isManual && told.some((one) => !used.has(one) && isOther(one, move, record))) continue;
    if (stray && isManual) {
      said.push(
        broken('WCI-CB-020', violated('known:other', `changes.status ${move.status}`, JSON.stringify(stray.event.changes)), [
          stray.event.delivery,
          record.by,
        ]),
      );
      continue;
    }
    contrast.accuse(traitsOf(move, record, used.size > 0), {
      rule: '',
      code: 'known:silent',
      at: 'changes.status',
      want: `a callback of ${move.status} ${process.env.DBG ? JSON.stringify([record.id, record.by.id, move.given, move.traits]) : ''}`,
      got: `${told.length} of other changes`,
      because: [record.by, ...told.slice(-2).map(({ event }) => event.delivery)],
    });
  }
  return missing.length === 0;
}

/** It tells a status that the record did not get at that time, nor later. */
function isStray({ event: { changes }, at }: Told, move: Move, told: readonly Told[], { moves, made }: HookedRecord): boolean {
  const { status } = changes;
  const isLater = moves.some((one) => one.startedAt >= move.startedAt && one.status === status);
  if (typeof status !== 'string' || at < move.startedAt || isLater) return false;
  const had = [made.status, ...moves.map((one) => one.status)].filter((one) => one === status).length;
  return told.filter(({ event }) => event.changes.status === status).length > had;
}

/** It tells another status, and came before the next change. */
function isOther({ event: { changes }, at }: Told, move: Move, { moves }: HookedRecord): boolean {
  const next = moves[moves.indexOf(move) + 1];
  const isThen = at >= move.startedAt && (!next || at < next.startedAt);
  return isThen && changes.status !== undefined && changes.status !== move.status;
}

/** Each member that changed has an event of its own, so that they cannot be told apart from those of another change. */
function isSplit(told: readonly Told[]): boolean {
  return told.some(({ event: { changes } }) => changeFields.filter((name) => changes[name] !== undefined).length === 1);
}

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

/** What an event tells of a change is as it was made, and as an answer showed it. */
function judgeContent(record: HookedRecord, told: readonly Told[], { world, said }: Judged): void {
  for (const [index, move] of record.moves.entries()) {
    const next = record.moves[index + 1];
    const isOver = next ? move.isClosed : world.outbox.isEmptySince(move.mark);
    const events = told
      .filter(({ at }) => at >= move.startedAt && (!next || at < next.startedAt))
      .map(({ event }) => event);
    const own = ownOf(events, move);
    if (own.length === 0) continue;
    if (!move.before || !move.after || !isOver || !move.isOwed) continue;
    const change: Change = { before: move.before, after: move.after, events: own, isOver };
    for (const [rule, judgement] of judgementsOf(change, move))
      if (judgement.status === 'violated')
        said.push(broken(rule, judgement, [...own.map(({ delivery }) => delivery), record.by]));
  }
}

/** The events of a change: not what says nothing new, nor what automation made of it afterwards. */
function ownOf(events: readonly WebhookEvent[], { before, status }: Move): readonly WebhookEvent[] {
  const fresh = events.filter(
    (event) => before === null || !(isIdle(event, before) || event.changes.status === before.status),
  );
  const next = fresh.findIndex(({ changes }) => (changes.status ?? status) !== status);
  return fresh.slice(0, next < 0 ? undefined : next);
}

function judgementsOf(change: Change, { given }: Move): readonly (readonly [string, Judgement])[] {
  const plain = withoutText(change);
  const passes = Array.isArray(given.boarding_passes) ? given.boarding_passes : null;
  const isFirm = passes !== null && equalField('boarding_passes', passes, change.after.boarding_passes);
  const compared = isFirm ? plain : withoutPassUrls(plain);
  return [
    ['WCI-CB-011', tellsChanges(compared)],
    ['WCI-CB-020', agreesWith(compared)],
    ['WCI-CB-013', tellsCompletion(compared)],
    ['WCI-CB-012', tellsNoMore(compared)],
    ...(typeof given.checkin_message === 'string'
      ? [['WCI-CB-011', tellsText(change, given.checkin_message)] as const]
      : []),
  ];
}

/** occurredAt is when the change was made, by the deployment's clock. */
function judgeTime({ moves, made }: HookedRecord, told: readonly Told[], { world, said }: Judged): void {
  for (const move of moves) {
    const { clock, movedMs, status } = move;
    const isOnce = moves.filter((one) => one.status === status).length === 1 && made.status !== status;
    if (clock === null || !move.isOwed || !isOnce) continue;
    const from = move.startedAt + movedMs + clock.least - clockSlackMs;
    const to = move.endedAt + movedMs + clock.most + clockSlackMs;
    const wrong = told.find(({ event: { occurredAt, changes }, at }) => {
      const isOff = occurredAt !== null && (occurredAt < from || occurredAt > to);
      return isOff && changes.status === status && world.isManual(move.startedAt, at);
    });
    if (!wrong) continue;
    const judgement = violated(
      'known:occurredAt',
      `occurredAt near ${new Date(to).toISOString()}, when the change was made`,
      new Date(wrong.event.occurredAt ?? 0).toISOString(),
    );
    said.push(broken('WCI-CB-019', judgement, [wrong.event.delivery]));
  }
}

/** No event says only what was known: but for the creation, and for updates, which may be told. */
function judgeIdle(record: HookedRecord, told: readonly Told[], said: Sample[]): void {
  if (record.isUnsure || told.some(({ arrivals }) => isRefused(arrivals[0]))) return;
  const { quietAt } = record;
  const isLate = ({ delivery }: WebhookEvent) => quietAt !== null && delivery.receivedAt > quietAt;
  const events = told.map(({ event }) => event).filter((event) => !tellsOnlyText(event));
  const strays = ordersOf(events.map(textless)).map((ordered) => {
    const idle = idleIn(ordered, { ...record.made, checkin_message: null });
    const first = ordered.findIndex((event) => !idle.includes(event));
    const later = idle.filter((event) => isLate(event) || (first >= 0 && ordered.indexOf(event) > first));
    return later[record.updates] ?? idle[1 + record.updates];
  });
  const [stray] = strays;
  if (!stray || strays.includes(undefined)) return;
  const judgement = violated('known:idle', 'no callback where nothing changed', JSON.stringify(stray.changes));
  said.push(broken('WCI-CB-015', judgement, [stray.delivery, record.by]));
}

interface Repeated {
  readonly world: OwedEvents;
  /** Whether the deployment repeats what failed at all. */
  readonly areRepeated: boolean;
  readonly said: Sample[];
}

const isRefused = (arrival: Arrival | undefined) => arrival !== undefined && !arrival.delivery.answer.startsWith('2');

/** What becomes of an event that was taken, and of one that was not. */
function judgeRepetition(
  { by }: HookedRecord,
  told: readonly Told[],
  { world, areRepeated, said }: Repeated,
): void {
  for (const { event, arrivals } of told) {
    const taken = arrivals.findIndex((arrival) => !isRefused(arrival));
    const again = taken < 0 ? [] : arrivals.slice(taken + 1);
    const of = arrivals.map(({ delivery }) => delivery);
    const answers = of.map(({ answer }) => answer).join(', ');
    if (again.length > 1)
      said.push(broken('WCI-CB-016', violated('known:repeated', 'one delivery that is answered 2xx', answers), [...of, by]));
    const [first, second] = of;
    if (first && second && isRefused(arrivals[0]) && !isSameBody(first, second))
      said.push(broken('WCI-CB-018', violated('known:body', textIn(first), textIn(second)), [second, first]));
    const isOver = first !== undefined && world.outbox.isEmptySince({ at: first.receivedAt, looks: 0 });
    if (areRepeated && isOver && arrivals.length === 1 && isRefused(arrivals[0]) && !isPart(event, told))
      said.push(
        broken('WCI-CB-017', violated('known:given-up', 'another delivery, as after other failures', answers), [first, by]),
      );
  }
  const short = told.find((one) => told.some((full) => isShortOf(one, full)));
  if (short)
    said.push(
      broken(
        'WCI-CB-011',
        violated('known:shortened', 'all that the delivery that failed told', JSON.stringify(short.event.changes)),
        [short.event.delivery, by],
      ),
    );
}

/** The same change with other members: it came again in another form. */
function isPart({ occurredAt }: WebhookEvent, told: readonly Told[]): boolean {
  return told.filter(({ event }) => event.occurredAt === occurredAt).length > 1;
}

/** A part of an event that had failed before, of the same moment. */
function isShortOf({ event: again, at }: Told, { event: first, arrivals, at: firstAt }: Told): boolean {
  if (!isRefused(arrivals[0]) || at <= firstAt || again.occurredAt !== first.occurredAt) return false;
  const [less, more] = [again, first].map(({ changes }) => Object.keys(changes));
  return (
    less !== undefined &&
    more !== undefined &&
    less.length > 0 &&
    less.length < more.length &&
    less.every((name) => more.includes(name) && isDeepStrictEqual(again.changes[name], first.changes[name]))
  );
}

function isSameBody(one: Delivery, other: Delivery): boolean {
  return isDeepStrictEqual(deliveredObject(one), deliveredObject(other));
}

function textIn({ body }: Delivery): string {
  return Buffer.from(body).toString('utf8');
}

function broken(rule: string, judgement: Judgement, evidence: Sample['evidence'] & object): Sample {
  const known =
    judgement.status === 'violated' && !judgement.code.startsWith('known:')
      ? { ...judgement, code: `known:${judgement.code}` }
      : judgement;
  return { ...sampleOf(rule, known), evidence };
}
