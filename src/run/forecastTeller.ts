import { availableParallelism, loadavg } from 'node:os';
import { pacedLimits } from '../core/settings.ts';
import type { RunEvent } from '../engine/observe/events.ts';
import type { OpenRun } from '../engine/session/openRun.ts';
import { nameShared } from '../engine/keys/sharedLimits.ts';
import type { EngineCheck } from '../engine/suite.ts';
import type { Plan } from '../plan/plan.ts';
import { formatDuration } from '../report/text/format.ts';
import { RunForecast } from './runForecast.ts';

/** A new forecast is announced, with the reason, if it differs from the last one by at least this share and time. */
const worthNotice = { share: 0.2, ms: 60_000 };

/** How long a new forecast must be stable before it is announced: early ones are based on few answers. */
const steadyMs = 5000;

/** A run that takes longer than the last forecast by at least this factor and time says why. */
const worthReason = { factor: 1.5, ms: 60_000 };

/** Waits for the rate limits, beyond the planned ones, that are worth mentioning. */
const worthPace = 20_000;

/** Average times below these are not given as a reason. */
const slowMs = { answer: 100, delivery: 1000 };

/** More processes than this for each core, and they wait for each other. */
const busyLoad = 1.5;

/** The average load of the last minute for each core; 0 on Windows, which does not tell. */
function loadPerCore(): number {
  return (loadavg()[0] ?? 0) / availableParallelism();
}

/** How often the display is updated, and from what change on. */
const told = { everyMs: 1000, share: 0.02, leastMs: 500 };

type Followed = Pick<OpenRun, 'tell' | 'clock' | 'settings' | 'pacer'> & {
  readonly target: Pick<OpenRun['target'], 'keys' | 'stateHandler'>;
};

/** Says how long a run still takes: to the display continuously, as a notice if it changes much, and at the end why it took longer. */
export class ForecastTeller {
  #run: Followed | null = null;
  #forecast: RunForecast | null = null;
  #started: { readonly at: number; readonly plannedRequests: number } | null = null;
  /** The last announced duration of the whole run. */
  #wholeMs = 0;
  /** The last update of the display, and its time. */
  #last = { at: Number.NEGATIVE_INFINITY, leftMs: 0 };
  #differsSince: number | null = null;
  readonly #waits = new Waits();
  /** Planned wait of each key for the rate limits. */
  #plannedWaitMs = 0;
  #sent = 0;
  readonly #loadPerCore: () => number;

  constructor(load: () => number = loadPerCore) {
    this.#loadPerCore = load;
  }

  /** From now on, the run is forecast by its plan and its events. */
  follow(run: Followed, plan: Plan<EngineCheck>): RunForecast {
    this.#run = run;
    this.#plannedWaitMs = plan.expectedMs;
    this.#forecast = new RunForecast(plan, run.settings, usedMs(run, plan.total.requests));
    return this.#forecast;
  }

  /** Whether the plan is made but the target has not answered yet. */
  get isMeasuring(): boolean {
    return this.#forecast !== null && this.#started === null;
  }

  hear(event: RunEvent): void {
    this.#forecast?.hear(event);
    if (event.name === 'run-started') this.#start(event);
    if (event.name === 'waiting') this.#waits.hear(event, this.#now);
    if (event.name === 'exchange') this.#sent += 1;
    if (event.name === 'exchange' || event.name === 'check-finished' || event.name === 'waiting')
      this.#tell();
  }

  /** The reason for a run that took `durationMs`; null if it took about as long as last forecast. */
  reasonFor(durationMs: number): string | null {
    if (!this.#started || durationMs < this.#wholeMs * worthReason.factor + worthReason.ms) return null;
    return `The run took ${formatDuration(durationMs)}, and about ${seconds(this.#wholeMs)} were forecast: ${this.#why()}.`;
  }

  get #now(): number {
    return this.#run?.clock.monotonic() ?? 0;
  }

  #start({ forecastMs, plannedRequests }: Extract<RunEvent, { name: 'run-started' }>): void {
    const at = this.#now;
    this.#started = { at, plannedRequests };
    this.#wholeMs = forecastMs;
    this.#last = { at, leftMs: forecastMs };
  }

  #tell(): void {
    const [run, forecast, started] = [this.#run, this.#forecast, this.#started];
    if (!run || !forecast || !started) return;
    const now = run.clock.monotonic();
    const waitMs = this.#waits.leftMs(now);
    const isLate = waitMs > this.#last.leftMs - (now - this.#last.at);
    if (now - this.#last.at < told.everyMs && !isLate) return;
    const leftMs = forecast.leftMs(now - started.at, {
      waitMs,
      shared: movesLimits(run) ? [] : run.pacer.shared,
    });
    this.#notice(now, now - started.at + leftMs, leftMs);
    const expected = Math.max(0, this.#last.leftMs - (now - this.#last.at));
    if (Math.abs(leftMs - expected) < Math.max(told.leastMs, told.share * leftMs)) return;
    this.#last = { at: now, leftMs };
    run.tell({ name: 'forecast', leftMs: Math.round(leftMs) });
  }

  /** Announces a run that will take much longer than announced before. */
  #notice(now: number, wholeMs: number, leftMs: number): void {
    const differs =
      leftMs > worthNotice.ms && wholeMs > this.#wholeMs * (1 + worthNotice.share) + worthNotice.ms;
    this.#differsSince = differs ? (this.#differsSince ?? now) : null;
    if (this.#differsSince === null || now - this.#differsSince < steadyMs) return;
    const before = this.#wholeMs;
    this.#wholeMs = wholeMs;
    this.#differsSince = null;
    const text = `The run is going to take about ${seconds(wholeMs)}, and not ${seconds(before)}: ${this.#why()}.`;
    this.#run?.tell({ name: 'notice', text });
  }

  #why(): string {
    const more = this.#sent - (this.#started?.plannedRequests ?? 0);
    const { latencyMs = 0, deliveryMs = 0 } = this.#forecast?.pace() ?? {};
    const why = [
      ...this.#whyWaited(),
      ...(more > (this.#started?.plannedRequests ?? 0) / 10
        ? [`${more} more requests than planned were sent, to confirm what failed`]
        : []),
      ...(latencyMs >= slowMs.answer ? [`an answer takes ${formatDuration(latencyMs)} on average`] : []),
      ...(deliveryMs >= slowMs.delivery
        ? [`callbacks come ${formatDuration(deliveryMs)} after what they tell of`]
        : []),
    ];
    if (why.length > 0) return why.join('; ');
    const perCore = this.#loadPerCore();
    return perCore > busyLoad
      ? `this machine is busy, with ${perCore.toFixed(1)} processes waiting for each of its cores`
      : 'answers come soon, so that the rest goes into waiting for what the deployment does later';
  }

  #whyWaited(): readonly string[] {
    const now = this.#now;
    const [pacedMs, refusedMs] = [this.#waits.pacedMs(now), this.#waits.refusedMs(now)];
    const [limit] = this.#run?.pacer.shared ?? [];
    const isPaced = pacedMs > this.#plannedWaitMs + worthPace;
    if (limit !== undefined && (isPaced || refusedMs > 0))
      return [`${nameShared(limit)}: a key waited ${formatDuration(Math.max(pacedMs, refusedMs))}`];
    const paced = 'the keys had less room than their limits allow, as where others use them: a key waited';
    return [
      ...(refusedMs > 0 ? [`429s and refused keys asked to wait ${formatDuration(refusedMs)} in all`] : []),
      ...(isPaced ? [`${paced} ${formatDuration(pacedMs)}`] : []),
    ];
  }
}

function movesLimits({ target: { stateHandler } }: Followed): boolean {
  return stateHandler.offers('clock.advance') && stateHandler.clock.has('rate-limits');
}

/** How long the keys have less room than unused ones at first; 0 if there can be further keys, or if time can be moved. */
function usedMs({ pacer, target, settings }: Followed, requests: number): number {
  const { keys, stateHandler } = target;
  if (stateHandler.offers('keys.issue') || stateHandler.offers('clock.advance')) return 0;
  const pool = keys.pool('primary');
  const atFirst = Math.min(requests, pool.length * pacedLimits(settings).perMinute);
  const wait = pacer.roomIn(pool, atFirst);
  return Number.isFinite(wait) ? wait * Math.max(0, 1 - pacer.room(pool) / atFirst) : 0;
}

/** In whole seconds, which is as precise as a forecast is. */
function seconds(ms: number): string {
  const step = ms < 60_000 ? 1000 : 10_000;
  return formatDuration(Math.max(1000, Math.ceil(ms / step) * step)).replace('.0 s', ' s');
}

type Waiting = Extract<RunEvent, { name: 'waiting' }>;

interface Wait {
  until: number;
  /** Time during which somebody waited, up to `until`. */
  ms: number;
}

/** What the requests of a run wait for, in wall time: waits at the same time count once. */
class Waits {
  readonly #paced = new Map<string, Wait>();
  readonly #refused: Wait = { until: Number.NEGATIVE_INFINITY, ms: 0 };

  hear({ reason, key, ms }: Waiting, now: number): void {
    const wait = reason === 'pace' ? (this.#paced.get(key) ?? { until: now, ms: 0 }) : this.#refused;
    if (reason === 'pace') this.#paced.set(key, wait);
    extend(wait, now, ms);
  }

  /** How long requests still wait that wait at present. */
  leftMs(now: number): number {
    const ends = [this.#refused, ...this.#paced.values()].map(({ until }) => until);
    return Math.max(0, Math.max(...ends) - now);
  }

  /** The longest that a key was waited for, for its limits. */
  pacedMs(now: number): number {
    return Math.max(0, ...[...this.#paced.values()].map((wait) => passed(wait, now)));
  }

  /** How long refusals were waited for. */
  refusedMs(now: number): number {
    return passed(this.#refused, now);
  }
}

function extend(wait: Wait, now: number, ms: number): void {
  wait.ms += Math.max(0, now + ms - Math.max(now, wait.until));
  wait.until = Math.max(wait.until, now + ms);
}

/** Without what is still to come: it may be cut short. */
function passed({ until, ms }: Wait, now: number): number {
  return ms - Math.max(0, until - now);
}
