import type { Exchange } from '../../core/evidence.ts';
import type { WindowLimit } from '../../core/windowLimit.ts';
import { hasApiBody } from '../kernel/answer.ts';
import { differs } from '../kernel/judgement.ts';
import { nothingKnown, type Known, type Oracle, type Watch } from '../kernel/oracle.ts';
import { noSamples, type Sample } from '../kernel/sample.ts';
import { hourRows, minuteRows } from '../limits/attribute.ts';
import type { Decision } from '../limits/decision.ts';
import { excessOf, excessRow, hourMs, isFull, minuteMs, otherStatus } from '../limits/watched/excess.ts';
import { KeyTimes, noKey, unmoved, type Timed, type Timeline } from '../limits/watched/keyTimes.ts';
import * as is from '../../spec/kernel/value.ts';
import { ClockSteps } from '../../spec/world/clockSteps.ts';
import type { Note } from '../../trace/evidence.ts';
import { hadRoom, roomRow, type Placed } from '../limits/watched/room.ts';

/**
 * No key is served more often than the limits allow, and none is refused that has room. Only what was carried out counts for
 * certain, and only the keys that a run had made for itself are certain to be used by nobody else. What is certain is said once
 * its timeline can show which sentence is broken.
 */
export const keptLimits: Oracle = {
  id: 'kept-limits',
  title: 'A key passes as often as the limits allow, and no more',
  needs: 'everything',
  verifies: [
    ...new Set([
      ...[minuteRows, hourRows].flatMap(({ enough, notMore, freed, models }) => [
        ...[enough, notMore, freed],
        ...Object.values(models),
      ]),
      ...['SHR-LIM-015', 'SHR-LIM-016', 'SHR-LIM-017', 'SHR-LIM-029'],
    ]),
  ],
  createWatch: (known = nothingKnown) => new LimitWatch(known),
};

const documented = { perMinute: 60, perHour: 1000 };
/** How long a doubt waits for what explains it: the minute takes three windows to show how it is counted. */
const patienceMs = 165_000;
/** Most doubts of a kind that wait; more would show nothing new. */
const mostDoubts = 8;

interface Doubt {
  readonly kind: 'minute' | 'hour' | 'room' | 'otherwise';
  readonly exchange: Exchange;
  readonly timeline: Timeline;
  readonly timed: Timed;
  /** What counts together, the first one first. */
  readonly counted: readonly Decision[];
}

const kinds = ['minute', 'hour'] as const;

class LimitWatch implements Watch {
  readonly #known: Known;
  readonly #times: KeyTimes;
  readonly #steps: ClockSteps;
  readonly #limits: { readonly perMinute: number; readonly perHour: number };
  readonly #windows: Readonly<Record<'minute' | 'hour', WindowLimit>>;
  #doubts: readonly Doubt[] = [];
  /** The row of a budget that several keys were seen to share. */
  #shared: string | null = null;

  constructor(known: Known) {
    this.#known = known;
    this.#times = new KeyTimes(known);
    this.#steps = new ClockSteps(known.movedMs);
    this.#limits = known.limits ?? documented;
    const { perMinute, perHour } = this.#limits;
    this.#windows = {
      minute: { limit: perMinute, windowMs: minuteMs },
      hour: { limit: perHour, windowMs: hourMs },
    };
  }

  exchange(exchange: Exchange): readonly Sample[] {
    const noted = this.#times.note(exchange, ownerOf(exchange));
    if (noted) this.#look(exchange, noted);
    return this.#doubts.length === 0 ? noSamples : this.#settle(exchange.timings.sent);
  }

  note(note: Note): void {
    if (note.type !== 'step') return;
    this.#times.step(note.endedAt);
    const since = this.#steps.step(note);
    if (since === null) return;
    this.#times.doubt();
    this.#doubts = this.#doubts.filter(({ exchange }) => exchange.timings.receivedAt < since);
  }

  end(): readonly Sample[] {
    return this.#settle(Number.POSITIVE_INFINITY);
  }

  forgotten(): number {
    return this.#times.forgotten;
  }

  #look(exchange: Exchange, noted: { readonly timeline: Timeline; readonly timed: Timed }): void {
    const { timeline, timed } = noted;
    const { ruling, retryAfter } = timed.decision;
    if (ruling === 'admitted')
      for (const kind of kinds) {
        const count = excessOf(timeline.admitted, this.#windows[kind]);
        if (count > 0) this.#doubt({ kind, exchange, ...noted, counted: timeline.admitted.slice(-count) });
      }
    if (otherRefusals.has(timed.status) && isFull(timeline.admitted, timed.decision, this.#windows.minute))
      this.#doubt({ kind: 'otherwise', exchange, ...noted, counted: [] });
    // A limiter says how long to wait; another answer may have its status by mistake.
    const isLimiter = ruling === 'refused' && retryAfter !== null && hasApiBody(exchange);
    if (isLimiter && this.#isOwn(timeline) && this.#hadRoom(noted))
      this.#doubt({ kind: 'room', exchange, ...noted, counted: lastMinute(noted) });
  }

  /** A key that was made for this run, all of whose requests are known. */
  #isOwn({ key, isCut }: Timeline): boolean {
    return this.#known.isOnlyUser === true && !isCut && key.startsWith('issued');
  }

  #hadRoom({ timeline, timed }: { readonly timeline: Timeline; readonly timed: Timed }): boolean {
    // Most refusals come right after as many requests as the limit lets through.
    const first = timeline.admitted.at(-this.#limits.perMinute);
    if (first && first.received > timed.decision.sent - minuteMs) return false;
    return hadRoom(
      this.#placed(timed),
      timeline.all.map((one) => this.#placed(one)),
      this.#limits,
    );
  }

  /** By the clock that the limits are known to follow. */
  #placed(timed: Timed): Decision {
    return this.#known.movesLimits === true ? timed.decision : unmoved(timed);
  }

  #doubt(doubt: Doubt): void {
    const alike = this.#doubts.filter(({ kind }) => kind === doubt.kind);
    if (alike.length >= mostDoubts || alike.some(({ timeline }) => timeline === doubt.timeline)) return;
    this.#doubts = [...this.#doubts, doubt];
  }

  #settle(now: number): readonly Sample[] {
    const due = this.#doubts.filter(({ exchange }) => now >= exchange.timings.received + patienceMs);
    if (due.length === 0) return noSamples;
    this.#doubts = this.#doubts.filter((doubt) => !due.includes(doubt));
    const ofKind = (kind: Doubt['kind']) => due.filter((doubt) => doubt.kind === kind);
    return [
      ...this.#ofExcess(ofKind('minute'), 'minute'),
      ...this.#ofExcess(ofKind('hour'), 'hour'),
      ...this.#ofRoom(ofKind('room')),
      ...ofKind('otherwise').flatMap((doubt) => this.#ofStatus(doubt)),
    ];
  }

  #ofExcess(doubts: readonly Doubt[], kind: 'minute' | 'hour'): readonly Sample[] {
    const [first] = doubts;
    if (!first) return noSamples;
    const window = this.#windows[kind];
    const { counted, timeline } = first;
    const judgement = differs(
      kind === 'minute' ? 'too-many' : 'too-many-in-an-hour',
      'answer',
      is.text(`at most ${window.limit} requests of a key in ${window.windowMs / 1000} s`),
      is.counted(
        `${counted.length} of ${timeline.key} were carried out (${spanOf(counted)})`,
        idsOf(counted),
      ),
      idsOf(counted).map((id) => ({ id })),
    );
    const requirement = excessRow(
      doubts.map((doubt) => near(doubt, window)),
      window,
    );
    return doubts.map(({ exchange }) => ({ requirement, judgement, evidence: [exchange] }));
  }

  #ofStatus(doubt: Doubt): readonly Sample[] {
    const window = this.#windows.minute;
    const judgement = otherStatus(near(doubt, window), window);
    return judgement
      ? [{ requirement: minuteRows.notMore, judgement, evidence: [doubt.exchange] }]
      : noSamples;
  }

  /** Answers that came later may show requests that were under way. A budget that keys share explains what nothing else does. */
  #ofRoom(doubts: readonly Doubt[]): readonly Sample[] {
    const some = doubts.filter((doubt) => this.#isOwn(doubt.timeline) && this.#hadRoom(doubt));
    const all = this.#times.all.flatMap((one) => one.all.map((timed) => this.#placed(timed)));
    const rows = some.map(({ timeline, timed }) => {
      const own = timeline.all.map((one): Placed => ({ decision: this.#placed(one), form: one.form }));
      return roomRow(this.#placed(timed), own, all, this.#limits);
    });
    this.#shared ??= rows.find((row) => sharing.has(row)) ?? null;
    return some.map(({ exchange, counted }, index) => {
      const want = is.noted(is.accepted, 'of a key that has room in both limits');
      const got: is.Value = { kind: 'answer', status: 429 };
      const before = idsOf(counted).map((id) => ({ id }));
      const judgement = differs('room', 'answer', want, got, [...before, exchange]);
      const row = rows[index] ?? minuteRows.enough;
      const isOfNumber = row === minuteRows.enough || row === hourRows.enough;
      const requirement = isOfNumber ? (this.#shared ?? row) : row;
      return { requirement, judgement, evidence: [exchange] };
    });
  }
}

/** What a key sent around a doubt. */
function near({ timeline, timed: { decision } }: Doubt, { windowMs }: WindowLimit): readonly Timed[] {
  return timeline.all.filter((one) => Math.abs(one.decision.sent - decision.sent) <= 3 * windowMs);
}

/** What a key had sent in the minute before it was refused. */
function lastMinute({ timeline, timed }: Pick<Doubt, 'timeline' | 'timed'>): readonly Decision[] {
  const since = timed.decision.sent - minuteMs;
  return timeline.all
    .flatMap(({ decision }) => (decision.received > since ? [decision] : []))
    .filter(({ id }) => id !== timed.decision.id);
}

function idsOf(decisions: readonly Decision[]): readonly string[] {
  return decisions.map(({ id }) => id);
}

function spanOf(decisions: readonly Decision[]): string {
  const [first, last] = [decisions[0], decisions.at(-1)];
  if (!first || !last) return 'none';
  const seconds = ((last.received - first.sent) / 1000).toFixed(1);
  return `${first.id} … ${last.id}, within ${seconds} s`;
}

/** What proxies and broken limiters answer in place of 429. */
const otherRefusals: ReadonlySet<number> = new Set([403, 500, 502, 503]);

/** Rows that a budget of several keys breaks. */
const sharing: ReadonlySet<string> = new Set(['SHR-LIM-011', 'SHR-LIM-012']);

/** The key that a request counts for; none for one that was made up. */
function ownerOf({ key, enterprise }: Exchange): string {
  return key !== null && (enterprise !== null || key.includes('#')) ? key : noKey;
}
