import type { Exchange } from '../../core/evidence.ts';
import { objectOf, responseOf, type Json } from '../kernel/body.ts';
import { unclear, differs } from '../kernel/judgement.ts';
import type { Known, Watch } from '../kernel/oracle.ts';
import { RecentMap } from '../kernel/recentMap.ts';
import { noSamples, sampleOf, type Sample } from '../kernel/sample.ts';
import * as is from '../../spec/kernel/value.ts';

/** A `retryAfter` may be rounded down, so that one of 0 promises room within a second. */
const roundedMs = 1000;
/** A wait beyond the hour is in another unit. */
const longest = 3660;
const mostKeys = 1000;

/** Requests of one key that overlap, or follow each other within a second. */
interface Group {
  /** Where all of them were refused with a `retryAfter`, the longest of them. */
  promised: Promised | null;
  /** Where all of them were refused, the first of them. */
  refused: string | null;
  sent: number;
  received: number;
  /** The promise of the previous group, which this one breaks if all of it is refused. */
  readonly before: (Promised & { readonly received: number }) | null;
}

interface Promised {
  readonly id: string;
  readonly seconds: number;
}

/**
 * A wait alone proves nothing. But if a whole group of requests was refused with it, the key then sent nothing for longer
 * than that, and the whole next group was refused as well, the wait was longer than the answer said. More than 0 is judged only
 * of keys that nobody else uses.
 */
export function watchWaits(known: Known): NonNullable<Watch['exchange']> {
  const groups = new RecentMap<string, Group>(mostKeys);
  const isOwn = (key: string) => known.isOnlyUser === true && key.startsWith('issued');
  return (exchange) => {
    const doubt =
      promiseOf(exchange)?.seconds === 0 ? [sampleOf('SHR-LIM-020', unclear(rounded))] : noSamples;
    const { key } = exchange;
    if (key === null) return doubt;
    const moved = known.movesLimits === true ? known.movedMs : 0;
    const times = { sent: exchange.timings.sent + moved, received: exchange.timings.received + moved };
    const current = groups.get(key);
    const isOver = current !== undefined && times.sent > current.received + roundedMs;
    if (current === undefined || isOver) groups.set(key, begin(exchange, times, current));
    else join(current, exchange, times);
    return isOver ? [...broken(current, isOwn(key)), ...doubt] : doubt;
  };
}

const rounded = 'retryAfter is 0, which may be less than a second rounded down';

type Times = Pick<Group, 'sent' | 'received'>;

function begin(exchange: Exchange, times: Times, previous: Group | undefined): Group {
  const promise = previous?.promised ?? null;
  return {
    ...times,
    promised: promiseOf(exchange),
    refused: isRefused(exchange) ? exchange.id : null,
    before: previous && promise ? { ...promise, received: previous.received } : null,
  };
}

function join(group: Group, exchange: Exchange, { sent, received }: Times): void {
  if (group.promised) group.promised = longer(group.promised, promiseOf(exchange));
  if (!isRefused(exchange)) group.refused = null;
  group.sent = Math.min(group.sent, sent);
  group.received = Math.max(group.received, received);
}

function longer(one: Promised, other: Promised | null): Promised | null {
  return other && other.seconds < one.seconds ? one : other;
}

function broken({ before, refused, sent }: Group, isOwn: boolean): readonly Sample[] {
  if (before === null || refused === null) return noSamples;
  const { id, seconds, received } = before;
  const silentMs = sent - received;
  if (silentMs <= seconds * 1000 + roundedMs) return noSamples;
  const after = `${refused} was refused ${(silentMs / 1000).toFixed(1)} s after ${id} had said so, with nothing sent in between`;
  const [got, because] = [is.noted(is.value(seconds), after), [{ id }, { id: refused }]];
  if (seconds === 0) {
    const want = is.type('positive number of seconds');
    return [sampleOf('SHR-LIM-020', differs('not-positive', 'retryAfter', want, got, because))];
  }
  const want = is.text(`HTTP 200 after waiting ${seconds} s and one more`);
  return isOwn
    ? [sampleOf('SHR-LIM-021', differs('too-short', 'retryAfter', want, got, because))]
    : noSamples;
}

function isRefused(exchange: Exchange): boolean {
  return responseOf(exchange)?.status === 429;
}

function promiseOf(exchange: Exchange): Promised | null {
  const seconds = isRefused(exchange) ? secondsOf(objectOf(exchange)?.retryAfter) : Number.NaN;
  return seconds >= 0 && seconds <= longest ? { id: exchange.id, seconds } : null;
}

/** Seconds of a `retryAfter`: a number, or a number as text (an open point); NaN for anything else. */
export function secondsOf(value: Json | undefined): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\s*[+-]?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : Number.NaN;
}
