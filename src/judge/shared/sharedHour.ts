import type { Exchange } from '../../core/evidence.ts';
import { objectOf, responseOf } from '../kernel/body.ts';
import { differs } from '../kernel/judgement.ts';
import type { KeyLimits, Watch } from '../kernel/oracle.ts';
import { noSamples, sampleOf, type Sample } from '../kernel/sample.ts';
import * as is from '../../spec/kernel/value.ts';
import { secondsOf } from './promisedWait.ts';

const [minuteMs, hourMs] = [60_000, 3_600_000];
/** A server may count in whole seconds. */
const slackMs = 2000;
/** How far the requests of all keys may be from the limit: those under way may count or not. */
const off = 0.05;
/** A key is far below its own limit up to this share of it. */
const farBelow = 0.8;

/** What the keys of one enterprise have sent. */
interface Enterprise {
  readonly since: number;
  /** When each request of a key that was not refused was answered. */
  readonly keys: Map<string, number[]>;
  wasRefused: boolean;
}

/**
 * Whether an hour is shared by the keys of an enterprise: a key is refused for the hour that has made far fewer requests, just
 * when its enterprise has made as many as one key may, since the instant at which the announced wait says that the hour began.
 * Earlier use of the keys would have begun it before the first request that was seen. Others who use them at the same time, as
 * often, would have exceeded the minute.
 */
export function watchSharedHours(limits: KeyLimits): NonNullable<Watch['exchange']> {
  const enterprises = new Map<string, Enterprise>();
  return (exchange) => {
    const { key, enterprise, timings } = exchange;
    const status = responseOf(exchange)?.status;
    if (key === null || enterprise === null || status === undefined) return noSamples;
    const seen = enterprises.get(enterprise) ?? { since: timings.sent, keys: new Map(), wasRefused: false };
    enterprises.set(enterprise, seen);
    if (status !== 429) {
      note(seen, key, timings.received);
      return noSamples;
    }
    const samples = seen.wasRefused ? noSamples : judge(exchange, key, { seen, limits });
    seen.wasRefused = true;
    return samples;
  };
}

/** Times that are kept of a key: more than its limit show nothing more. */
const mostTimes = 2000;

function note({ keys }: Enterprise, key: string, at: number): void {
  const times = keys.get(key);
  if (!times) keys.set(key, [at]);
  else if (times.push(at) > mostTimes) times.splice(0, mostTimes / 2);
}

interface Refused {
  readonly seen: Enterprise;
  readonly limits: KeyLimits;
}

function judge(exchange: Exchange, key: string, { seen, limits }: Refused): readonly Sample[] {
  const { received } = exchange.timings;
  const wait = secondsOf(objectOf(exchange)?.retryAfter);
  const began = received + wait * 1000 - hourMs;
  const isOfTheHour = wait * 1000 > minuteMs + slackMs && wait * 1000 <= hourMs;
  if (!isOfTheHour || began < seen.since - slackMs) return noSamples;
  const counts = new Map([...seen.keys].map(([name, times]) => [name, countFrom(times, began - slackMs)]));
  const [own, sum] = [counts.get(key) ?? 0, [...counts.values()].reduce((all, count) => all + count, 0)];
  const isReached = Math.abs(sum - limits.perHour) <= off * limits.perHour;
  const isAlone = own > ((received - began) / minuteMs) * (limits.perMinute / 2);
  if (!isReached || !isAlone || own > farBelow * limits.perHour) return noSamples;
  const want = is.text(
    `the hour of a key to have room after ${own} of ${limits.perHour} requests, whatever other keys have sent`,
  );
  const since = `with retryAfter ${wait} for ${key}, when ${counts.size} keys had made ${sum} requests together since the hour began that it announces`;
  const got: is.Value = { kind: 'answer', status: 429, note: since };
  return [sampleOf('SHR-LIM-011', differs('shared-hour', 'answer', want, got))];
}

function countFrom(times: readonly number[], from: number): number {
  return times.filter((time) => time >= from).length;
}
