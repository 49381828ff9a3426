import type { OwnHealth } from './summarySchema.ts';
import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import type { Clock } from '../../core/clock.ts';
import type { Recorder } from '../send/recorder.ts';

/** Readings of the process; the rest is derived from them. */
export interface OwnReadings {
  readonly elapsedMs: number;
  readonly cpuMs: number;
  readonly busy: number;
  readonly loopDelay: OwnHealth['loopDelay'];
  readonly gc: OwnHealth['gc'];
  readonly peakMemoryMb: number;
}

/** Watches this process during a load. */
export class OwnWatch {
  readonly #clock: Clock;
  readonly #delay = monitorEventLoopDelay({ resolution: 10 });
  readonly #gc = { count: 0, totalMs: 0, longestMs: 0 };
  readonly #observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) this.#noteGc(duration);
  });
  readonly #startedAt: number;
  readonly #cpu = process.cpuUsage();
  readonly #busy = performance.eventLoopUtilization();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startedAt = clock.monotonic();
    this.#delay.enable();
    this.#observer.observe({ entryTypes: ['gc'] });
  }

  stop(): OwnReadings {
    this.#delay.disable();
    this.#observer.disconnect();
    const { user, system } = process.cpuUsage(this.#cpu);
    const lag = (nanos: number) => Math.max(0, nanos / 1e6 - 10);
    return {
      elapsedMs: this.#clock.monotonic() - this.#startedAt,
      cpuMs: (user + system) / 1000,
      busy: performance.eventLoopUtilization(this.#busy).utilization,
      loopDelay: {
        p50Ms: lag(this.#delay.percentile(50)),
        p99Ms: lag(this.#delay.percentile(99)),
        maxMs: lag(this.#delay.max),
      },
      gc: { ...this.#gc },
      peakMemoryMb: process.resourceUsage().maxRSS / 1024,
    };
  }

  #noteGc(ms: number): void {
    this.#gc.count += 1;
    this.#gc.totalMs += ms;
    this.#gc.longestMs = Math.max(this.#gc.longestMs, ms);
  }
}

/** The combined readings of several processes: CPU adds up, of pauses the worst counts. */
export function mergeReadings(all: readonly OwnReadings[]): OwnReadings {
  const most = (pick: (one: OwnReadings) => number) => Math.max(0, ...all.map(pick));
  const sum = (pick: (one: OwnReadings) => number) => all.reduce((total, one) => total + pick(one), 0);
  return {
    elapsedMs: most((one) => one.elapsedMs),
    cpuMs: sum((one) => one.cpuMs),
    busy: most((one) => one.busy),
    loopDelay: {
      p50Ms: most(({ loopDelay }) => loopDelay.p50Ms),
      p99Ms: most(({ loopDelay }) => loopDelay.p99Ms),
      maxMs: most(({ loopDelay }) => loopDelay.maxMs),
    },
    gc: {
      count: sum(({ gc }) => gc.count),
      totalMs: sum(({ gc }) => gc.totalMs),
      longestMs: most(({ gc }) => gc.longestMs),
    },
    peakMemoryMb: sum((one) => one.peakMemoryMb),
  };
}

/** If 1 % of the requests are sent later than this, it is no longer the intended load. */
const lateMs = 5;
const busyBound = 0.9;

/** Whether the measurements are the target's, and up to which rate that is certain. */
export function judgeOwnHealth(readings: OwnReadings, recorder: Recorder, stepMs: number): OwnHealth {
  const { elapsedMs, cpuMs, busy, loopDelay, gc, peakMemoryMb } = readings;
  const late = recorder.lateness.percentile(99);
  const latency = recorder.latency(null).percentile(99);
  // A late sender makes latencies longer, which count from the intended time; that hardly matters next to a slow target.
  const weighs = (ms: number) => ms > lateMs && ms > latency / 10;
  const told: readonly (readonly [applies: boolean, text: string])[] = [
    [weighs(late), `1 % of the requests left more than ${late.toFixed(1)} ms late`],
    [busy > busyBound, `this process was at work ${(busy * 100).toFixed(0)} % of the time`],
    [weighs(loopDelay.p99Ms), `its event loop was held up ${loopDelay.p99Ms.toFixed(1)} ms at 99 %`],
    [weighs(gc.longestMs), `a garbage collection took ${gc.longestMs.toFixed(1)} ms`],
    [
      recorder.missed.late > 0,
      `${recorder.missed.late} requests could not be sent within a second of their time`,
    ],
  ];
  const doubts = told.filter(([applies]) => applies).map(([, text]) => text);
  return {
    socketWait: socketWaitOf(recorder),
    ...{ cpu: elapsedMs === 0 ? 0 : cpuMs / elapsedMs, busy, loopDelay, gc, peakMemoryMb, doubts },
    surePerSecond: sureRate(recorder, { stepMs, busy, doubts: doubts.length }),
  };
}

function socketWaitOf({ socketWaits }: Recorder): OwnHealth['socketWait'] {
  if (socketWaits.count === 0) return null;
  return {
    p50Ms: socketWaits.percentile(50),
    p99Ms: socketWaits.percentile(99),
    maxMs: socketWaits.percentile(100),
  };
}

/** The highest rate of a step in which requests were sent in time; for a constant rate, as much of it as leaves room. */
function sureRate(
  recorder: Recorder,
  { stepMs, busy, doubts }: { readonly stepMs: number; readonly busy: number; readonly doubts: number },
): number | null {
  const steps = [...recorder.steps.values()];
  const rates = steps.map(({ sent }) => (sent * 1000) / stepMs);
  if (doubts === 0) return Math.max(0, ...rates);
  const inTime = steps.filter(({ sent, lateMs: late }) => sent > 0 && late <= lateMs);
  const sure = Math.max(0, ...inTime.map(({ sent }) => (sent * 1000) / stepMs));
  if (sure > 0) return sure;
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / Math.max(1, rates.length);
  const guess = busy > busyBound ? (mean * 0.7) / busy : 0;
  return guess > 0 ? guess : null;
}
