import type { Exchange } from '../../../core/evidence.ts';
import { dateOf, responseOf } from '../../kernel/body.ts';
import type { Known } from '../../kernel/oracle.ts';
import { RecentMap } from '../../kernel/recentMap.ts';
import { decisionOf, type Decision } from '../decision.ts';
import { formOf, type Form } from './form.ts';

/** A request of a key as a limiter saw it, with the form that it had. Its times are those of a clock that was moved. */
export interface Timed {
  readonly decision: Decision;
  readonly form: Form;
  /** 0 where no answer came. */
  readonly status: number;
}

/** What one key sent, in the order of the answers. */
export interface Timeline {
  readonly key: string;
  readonly all: Timed[];
  /** Those that certainly passed the limits. */
  readonly admitted: Decision[];
  /** When it was last refused, by the moved clock. */
  refusedAt: number;
  /** Whether earlier ones were forgotten. */
  isCut: boolean;
}

/** Most keys, and most requests of each, that are remembered: somewhat more than the hour limit lets through. */
const mostKeys = 200;
const mostTimes = 1_500;
const slack = 200;
/** More steps than any request is under way over. */
const mostMoves = 50;
/** A header is cut to seconds, and answers may be slow. */
const leastJumpMs = 5_000;

/** Stands for what carries no key of anybody: a limiter of all callers may count that. */
export const noKey = 'no key';

/** The times of the latest requests of each key. */
export class KeyTimes {
  readonly #known: Known;
  readonly #keys = new RecentMap<string, Timeline>(mostKeys);
  #movedBefore: number;
  /** What was known last; it falls where a deployment turns out to have been started anew. */
  #knownMs: number;
  #movedMs = 0;
  #jumped = 0;
  /** How far the `Date` headers are ahead of our clock, at least. */
  #least = Number.POSITIVE_INFINITY;
  #latest = Number.NEGATIVE_INFINITY;
  /** When the clock was moved, at the latest: what was sent before that may have been decided by the clock before. */
  #moves: readonly { readonly at: number; readonly before: number }[] = [];
  /** When the latest step ended, in epoch milliseconds. */
  #steppedAt = Number.NEGATIVE_INFINITY;
  #isUnsure = false;

  constructor(known: Known) {
    this.#known = known;
    this.#movedBefore = known.movedMs;
    this.#knownMs = known.movedMs;
  }

  get forgotten(): number {
    return this.#keys.forgotten;
  }

  get all(): readonly Timeline[] {
    return [...this.#keys.values()];
  }

  /** Notes a request of a key; null where it was never sent. */
  note(exchange: Exchange, key: string): { readonly timeline: Timeline; readonly timed: Timed } | null {
    const shift = this.#shiftOf(exchange);
    const seen = decisionOf(exchange, shift.received, wayOf(exchange));
    if (!seen) return null;
    // Whether a request to anything else counts is not said, nor one without a key.
    const isOpen = exchange.operation === null || key === noKey;
    const decision: Decision =
      isOpen || shift.sent !== shift.received
        ? { ...seen, sent: exchange.timings.sent + shift.sent, ruling: isOpen ? 'unknown' : seen.ruling }
        : seen;
    const timeline = this.#keys.get(key) ?? this.#begin(key);
    const isRefusedLately = timeline.refusedAt > decision.sent - 60_000;
    const timed = {
      decision,
      form: formOf(exchange, isRefusedLately),
      status: responseOf(exchange)?.status ?? 0,
    };
    timeline.all.push(timed);
    if (decision.ruling === 'admitted') timeline.admitted.push(decision);
    if (decision.ruling === 'refused') timeline.refusedAt = decision.received;
    if (timeline.all.length > mostTimes + slack) cut(timeline);
    return { timeline, timed };
  }

  /** The state handler did something, perhaps with the clock. */
  step(endedAt: number): void {
    this.#steppedAt = endedAt;
  }

  /** Somebody else has moved the clock: how far it was at what was sent before is not known. */
  doubt(): void {
    this.#isUnsure = true;
  }

  #begin(key: string): Timeline {
    const timeline: Timeline = {
      key,
      all: [],
      admitted: [],
      refusedAt: Number.NEGATIVE_INFINITY,
      isCut: false,
    };
    this.#keys.set(key, timeline);
    return timeline;
  }

  /** What was under way while the clock was moved may have been decided before or after that. */
  #shiftOf(exchange: Exchange): { readonly sent: number; readonly received: number } {
    const { sent, sentAt, received } = exchange.timings;
    if (this.#known.movedMs < this.#knownMs || this.#isUnsure) this.#fall(received);
    this.#knownMs = this.#known.movedMs;
    const before = this.#movedMs;
    this.#movedMs = Math.max(this.#known.movedMs - this.#movedBefore, this.#jumpedMs(exchange));
    const isUnderWay = sent < this.#latest || sentAt < this.#steppedAt;
    if (this.#movedMs !== before) this.#note(isUnderWay ? received : sent, before);
    this.#latest = Math.max(this.#latest, received);
    // Looked for only then, since this is asked of each request.
    const moved = this.#moves.length === 0 ? null : this.#moves.find(({ at }) => sent < at);
    return { sent: moved?.before ?? this.#movedMs, received: this.#movedMs };
  }

  #note(at: number, before: number): void {
    this.#moves = [...this.#moves, { at, before }].slice(-mostMoves);
  }

  /** No step sets a clock back: how long before the next request the earlier ones were is not known. */
  #fall(at: number): void {
    for (const [key, timeline] of [...this.#keys.entries()]) {
      timeline.isCut = true;
      this.#begin(key).isCut = true;
    }
    this.#isUnsure = false;
    this.#movedBefore = this.#known.movedMs;
    this.#movedMs = this.#jumped = 0;
    this.#least = Number.POSITIVE_INFINITY;
    this.#moves = [];
    this.#note(at, Number.NEGATIVE_INFINITY);
  }

  /** By how much the deployment's clock, as its `Date` headers tell it, has run ahead of ours: others may have moved it. */
  #jumpedMs(exchange: Exchange): number {
    const response = responseOf(exchange);
    const date = response && dateOf(response);
    if (date === null) return this.#jumped;
    const ahead = date - exchange.timings.receivedAt;
    this.#least = Math.min(this.#least, ahead);
    if (ahead - this.#least > leastJumpMs) this.#jumped = Math.max(this.#jumped, ahead - this.#least);
    return this.#jumped;
  }
}

/** A client sends from one address. */
const fromClient = { address: 'client' };

function wayOf({ request: { connection } }: Exchange) {
  return connection === undefined ? fromClient : { ...fromClient, connection };
}

function cut(timeline: Timeline): void {
  timeline.all.splice(0, slack);
  const [first] = timeline.all;
  const gone = timeline.admitted.findIndex(({ received }) => received >= (first?.decision.received ?? 0));
  timeline.admitted.splice(0, Math.max(0, gone));
  timeline.isCut = true;
}

/** By the clock that was not moved: what a limiter goes by that does not follow it. */
export function unmoved({ decision }: Timed): Decision {
  const { movedMs = 0, sent, received } = decision;
  return movedMs === 0
    ? decision
    : { ...decision, sent: sent - movedMs, received: received - movedMs, movedMs: 0 };
}
