import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../core/clock.ts';
import { GatecheckError, usageError } from '../../core/errors.ts';
import { deriveSeed } from '../../core/random.ts';
import type { Redactor } from '../../core/redact.ts';
import type { Settings } from '../../core/settings.ts';
import { reportFiles } from '../../report/reportDir.ts';
import type { RunResult } from '../../report/result.ts';
import type { RunOptions, RunOutput } from '../run.ts';
import { compareRound, type Alert } from './change.ts';
import { afterRound, noFigures, samplesFor, type MonitorFigures } from './figures.ts';
import { loadMemory, ofDay, saveMemory, type MonitorMemory } from './memory.ts';
import { afterRoundOfTurn, coverageOf, turnForRound } from './turn.ts';
import { append, post, pushSamples, type SentAlert } from './send.ts';
import { labels, reasonOf, renderRound } from './renderRound.ts';

export interface MonitorOptions {
  readonly everyMs: number;
  readonly dailyRequests: number;
  readonly dailyQuota: number;
  /** Flight subscriptions, which stay. */
  readonly dailySubscriptions: number;
  /** Rounds after which it ends; null for none. */
  readonly rounds: number | null;
  /** Ends at the first alert. */
  readonly endsAtAlert: boolean;
  readonly webhook: string | null;
  readonly alertFile: string | null;
  readonly otlp: string | null;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly redactor: Redactor;
  /** Folder that report directories are made in, and that of the memory. */
  readonly root: string;
  readonly memory: string;
  readonly command: string;
  /** Judges once. */
  readonly run: (settings: Settings, options: RunOptions) => Promise<RunOutput>;
  readonly tell: (text: string) => void;
  readonly onFigures: (figures: MonitorFigures) => void;
}

/** How a monitor ended: what fails at last, and whether nothing could be judged: in its last rounds in a row, or in any round of its own. */
interface MonitorEnd {
  readonly failing: readonly string[];
  readonly isLost: boolean;
  readonly isInterrupted: boolean;
}

const dayMs = 86_400_000;

/** With fewer a round can hardly judge anything. */
const leastRequests = 5;

/** Of a webhook that is down for long, the latest alerts are kept. */
const mostUnsent = 100;

/** Share of the quota units, and of the subscriptions, of a day that no plan spends; one at least, where there are two. */
const keptShare = 0.25;

/** The requests that each round may send, so that a day of rounds keeps its budget. */
export function requestsOfRound({
  everyMs,
  dailyRequests,
}: Pick<MonitorOptions, 'everyMs' | 'dailyRequests'>): number {
  const rounds = Math.ceil(dayMs / everyMs);
  const each = Math.floor(dailyRequests / rounds);
  if (each >= leastRequests) return each;
  throw usageError(
    'MONITOR_BUDGET',
    `Expected at least ${leastRequests} requests a round; got ${dailyRequests} a day for ${rounds} rounds.`,
    `Give --daily-requests ${rounds * leastRequests}, or a longer --every.`,
  );
}

function keptOf(daily: number): number {
  return daily > 1 ? Math.max(1, Math.floor(daily * keptShare)) : 0;
}

/** Judges again and again by the checks that tell most within the budgets of a day, and tells what changes. */
export async function monitor(settings: Settings, options: MonitorOptions): Promise<MonitorEnd> {
  const watch = new Watch(settings, options);
  const { clock, everyMs, signal } = options;
  for (let round = 1; !signal.aborted; round += 1) {
    const startedAt = clock.monotonic();
    const alerts = await watch.round(round);
    await watch.deliver();
    if (options.rounds !== null && round >= options.rounds) break;
    if (options.endsAtAlert && alerts.length > 0) break;
    const left = everyMs - (clock.monotonic() - startedAt);
    if (left > 0) await clock.sleep(left, signal).catch(() => undefined);
  }
  return watch.end;
}

class Watch {
  readonly #settings: Settings;
  readonly #options: MonitorOptions;
  readonly #target: string;
  readonly #perRound: number;
  readonly #startedAt: number;
  #memory: MonitorMemory;
  #figures: MonitorFigures = noFigures;
  #told = new Set<string>();
  /** Rounds of this process that were to judge, and whether one of them could. */
  #tried = 0;
  #judged = false;

  constructor(settings: Settings, options: MonitorOptions) {
    this.#settings = settings;
    this.#options = options;
    this.#target =
      settings.target.kind === 'url' ? settings.target.baseUrls.webcheckin : settings.target.kind;
    this.#perRound = requestsOfRound(options);
    this.#startedAt = options.clock.now();
    this.#memory = loadMemory(options.memory, this.#target);
  }

  get end(): MonitorEnd {
    const { failing, isLost } = this.#memory.watched;
    const isBlind = this.#tried > 0 && !this.#judged;
    return {
      failing: Object.keys(failing),
      isLost: isLost || isBlind,
      isInterrupted: this.#options.signal.aborted,
    };
  }

  /** Judges once, and tells what has changed. */
  async round(number: number): Promise<readonly Alert[]> {
    const { clock, tell, memory: folder, signal } = this.#options;
    const ofToday = ofDay(this.#memory, clock.now());
    this.#memory = { ...ofToday, turn: turnForRound(ofToday.turn) };
    const maxRequests = this.#allowance();
    if (maxRequests < leastRequests) {
      tell(
        `The requests of this day are spent (${this.#memory.requests} of ${this.#options.dailyRequests}).`,
      );
      return [];
    }
    const { output, why } = await this.#judge(number, maxRequests);
    // An interrupted round says nothing of the deployment.
    if (signal.aborted) return [];
    const result = output?.result ?? null;
    const { after, alerts } = compareRound(this.#memory.watched, result, why);
    this.#tried += 1;
    this.#judged ||= after.blind === 0;
    const requests = this.#memory.requests + (result?.summary.requests ?? 0);
    const quota = this.#memory.quota + (result?.summary.quotaUnits ?? 0);
    const made = result?.sideEffects.filter(({ kind }) => kind === 'subscription').length ?? 0;
    const subscriptions = this.#memory.subscriptions + made;
    const rounds = this.#memory.rounds + 1;
    const turn = output === null ? this.#memory.turn : afterRoundOfTurn(this.#memory.turn, output);
    this.#memory = { ...this.#memory, requests, quota, subscriptions, rounds, watched: after, turn };
    saveMemory(folder, this.#target, this.#memory);
    const kept = alerts.length > 0 && output ? await this.#keepReport(output) : (output?.reportDir ?? '');
    await this.#tellFigures(result, output?.reportDir ?? null, alerts.length);
    tell(renderRound(result, why, this.#memory));
    for (const alert of alerts) await this.#alert(alert, kept);
    return alerts;
  }

  /** Posts what the webhook has not taken yet, in order: a webhook that is down for a while misses nothing. */
  async deliver(): Promise<void> {
    const { webhook, memory: folder } = this.#options;
    if (webhook === null || this.#memory.unsent.length === 0) return;
    const [...unsent] = this.#memory.unsent;
    for (let fault = null; unsent[0] !== undefined && fault === null;) {
      fault = await post(webhook, unsent[0]);
      this.#complain('the webhook', fault);
      if (fault === null) unsent.shift();
    }
    this.#memory = { ...this.#memory, unsent: unsent.slice(-mostUnsent) };
    saveMemory(folder, this.#target, this.#memory);
  }

  /** The part of a round, and what the rounds before it left for checks that take more. */
  #allowance(): number {
    const { requests, rounds } = this.#memory;
    const saved = this.#perRound * (rounds + 1) - requests;
    return Math.min(Math.max(this.#perRound, saved), this.#options.dailyRequests - requests);
  }

  async #judge(number: number, maxRequests: number): Promise<{ output: RunOutput | null; why: string }> {
    const { run, root, command, signal, everyMs } = this.#options;
    const { quota, subscriptions, turn, watched } = this.#memory;
    const { maxQuota, maxSubscriptions } = this.#daily();
    const settings: Settings = {
      ...this.#settings,
      profile: 'smoke',
      seed: deriveSeed(this.#settings.seed, `round ${number}`),
      reportDir: this.#dir('latest'),
      updateBaseline: false,
      budgets: {
        maxRequests,
        maxQuota: Math.max(0, maxQuota - quota),
        // For subscribes that ought to be refused one is left where none is granted.
        maxSubscriptions: Math.max(0, Math.max(1, maxSubscriptions) - subscriptions),
        maxDurationMs: this.#settings.budgets.maxDurationMs ?? everyMs,
      },
    };
    try {
      const output = await run(settings, {
        ...{ root, command, signal },
        rotation: {
          ...{ met: turn.met, failing: Object.keys(watched.failing), perRound: this.#perRound },
          ...{ daily: this.#daily(), kept: this.#kept() },
        },
      });
      return { output, why: output.notKept?.message ?? reasonOf(output.result) };
    } catch (error) {
      if (!(error instanceof GatecheckError) || error.exitCode === 2) throw error;
      return { output: null, why: error.message };
    }
  }

  #daily() {
    const { dailyRequests, dailyQuota, dailySubscriptions } = this.#options;
    return { maxRequests: dailyRequests, maxQuota: dailyQuota, maxSubscriptions: dailySubscriptions };
  }

  #kept() {
    const { maxQuota, maxSubscriptions } = this.#daily();
    // The one beyond those that are granted is no plan's either.
    return {
      maxQuota: keptOf(maxQuota),
      maxSubscriptions: maxSubscriptions === 0 ? 1 : keptOf(maxSubscriptions),
    };
  }

  /** Of a round that changed something, the reports stay. */
  async #keepReport({ reportDir, result }: RunOutput): Promise<string> {
    const kept = this.#dir(result.run.id);
    return cp(reportDir, kept, { recursive: true }).then(
      () => kept,
      () => reportDir,
    );
  }

  #dir(name: string): string {
    return join(this.#settings.reportDir ?? join(this.#options.root, 'reports', 'monitor'), name);
  }

  async #tellFigures(result: RunResult | null, reportDir: string | null, alerts: number): Promise<void> {
    const { clock, onFigures, otlp } = this.#options;
    this.#figures = await afterRound(this.#figures, result, {
      ...{ alerts, at: clock.now(), failing: Object.keys(this.#memory.watched.failing).length },
      covered: coverageOf(this.#memory.turn).free,
      evidence: reportDir === null ? null : join(reportDir, reportFiles.evidence),
    });
    onFigures(this.#figures);
    if (otlp === null) return;
    const resource = { target: this.#target, startedAt: this.#startedAt, at: clock.now() };
    this.#complain('metrics', await pushSamples(otlp, samplesFor(this.#figures), resource));
  }

  async #alert(alert: Alert, report: string): Promise<void> {
    const { clock, webhook, alertFile, redactor, tell } = this.#options;
    const { failing } = this.#memory.watched;
    const whole = {
      ...alert,
      at: new Date(clock.now()).toISOString(),
      target: this.#target,
      failing,
      report,
    };
    const sent = JSON.parse(redactor.redact(JSON.stringify(whole))) as SentAlert;
    tell(`${labels[alert.kind]}: ${sent.text}`);
    if (webhook !== null) this.#memory = { ...this.#memory, unsent: [...this.#memory.unsent, sent] };
    if (alertFile !== null) this.#complain(alertFile, await append(alertFile, sent));
  }

  /** Once for each way that fails, until it works again. */
  #complain(what: string, fault: string | null): void {
    if (fault === null) this.#told.delete(what);
    else if (!this.#told.has(what)) {
      this.#told.add(what);
      this.#options.tell(`Warning: ${what} could not be reached: ${fault}`);
    }
  }
}
