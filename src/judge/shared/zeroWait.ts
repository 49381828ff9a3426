import type { Exchange } from '../../core/evidence.ts';
import { objectOf, responseOf } from '../kernel/body.ts';
import { unclear, violated } from '../kernel/judgement.ts';
import type { Watch } from '../kernel/oracle.ts';
import { noSamples, sampleOf } from '../kernel/sample.ts';
import { secondsOf } from './waitSeconds.ts';

/** A `retryAfter` of 0 promises room within a second, since it is rounded down. */
const roundedMs = 1000;

/** Requests of one key that overlap, or follow each other within a second. */
interface Group {
  /** Where all of them were refused with `retryAfter` 0, the first of them. */
  readonly promised: string | null;
  /** Where all of them were refused, the first of them. */
  readonly refused: string | null;
  readonly sent: number;
  readonly received: number;
  /** The promise of the previous group, which this one breaks if all of it is refused. */
  readonly before: { readonly id: string; readonly received: number } | null;
}

/**
 * A `retryAfter` of 0 alone proves nothing. But if a whole group of requests was refused with it, the key then sent
 * nothing for more than a second, and the whole next group was refused as well, the wait was longer than the answer said.
 */
export function watchZeroWaits(): NonNullable<Watch['exchange']> {
  const groups = new Map<string, Group>();
  return (exchange) => {
    const doubt = isZero(exchange) ? [sampleOf('SHR-LIM-020', unclear(rounded))] : noSamples;
    const { key, timings } = exchange;
    if (key === null) return doubt;
    const current = groups.get(key);
    const isOver = current !== undefined && timings.sent > current.received + roundedMs;
    groups.set(key, current === undefined || isOver ? begin(exchange, current) : join(current, exchange));
    return isOver ? [...broken(current), ...doubt] : doubt;
  };
}

const rounded = 'retryAfter is 0, which may be less than a second rounded down';

function begin(exchange: Exchange, previous: Group | undefined): Group {
  const { id, timings } = exchange;
  const promise = previous?.promised ?? null;
  return {
    promised: isZero(exchange) ? id : null,
    refused: isRefused(exchange) ? id : null,
    sent: timings.sent,
    received: timings.received,
    before: previous && promise !== null ? { id: promise, received: previous.received } : null,
  };
}

function join(group: Group, exchange: Exchange): Group {
  const { before, promised, refused } = group;
  return {
    before,
    promised: promised !== null && isZero(exchange) ? promised : null,
    refused: refused !== null && isRefused(exchange) ? refused : null,
    sent: Math.min(group.sent, exchange.timings.sent),
    received: Math.max(group.received, exchange.timings.received),
  };
}

function broken({ before, refused, sent }: Group) {
  if (before === null || refused === null) return noSamples;
  const seconds = ((sent - before.received) / 1000).toFixed(1);
  const actual = `${refused} was refused ${seconds} s after ${before.id} had said retryAfter 0, with nothing sent in between`;
  return [sampleOf('SHR-LIM-020', violated('not-positive', 'a positive number of seconds', actual))];
}

function isRefused(exchange: Exchange): boolean {
  return responseOf(exchange)?.status === 429;
}

function isZero(exchange: Exchange): boolean {
  return isRefused(exchange) && secondsOf(objectOf(exchange)?.retryAfter) === 0;
}
