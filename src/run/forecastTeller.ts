import { pacedLimits } from '../core/settings.ts';
import type { RunEvent } from '../engine/events.ts';
import type { OpenRun } from '../engine/openRun.ts';
import type { EngineCheck } from '../engine/suite.ts';
import type { Plan } from '../plan/plan.ts';
import { formatDuration } from '../report/text/format.ts';
import { RunForecast } from './runForecast.ts';

/** By so much and more a run may differ from what was forecast last before a new forecast is told as a notice, with the reason. */
const worthNotice = { share: 0.2, ms: 60_000 };

/** A new forecast has to last so long before it is told: what is known at first is known from few answers. */
const steadyMs = 5000;

/** A run that took by so much longer than the last forecast says why. */
const worthReason = { factor: 1.5, ms: 60_000 };

/** Waits for the rate limits beyond those of the plan that are worth naming. */
const worthPace = 20_000;

/** Answers that take less on average are no reason, and neither are deliveries. */
const slowMs = { answer: 100, delivery: 1000 };

/** How often, and from what change on, the display is told what is left. */
const told = { everyMs: 1000, share: 0.02, leastMs: 500 };

type Followed = Pick<OpenRun, 'tell' | 'clock' | 'settings' | 'pacer'> & {
  readonly target: Pick<OpenRun['target'], 'keys' | 'stateHandler'>;
};

/** Tells how long a run takes still: for the display while it changes, as a notice where it changes much, and at the end why it took longer. */
export class ForecastTeller {
  #run: Followed | null = null;
  #forecast: RunForecast | null = null;
  #started: { readonly at: number; readonly plannedRequests: number } | null = null;
  /** What people were told last that the whole run takes. */
  #wholeMs = 0;
  /** What the display was told last, and when. */
  #last = { at: Number.NEGATIVE_INFINITY, leftMs: 0 };
  #differsSince: number | null = null;
  #waitedMs = 0;
  /** Waits for the rate limits: as planned for each key, and as they were. */
  #plannedWaitMs = 0;
  readonly #pacedMs = new Map<string, number>();
  #sent = 0;

  /** From here on the run is forecast by its plan and what it tells. */
  follow(run: Followed, plan: Plan<EngineCheck>): RunForecast {
    this.#run = run;
    this.#plannedWaitMs = plan.expectedMs;
    this.#forecast = new RunForecast(plan, run.settings, usedMs(run, plan.total.requests));
    return this.#forecast;
  }

  /** The plan is made, and the target has not answered yet. */
  get isMeasuring(): boolean {
    return this.#forecast !== null && this.#started === null;
  }

  hear(event: RunEvent): void {
    this.#forecast?.hear(event);
    if (event.name === 'run-started') this.#start(event);
    if (event.name === 'waiting' && event.reason !== 'pace') this.#waitedMs += event.ms;
    if (event.name === 'waiting' && event.reason === 'pace')
      this.#pacedMs.set(event.key, (this.#pacedMs.get(event.key) ?? 0) + event.ms);
    if (event.name === 'exchange') {
      this.#sent += 1;
    }
    if (event.name === 'exchange' || event.name === 'check-finished') this.#tell();
  }

  /** What to say of a run that took so long; null where it took about what was forecast last. */
  reasonFor(durationMs: number): string | null {
    if (!this.#started || durationMs < this.#wholeMs * worthReason.factor + worthReason.ms) return null;
    return `The run took ${formatDuration(durationMs)}, and about ${seconds(this.#wholeMs)} were forecast: ${this.#why()}.`;
  }

  #start({ forecastMs, plannedRequests }: Extract<RunEvent, { name: 'run-started' }>): void {
    const at = this.#run?.clock.monotonic() ?? 0;
    this.#started = { at, plannedRequests };
    this.#wholeMs = forecastMs;
    this.#last = { at, leftMs: forecastMs };
  }

  #tell(): void {
    const [run, forecast, started] = [this.#run, this.#forecast, this.#started];
    if (!run || !forecast || !started) return;
    const now = run.clock.monotonic();
    if (now - this.#last.at < told.everyMs) return;
    const leftMs = forecast.leftMs(now - started.at);
    this.#notice(now, now - started.at + leftMs, leftMs);
    const expected = Math.max(0, this.#last.leftMs - (now - this.#last.at));
    if (Math.abs(leftMs - expected) < Math.max(told.leastMs, told.share * leftMs)) return;
    this.#last = { at: now, leftMs };
    run.tell({ name: 'forecast', leftMs: Math.round(leftMs) });
  }

  /** Tells of a run that is going to take much longer than people were told. */
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
    const pacedMs = Math.max(0, ...this.#pacedMs.values());
    const { latencyMs = 0, deliveryMs = 0 } = this.#forecast?.pace() ?? {};
    const why = [
      ...(this.#waitedMs > 0
        ? [`429s and refused keys asked to wait ${formatDuration(this.#waitedMs)} in all`]
        : []),
      ...(pacedMs > this.#plannedWaitMs + worthPace
        ? [
            `the keys had less room than their limits allow, as where others use them: a key waited ${formatDuration(pacedMs)}`,
          ]
        : []),
      ...(more > (this.#started?.plannedRequests ?? 0) / 10
        ? [`${more} more requests than planned were sent, to confirm what failed`]
        : []),
      ...(latencyMs >= slowMs.answer ? [`an answer takes ${formatDuration(latencyMs)} on average`] : []),
      ...(deliveryMs >= slowMs.delivery
        ? [`callbacks come ${formatDuration(deliveryMs)} after what they tell of`]
        : []),
    ];
    return why.length > 0
      ? why.join('; ')
      : 'answers come soon, so that the rest goes into waiting for what the deployment does later';
  }
}

/** So long the keys have less room at first than unused ones; nothing where there can be further ones, or where time can be moved. */
function usedMs({ pacer, target, settings }: Followed, requests: number): number {
  const { keys, stateHandler } = target;
  if (stateHandler.offers('keys.issue') || stateHandler.offers('clock.advance')) return 0;
  const pool = keys.pool('primary');
  const atFirst = Math.min(requests, pool.length * pacedLimits(settings).perMinute);
  const wait = pacer.roomIn(pool, atFirst);
  return Number.isFinite(wait) ? wait * Math.max(0, 1 - pacer.room(pool) / atFirst) : 0;
}

/** Whole seconds, as far as a forecast goes. */
function seconds(ms: number): string {
  const step = ms < 60_000 ? 1000 : 10_000;
  return formatDuration(Math.max(1000, Math.ceil(ms / step) * step)).replace('.0 s', ' s');
}
