import { createRandom } from '../../src/core/random.ts';
import type { OperationId } from '../../src/core/operations.ts';
import type { Decision, Ruling } from '../../src/judge/limits/decision.ts';
import type { ScheduleStep } from '../../src/limits/schedule.ts';
import {
  rollingLog,
  type CounterFactory,
  type WindowCounter,
} from '../../src/reference/shared/windowCounters.ts';

/** One request on its way: who sends it, and where it goes. */
interface Sent {
  readonly key: string;
  readonly enterprise: string;
  readonly api: string;
  readonly route: OperationId;
}

/** A limiter by its decision at an instant; it may take its time. Returns ms to wait for the answer, null to refuse. */
export type Limiter = (at: number, sent: Sent) => number | null;

interface Noise {
  /** Longest delay on each way, in milliseconds. */
  readonly delayMs: number;
  /** Share of the answers that are lost. */
  readonly lost: number;
}

const people = {
  tested: { key: 'tested', enterprise: 'ours' },
  second: { key: 'second', enterprise: 'ours' },
  other: { key: 'other', enterprise: 'theirs' },
} as const;

const routes: readonly Pick<Sent, 'api' | 'route'>[] = [
  { api: 'webcheckin', route: 'wci.list' },
  { api: 'webcheckin', route: 'wci.status' },
  { api: 'webcheckin', route: 'wci.list' },
  { api: 'flight-alerts', route: 'fla.lookup' },
];

/** Between requests in turn: a store that counts a moment after the answer has counted by then. */
const pauseMs = 100;
/** A lost answer may have been decided later than it was given up. */
const graceMs = 10_000;
const seenAt = ({ received, ruling }: Decision) => (ruling === 'unknown' ? received - graceMs : received);

interface Play {
  readonly seed: number;
  readonly noise: Noise;
  /** Whether the clock is moved from step to step. */
  readonly isMoved?: boolean;
}

/** An exact step is sent so long before its instant, and twice the first answer's time. */
const leadMs = 40;

/** Plays a schedule against a limiter through a network, by events alone: thousands of runs in a moment. */
export function simulate(
  steps: readonly ScheduleStep[],
  limiter: Limiter,
  { seed, noise, isMoved = false }: Play,
): readonly Decision[] {
  const random = createRandom(seed);
  const start = random() * 1e7;
  const decisions: Decision[] = [];
  const flight = (sentAt: number, index: number, step: ScheduleStep) => {
    const route = routes[index % routes.length] ?? { api: 'webcheckin', route: 'wci.list' };
    const sent: Sent = { ...people[step.key], ...route };
    return { sent, sentAt, arrives: sentAt + 0.1 + random() * noise.delayMs };
  };
  const decide = ({ sent, sentAt, arrives }: ReturnType<typeof flight>): Decision => {
    const answer = limiter(arrives, sent);
    const isLost = random() < noise.lost;
    const received = arrives + (answer ?? 0) + 0.1 + random() * noise.delayMs;
    const ruling: Ruling = isLost ? 'unknown' : answer === null ? 'refused' : 'admitted';
    return {
      id: `x${decisions.length + 1}`,
      sent: sentAt,
      received: received + (isLost ? graceMs : 0),
      ruling,
      retryAfter: null,
      ...sent,
      address: 'here',
      connection: null,
      movedMs,
    };
  };
  let movedMs = 0;
  let now = start;
  for (const step of steps) {
    const [first] = decisions;
    const lead = step.isExact && first ? leadMs + 2 * (first.received - first.sent) : 0;
    const at = Math.max(now, start + step.atMs - lead);
    if (isMoved) movedMs += at - now;
    now = at;
    if (step.way === 'in-turn') {
      for (let index = 0; index < step.count; index += 1) {
        const decision = decide(flight(now, index, step));
        decisions.push(decision);
        now = seenAt(decision) + pauseMs;
      }
    } else {
      const flights = Array.from({ length: step.count }, (_, index) =>
        flight(now + index * 0.05, index, step),
      );
      for (const one of flights.sort((a, b) => a.arrives - b.arrives)) decisions.push(decide(one));
      now = Math.max(now, ...decisions.map(seenAt));
    }
  }
  return decisions;
}

interface Variant {
  readonly limit?: number;
  readonly countsRefused?: boolean;
  readonly scope?: (sent: Sent) => string;
}

/** A limiter that decides at once, by a counter of the reference for each scope. */
export function fixedLimiter(counter: CounterFactory, variant: Variant = {}): () => Limiter {
  const { limit = 60, countsRefused = false, scope = ({ key }: Sent): string => key } = variant;
  return () => {
    const counters = new Map<string, WindowCounter>();
    return (at, sent) => {
      const known = counters.get(scope(sent)) ?? counter(limit, 60_000);
      counters.set(scope(sent), known);
      const isAdmitted = known.waitMs(at) <= 0;
      if (isAdmitted || countsRefused) known.record(at);
      return isAdmitted ? 0 : null;
    };
  };
}

/** Counts what it admits a moment later. */
export function racyLimiter(momentMs: number): () => Limiter {
  return () => {
    const counters = new Map<string, { readonly log: WindowCounter; pending: number[] }>();
    return (at, { key }) => {
      const known = counters.get(key) ?? { log: rollingLog(60, 60_000), pending: [] };
      counters.set(key, known);
      for (const one of known.pending.filter((since) => since + momentMs <= at)) known.log.record(one);
      known.pending = known.pending.filter((since) => since + momentMs > at);
      if (known.log.waitMs(at) > 0) return null;
      known.pending.push(at);
      return 0;
    };
  };
}

/** Lets requests wait, no more than so many, and answers one a second. */
export function leakyQueueLimiter(most: number): Limiter {
  const free = new Map<string, number>();
  return (at, { key }) => {
    const turn = Math.max(at, free.get(key) ?? 0);
    if (turn - at > most * 1000) return null;
    free.set(key, turn + 1000);
    return turn - at;
  };
}
