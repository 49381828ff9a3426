import type { Catalogue } from '../catalogue/loadCatalogue.ts';
import type { Clock } from '../core/clock.ts';
import { deriveSeed } from '../core/random.ts';
import type { Redactor } from '../core/redact.ts';
import type { Settings } from '../core/settings.ts';
import { responseOf } from '../judge/kernel/body.ts';
import type { Oracle } from '../judge/kernel/oracle.ts';
import type { Plan, PlannedCheck } from '../plan/plan.ts';
import type { Sink } from '../receive/sink.ts';
import { Allowance } from '../send/allowance.ts';
import { Client } from '../send/client.ts';
import type { Journal } from '../send/journal.ts';
import { keepPace, recallPace } from '../send/paceMemory.ts';
import { Pacer } from '../send/pacer.ts';
import { list, lookup } from '../send/request.ts';
import type { Target } from '../target/target.ts';
import { attempt, type AttemptOptions, type AttemptResult, type ContextBase } from './attempt.ts';
import type { OutcomeSources } from './activeOutcome.ts';
import { createContextBase } from './contextBase.ts';
import { DecisionLog } from './decisionLog.ts';
import { Dialect } from './dialect.ts';
import { Ending, refusedByLimit, type SessionEnd } from './ending.ts';
import type { Listener } from './events.ts';
import type { StoredCase } from './finding.ts';
import { FindingMaker } from './findings.ts';
import { dateIn } from './fixtures.ts';
import type { Latencies } from './latencies.ts';
import { Ledger } from './ledger.ts';
import { LimitsBook } from './limitsBook.ts';
import { notRun, unknownCheck, type CheckOutcome } from './outcome.ts';
import { inOrder } from './order.ts';
import { OutcomeBoard } from './outcomeBoard.ts';
import { passiveOutcome } from './passiveOutcome.ts';
import { runCheck } from './runCheck.ts';
import { Scheduler } from './scheduler.ts';
import { SecretWatch } from './secretWatch.ts';
import { ServerClock } from './serverClock.ts';
import type { EngineCheck } from './suite.ts';
import type { PassiveTallies } from './tally.ts';
import { watchState } from './watchedState.ts';
import { Witness } from './witness.ts';

export interface SessionOptions {
  readonly runId: string;
  readonly settings: Settings;
  readonly plan: Plan<EngineCheck>;
  readonly catalogue: Catalogue;
  readonly oracles: readonly Oracle[];
  readonly target: Target;
  /** Where callbacks are received; null for a run that needs none. */
  readonly sink: Sink | null;
  readonly clock: Clock;
  readonly journal: Journal;
  readonly redactor: Redactor;
  readonly listener: Listener;
  readonly signal: AbortSignal;
  /** Checks that run side by side. */
  readonly width: number;
  /** Resolves when nobody asks any more; then checks run only when asked for. Null to run the whole plan. */
  readonly onDemand: Promise<void> | null;
  /** File in which the pace of the keys is kept from run to run; null for keys that no other run uses. */
  readonly paceFile: string | null;
  /** The user came for the limits and waits for windows of a minute; false where left out. */
  readonly waitsForLimits?: boolean;
}

/** Requests that shrinking one failure may cost, and the share of what is left that it may take from other checks. */
const shrinkBudget = { most: 60, share: 0.25 };

/** One run of the engine: sends what the plan says, judges all that comes back, and knows the outcome of each check. */
export class Session {
  readonly dialect: Dialect;
  readonly ledger = new Ledger();
  readonly limitsBook = new LimitsBook();
  readonly client: Client;
  readonly allowance: Allowance;
  readonly #options: SessionOptions;
  readonly #base: ContextBase;
  readonly #serverClock: ServerClock;
  readonly #secrets: SecretWatch;
  readonly #witness: Witness;
  readonly #scheduler: Scheduler;
  readonly #pacer: Pacer;
  readonly #ending: Ending;
  readonly #board: OutcomeBoard;
  readonly #demanded = new Set<string>();
  readonly #decisions = new DecisionLog();
  readonly #outcomeSources: OutcomeSources;
  readonly #startedAt: number;
  readonly #reached = Promise.withResolvers<null>();

  constructor(options: SessionOptions) {
    this.#options = options;
    const { clock, target, redactor, plan } = options;
    this.#startedAt = clock.monotonic();
    this.dialect = new Dialect(({ openPoint, variant }) =>
      options.listener({ name: 'open-point-observed', openPoint, variant }),
    );
    const { catalogue, settings } = options;
    this.#outcomeSources = {
      maker: new FindingMaker({ catalogue, redactor, seed: settings.seed }),
      dialect: this.dialect,
      levelOf: (requirement) => catalogue.get(requirement).level,
    };
    this.allowance = new Allowance(plan.budgets);
    this.#serverClock = new ServerClock(clock);
    this.#secrets = new SecretWatch(redactor, target.keys, options.settings);
    this.#witness = new Witness({ ...options, secrets: this.#secrets, serverClock: this.#serverClock });
    options.sink?.inbox.listen((delivery) => this.#witness.seeDelivery(delivery));
    this.#board = new OutcomeBoard(redactor, options.listener);
    this.#ending = new Ending({
      clock,
      listener: options.listener,
      maxDurationMs: plan.budgets.maxDurationMs,
      interrupt: options.signal,
      whyLost: target.whyLost,
      // What is under way would only delay the end; its answers are lost, and its requests stand as possible effects.
      onStop: () => void target.transport.close(),
    });
    this.#scheduler = new Scheduler(options.width);
    this.#pacer = this.#createPacer();
    this.client = this.#createClient();
    for (const { check, reason, hint } of plan.skipped) {
      this.#board.preset(notRun(check, 'skipped', hint === null ? reason : `${reason}. ${hint}`));
    }
    this.#base = this.#createBase();
  }

  get end(): SessionEnd {
    return this.#ending.end;
  }

  /** Why it ended, in words; meaningful where it did not complete. */
  get endReason(): string {
    return this.#ending.reason;
  }

  /** What the passive oracles said so far. */
  get tallies(): PassiveTallies {
    return this.#witness.tallies;
  }

  /** Callbacks that came. */
  get callbacks(): number {
    return this.#options.sink?.inbox.arrived ?? 0;
  }

  get latencies(): Latencies {
    return this.#witness.latencies;
  }

  /** Runs the whole plan. Never rejects for what the deployment or the network does. */
  async run(): Promise<void> {
    const stopListening = this.#ending.listen();
    const { paceFile, target, clock } = this.#options;
    const keys = target.keys.all();
    try {
      if (paceFile !== null) await recallPace(paceFile, this.#pacer, keys, clock);
      if (await this.#reach()) {
        const { plan, onDemand } = this.#options;
        this.#reached.resolve(null);
        for (const carrier of plan.carriers) this.#carry(carrier);
        if (onDemand === null)
          for (const planned of inOrder(plan.checks, target.stateHandler.clock)) this.#submit(planned);
        else await onDemand;
        await this.#scheduler.idle();
      }
    } finally {
      stopListening();
      if (paceFile !== null) await keepPace(paceFile, this.#pacer, keys, clock);
      this.#settleRest();
    }
  }

  /** Runs one stored case again, or the whole check for what an oracle had seen. Null when the target is out of reach. */
  async replay(
    { check, cases }: PlannedCheck<EngineCheck>,
    stored: StoredCase,
  ): Promise<AttemptResult | null> {
    const stopListening = this.#ending.listen();
    try {
      if (!(await this.#reach())) return null;
      const { caseName: name, seed, path } = stored;
      return await attempt({
        ...this.#attemptOptions(check, cases),
        ...(stored.whole ? {} : { replay: { name, seed, path } }),
      });
    } finally {
      stopListening();
    }
  }

  /** Ids of the checks that the plan holds. */
  get planned(): ReadonlySet<string> {
    return new Set(this.#options.plan.checks.map(({ check }) => check.id));
  }

  /** The outcome of a check, as soon as it is known. */
  outcomeOf(check: string): Promise<CheckOutcome> {
    if (!this.#board.has(check) && !this.planned.has(check)) return Promise.resolve(unknownCheck(check));
    const outcome = this.#board.wait(check);
    if (this.#options.onDemand !== null) void this.#demand(check);
    return outcome;
  }

  /** The outcomes of all checks that are known, those of skipped checks included. */
  get outcomes(): readonly CheckOutcome[] {
    return this.#board.all;
  }

  get #isPatient(): boolean {
    return this.#options.settings.profile === 'full' || this.#options.waitsForLimits === true;
  }

  async #demand(id: string): Promise<void> {
    const planned = this.#options.plan.checks.find(({ check }) => check.id === id);
    if (!planned || this.#demanded.has(id)) return;
    this.#demanded.add(id);
    await this.#reached.promise;
    if (planned.check.kind !== 'passive') {
      this.#submit(planned);
      return;
    }
    // A passive check is told by what its file caused; more may come, and the reports are made of all.
    await this.#options.clock.sleep(100);
    await this.#scheduler.idle();
    this.#board.answer(passiveOutcome(planned.check, this.tallies, this.#outcomeSources));
  }

  #submit(planned: PlannedCheck<EngineCheck>): void {
    if (planned.check.kind === 'passive') return;
    this.#scheduler.add({ alone: planned.check.exclusive, run: () => this.#runCheck(planned) });
  }

  /** Runs a check for its traffic alone: nobody asked what it says. */
  #carry({ check, cases }: PlannedCheck<EngineCheck>): void {
    const run = async () => {
      const { cutShort } = await attempt({ ...this.#attemptOptions(check, cases), shrinkBudget: () => 0 });
      if (cutShort?.by === 'budget') this.#ending.note('budget', cutShort.reason);
    };
    this.#scheduler.add({ alone: check.exclusive, run });
  }

  async #runCheck(planned: PlannedCheck<EngineCheck>): Promise<void> {
    const { check, cases } = planned;
    if (this.#ending.isStopped) return;
    this.#options.listener({ name: 'check-started', check: check.id, title: check.title });
    this.#board.settle(
      await runCheck({
        ...this.#attemptOptions(check, cases),
        sources: this.#outcomeSources,
        onBudget: (reason) => this.#ending.note('budget', reason),
      }),
    );
  }

  #indexOf(check: EngineCheck): number {
    return this.#options.plan.checks.findIndex((planned) => planned.check === check);
  }

  #attemptOptions(check: EngineCheck, cases: number): AttemptOptions {
    return {
      check,
      cases,
      // Keys in another order for each check, so that those that need one in particular do not all need the first.
      base: { ...this.#base, keys: this.#options.target.keys.rotated(this.#indexOf(check)) },
      send: (request) => this.client.send(request, check.id),
      burst: (requests) => this.client.burst(requests, check.id),
      seed: deriveSeed(this.#options.settings.seed, check.id),
      shrinkBudget: () =>
        Math.min(shrinkBudget.most, Math.floor(this.allowance.requestsLeft * shrinkBudget.share)),
      signal: this.#ending.signal,
    };
  }

  /** Passive checks are judged by all that was seen; what did not get its turn is undecided. */
  #settleRest(): void {
    for (const { check } of this.#options.plan.checks) {
      if (this.#board.has(check.id)) continue;
      const askedFor = this.#options.onDemand === null || this.#demanded.has(check.id);
      if (check.kind === 'passive')
        this.#board.settle(passiveOutcome(check, this.tallies, this.#outcomeSources));
      else if (!askedFor && this.end === 'completed')
        this.#board.settle(notRun(check, 'skipped', 'not asked for'));
      else this.#board.settle(notRun(check, 'inconclusive', this.#ending.reason));
    }
  }

  /** Proves that the target answers and takes the primary key. */
  async #reach(): Promise<boolean> {
    const { settings } = this.#options;
    const probe = settings.apis.includes('webcheckin')
      ? list({ limit: '1' })
      : lookup({ flightNumber: 'EK3', departureDate: dateIn(this.#serverClock.now(), 1) });
    try {
      const first = await this.client.send(probe, 'reach');
      const exchange = responseOf(first) ? first : await this.client.send(probe, 'reach');
      const status = responseOf(exchange)?.status;
      if (status === undefined) this.#ending.stop('target-lost');
      else if (status === 401) this.#ending.stop('key-refused');
      else if (status === 429) this.#ending.stop('target-lost', refusedByLimit);
    } catch (error) {
      if (!this.#ending.isStopped) throw error;
    }
    return !this.#ending.isStopped;
  }

  #createPacer(): Pacer {
    const { settings, clock, listener } = this.#options;
    const { perMinute, perHour } = settings.limits;
    return new Pacer({
      clock,
      limits: [
        { limit: perMinute, windowMs: 60_000 },
        { limit: perHour, windowMs: 3_600_000 },
      ],
      onWait: (key, ms) => listener({ name: 'waiting', reason: 'pace', ms, key: key.label }),
    });
  }

  #createClient(): Client {
    const { settings, clock, target, listener, journal } = this.#options;
    return new Client({
      transport: target.transport,
      baseUrls: target.baseUrls,
      keys: target.keys,
      pacer: this.#pacer,
      allowance: this.allowance,
      clock,
      extraHeaders: Object.entries(settings.http.headers),
      longestRetryAfterMs: 120_000,
      signal: this.#ending.signal,
      spending: this.ledger,
      onExchange: (exchange) => {
        this.#witness.see(exchange);
        // Kept only where somebody is going to ask: the hour takes all that a key sent.
        if (this.#isPatient) this.#decisions.note(exchange);
        this.#ending.answered(responseOf(exchange)?.status ?? null);
      },
      onRetryAfter: (key, ms) => listener({ name: 'waiting', reason: 'retry-after', ms, key }),
      onRefused: () => this.#ending.refused(),
      ready: () => journal.drained(),
    });
  }

  #createBase(): ContextBase {
    const { clock, target } = this.#options;
    const { ledger } = this;
    const [serverClock, pacer, witness] = [this.#serverClock, this.#pacer, this.#witness];
    const state = watchState(target.stateHandler, { clock, ledger, pacer, serverClock, witness });
    return createContextBase({
      ...this.#options,
      state,
      serverClock,
      pacer,
      dialect: this.dialect,
      limitsBook: this.limitsBook,
      decisions: this.#decisions,
      isPatient: this.#isPatient,
      secrets: this.#secrets,
      client: this.client,
      startedAt: this.#startedAt,
      signal: this.#ending.signal,
    });
  }
}
