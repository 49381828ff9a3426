import type { Settings } from '../core/settings.ts';
import type { RunEvent } from '../engine/observe/events.ts';
import { sharedMs } from '../engine/keys/sharedLimits.ts';
import type { EngineCheck } from '../engine/suite.ts';
import { casesAt, isSlow, mostWidth, widthAt } from '../engine/session/width.ts';
import {
  restOf,
  takesMs,
  usualPace,
  usualWidth,
  workOf,
  type TargetPace,
  type Work,
} from '../plan/forecast.ts';
import type { Plan } from '../plan/plan.ts';
import type { SharedLimit } from '../send/keyBudgets.ts';

/** Number of answers, and of deliveries, that weigh as much as the guess. */
const guessWeight = { answers: 5, deliveries: 1 };

/** Bounds of the factor by which the time of finished work, compared with the model, changes the rest. */
const factors = { least: 0.3, most: 4 };
/** At this progress of the model, the factor counts half. */
const halfWay = { share: 0.15, ms: 2000 };

/** If keys are waited for, measurements say something about the rest once at most this share is left. */
const mostLeft = 0.75;

/** What a run is known to wait for. */
interface KnownWaits {
  /** How long those requests still wait that wait at present. */
  readonly waitMs: number;
  /** Limits that keys share, where nothing else makes room. */
  readonly shared: readonly SharedLimit[];
}

/** Forecasts at any time how long a run still takes: from its plan, and from measurements so far. */
export class RunForecast {
  readonly #plan: Plan<EngineCheck>;
  readonly #guess: TargetPace;
  readonly #width: number;
  readonly #isFull: boolean;
  /** Checks that send many requests at once, which are answered one after another. */
  readonly #bursting: ReadonlySet<string>;
  readonly #sent = new Map<string, number>();
  readonly #finished = new Set<string>();
  readonly #answers = { count: 0, ms: 0 };
  #isWarm = false;
  #leastMs = Number.POSITIVE_INFINITY;
  readonly #deliveries = { count: 0, ms: 0 };

  /** Time spent waiting for rate limits, including earlier use of the keys by others. */
  readonly #limitsMs: number;

  /** `usedMs`: how long the keys have less room than unused ones, since they were used before. */
  constructor(plan: Plan<EngineCheck>, settings: Settings, usedMs = 0) {
    this.#limitsMs = plan.expectedMs + usedMs;
    this.#plan = plan;
    const bursts = plan.checks.filter(({ check }) => check.needs.includes('fillable-limits'));
    this.#bursting = new Set(bursts.map(({ check }) => check.id));
    this.#width = usualWidth(plan.keys);
    this.#isFull = settings.profile === 'full';
    this.#guess = usualPace(settings, this.#width);
  }

  hear(event: RunEvent): void {
    if (event.name === 'check-finished') this.#finished.add(event.check);
    if (event.name === 'callback-awaited') add(this.#deliveries, event.ms);
    if (event.name !== 'exchange') return;
    this.#sent.set(event.check, (this.#sent.get(event.check) ?? 0) + 1);
    if (this.#bursting.has(event.check)) return;
    this.#leastMs = Math.min(this.#leastMs, event.durationMs);
    // The first answer of a server may be exceptionally slow.
    if (!this.#isWarm) this.#isWarm = true;
    else add(this.#answers, event.durationMs);
  }

  /** Duration of the whole run in milliseconds, based only on its first requests. */
  get wholeMs(): number {
    const pace = this.pace();
    return takesMs(this.#work(pace), pace, this.#limitsMs);
  }

  /** Milliseconds that are left after `elapsedMs`: at least what is known to be waited for. */
  leftMs(elapsedMs: number, { waitMs, shared }: KnownWaits = { waitMs: 0, shared: [] }): number {
    const pace = this.pace();
    const work = this.#work(pace);
    const rest = work.map((one) => restOf(one, this.#doneShare(one)));
    const requests = (some: readonly Work[]) => some.reduce((total, one) => total + one.requests, 0);
    const leftShare = work.length === 0 ? 0 : requests(rest) / Math.max(1, requests(work));
    const left = takesMs(rest, pace, this.#limitsMs * leftShare);
    const done = takesMs(work, pace, this.#limitsMs) - left;
    const factor = factorOf(elapsedMs, done, done + left);
    // A window is filled at once, and then waited for: quick first requests mean nothing.
    const isEarly = leftShare > mostLeft;
    const byPace = this.#limitsMs === 0 ? left * factor : left * (isEarly ? 1 : Math.max(1, factor));
    return Math.max(byPace, waitMs + sharedMs(shared, requests(rest)) + takesMs(rest, pace, 0));
  }

  /** The measured pace of the target, with guesses for what was not met yet. */
  pace(): TargetPace {
    const { latencyMs, deliveryMs } = this.#guess;
    const latency = blend(latencyMs, isSlow(this.#leastMs) ? 0 : guessWeight.answers, this.#answers);
    return {
      ...this.#guess,
      latencyMs: latency,
      deliveryMs: blend(deliveryMs, guessWeight.deliveries, this.#deliveries),
      width: this.#plan.expectedMs > 0 ? this.#width : widthAt(latency, { width: this.#width, mostWidth }),
    };
  }

  #work(pace: TargetPace): readonly Work[] {
    const isWhole = this.#plan.expectedMs > 0 || this.#isFull;
    return workOf(this.#plan, (planned) => (isWhole ? planned.cases : casesAt(pace.latencyMs, planned)));
  }

  #doneShare({ id, requests }: Work): number {
    if (this.#finished.has(id)) return 1;
    return requests === 0 ? 0 : Math.min(0.95, (this.#sent.get(id) ?? 0) / requests);
  }
}

interface Sum {
  count: number;
  ms: number;
}

function add(sum: Sum, ms: number): void {
  sum.count += 1;
  sum.ms += ms;
}

/** The mean of the measurements and a guess that counts as `weight` measurements. */
function blend(guess: number, weight: number, { count, ms }: Sum): number {
  return weight + count === 0 ? guess : (guess * weight + ms) / (weight + count);
}

/** The factor by which finished work took longer than the model says, as far as there is enough of it. */
function factorOf(elapsedMs: number, doneMs: number, wholeMs: number): number {
  const half = halfWay.share * wholeMs + halfWay.ms;
  const weight = doneMs / (doneMs + half);
  const seen = Math.min(factors.most, Math.max(factors.least, elapsedMs / Math.max(1, doneMs)));
  return seen ** weight;
}
