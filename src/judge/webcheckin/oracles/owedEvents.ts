import {
  agreesWith,
  tellsChanges,
  tellsCompletion,
  tellsNoMore,
  tellsText,
} from '../../../spec/rules/changes.ts';
import {
  isRefused,
  isSplit,
  judgePresence,
  judgeRepetition,
  known,
  toldOf,
  type Judged,
  type Told,
} from '../../../spec/rules/toldEvents.ts';
import type { Finding, Violation } from '../../../spec/kernel/findings.ts';
import { Blame } from '../../../spec/kernel/blame.ts';
import * as is from '../../../spec/kernel/value.ts';
import { equalField } from '../../../spec/kit/equalField.ts';
import {
  clockSlackMs,
  idleIn,
  isIdle,
  ordersOf,
  tellsOnlyText,
  textless,
  withoutPassUrls,
  withoutText,
  type Change,
} from '../../../spec/world/toldChanges.ts';
import { OwedEvents } from '../../../spec/world/events.ts';
import type { HookedRecord, Move } from '../../../spec/world/hookedRecord.ts';
import type { WebhookEvent } from '../../../spec/world/webhookEvent.ts';
import { callOf } from '../../../trace/call.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { noSamples, sampleOfViolation, samplesKept, type Sample } from '../../kernel/sample.ts';

/** Changes of records that the state handler made are pushed, as they were made. */
export const owedEvents: Oracle = {
  id: 'owed-events',
  title: 'every change of a record with a webhook is pushed, as it was made',
  verifies: [
    ...['WCI-CB-001', 'WCI-CB-011', 'WCI-CB-012', 'WCI-CB-013', 'WCI-CB-015', 'WCI-CB-017', 'WCI-CB-018'],
    ...['WCI-CB-019', 'WCI-CB-020', 'WCI-CB-021', 'WCI-CB-023', 'WCI-CB-026', 'WCI-CB-080'],
  ],
  operations: ['wci.subscribe', 'wci.update', 'wci.status'],
  needs: 'everything',
  createWatch: () => {
    const world = new OwedEvents();
    const own = new Set(owedEvents.verifies);
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
      end: () => judgeAll(world, own),
      forgotten: () => world.forgotten,
    };
  },
};

function judgeAll(world: OwedEvents, own: ReadonlySet<string>): readonly Sample[] {
  const blame = new Blame();
  const said: Violation[] = [];
  const judged = { world, blame, said };
  const all = [...world.records.values()].map((record) => ({ record, told: toldOf(record) }));
  const areRepeated = all.some(({ told }) =>
    told.some(({ arrivals }) => isRefused(arrivals[0]) && arrivals.length > 1),
  );
  for (const { record, told } of all) {
    const before = said.length;
    const isWhole = judgePresence(record, told, judged);
    if (!isSplit(told)) judgeContent(record, told, judged);
    if (isWhole && said.length === before) judgeTime(record, told, judged);
    if (isWhole && said.length === before && !isSplit(told)) judgeIdle(record, told, judged);
    judgeRepetition(record, told, { ...judged, areRepeated });
  }
  return [...[...said, ...blame.end()].map(sampleOfViolation), ...samplesKept(blame, own)];
}

/** What an event tells of a change is as it was made, and as an answer showed it. */
function judgeContent(
  { moves, by }: HookedRecord,
  told: readonly Told[],
  { world, blame, said }: Judged,
): void {
  for (const [index, move] of moves.entries()) {
    const next = moves[index + 1];
    const isOver = next ? move.isClosed : world.outbox.isEmptySince(move.mark);
    const events = told
      .filter(({ at }) => at >= move.startedAt && (!next || at < next.startedAt))
      .map(({ event }) => event);
    const own = ownOf(events, move);
    const { before } = move;
    if (own.length === 0 || !before || !move.after || !isOver || !move.isOwed) continue;
    // What has no status may tell of an update.
    if (own.some(({ changes }) => changes.status === undefined)) continue;
    // Answers of two kinds may show something else to be missing, which automation does not change.
    const after = own.some(({ changes }) => changes.missing_info !== undefined)
      ? move.after
      : { ...move.after, missing_info: before.missing_info };
    const because = [by, ...own.map(({ delivery }) => delivery)];
    for (const [rule, found] of findingsOf({ before, after, events: own, isOver }, move))
      if (found === null) blame.show(rule);
      else if (typeof found === 'object') said.push(known(rule, found.code, found, because));
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

function findingsOf(change: Change, { given }: Move): readonly (readonly [string, Finding])[] {
  const plain = withoutText(change);
  const passes = Array.isArray(given.boarding_passes) ? given.boarding_passes : null;
  const isFirm = passes !== null && equalField('boarding_passes', passes, change.after.boarding_passes);
  const compared = isFirm ? plain : withoutPassUrls(plain);
  return [
    ['WCI-CB-011', tellsChanges(compared)],
    ['WCI-CB-020', agreesWith(compared)],
    ['WCI-CB-013', tellsCompletion(compared)],
    // Of several events, each may be the one that says more. Other passes than before are a change, as many as they are.
    ['WCI-CB-012', tellsNoMore(plain) ?? (compared.events.length === 1 ? null : 'there were several')],
    ...(typeof given.checkin_message === 'string'
      ? [['WCI-CB-011', tellsText(change, given.checkin_message)] as const]
      : []),
  ];
}

/** occurredAt is when the change was made, by the deployment's clock. */
function judgeTime({ moves, made }: HookedRecord, told: readonly Told[], judged: Judged): void {
  const { world, blame, said } = judged;
  for (const move of moves) {
    const { clock, movedMs, status } = move;
    const isOnce = moves.filter((one) => one.status === status).length === 1 && made.status !== status;
    if (clock === null || !move.isOwed || !isOnce) continue;
    const from = move.startedAt + movedMs + clock.least - clockSlackMs;
    const to = move.endedAt + movedMs + clock.most + clockSlackMs;
    const own = told.filter(
      ({ event, at }) => event.changes.status === status && world.isManual(move.startedAt, at),
    );
    const isOff = (at: number) => at < from || at > to;
    const wrong = own.find(({ event: { occurredAt } }) => occurredAt !== null && isOff(occurredAt));
    // One that came at once has the same time as its delivery.
    const isLate = own.some(({ event, at }) => event.occurredAt !== null && at + movedMs + clock.least > to);
    if (!wrong && isLate) blame.show('WCI-CB-019');
    if (!wrong) continue;
    const [least = '', most = ''] = [from, to].map((ms) => new Date(ms).toISOString());
    const want = is.noted(is.range(least, most), 'when the change was made');
    const occurredAt = wrong.event.occurredAt ?? 0;
    const fault = { at: 'occurredAt', want, got: is.off(occurredAt, occurredAt - from) };
    said.push(known('WCI-CB-019', 'occurredAt', fault, [wrong.event.delivery]));
  }
}

/** No event says only what was known: but for the creation, and for updates, which may be told. */
function judgeIdle(record: HookedRecord, told: readonly Told[], { world, said }: Judged): void {
  // What is still to come may be what makes it news.
  const cameAt = Math.max(...told.map(({ at }) => at));
  if (told.length === 0 || !world.outbox.isEmptySince({ at: cameAt, looks: 0 })) return;
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
  const fault = {
    at: 'callback',
    want: is.noted(is.absent, 'where nothing changed'),
    got: is.telling(stray.changes),
  };
  said.push(known('WCI-CB-015', 'idle', fault, [record.by, stray.delivery]));
}
