import type { Catalogue } from '../catalogue/loadCatalogue.ts';
import type { Clock } from '../core/clock.ts';
import type { Exchange } from '../core/evidence.ts';
import { deriveSeed, hash32 } from '../core/random.ts';
import type { Redactor } from '../core/redact.ts';
import type { Settings } from '../core/settings.ts';
import { createIdentities } from '../generate/identity.ts';
import { responseOf } from '../judge/body.ts';
import type { Oracle, OracleJudgement } from '../judge/oracle.ts';
import type { VerdictStatus } from '../judge/verdict.ts';
import type { Plan, PlannedCheck } from '../plan/plan.ts';
import { Allowance } from '../send/allowance.ts';
import { Client } from '../send/client.ts';
import type { Journal } from '../send/journal.ts';
import { keepPace, recallPace } from '../send/paceMemory.ts';
import { Pacer } from '../send/pacer.ts';
import { list, lookup } from '../send/request.ts';
import type { Target } from '../target/target.ts';
import { attempt, type AttemptOptions, type AttemptResult, type ContextBase } from './attempt.ts';
import { Dialect } from './dialect.ts';
import type { Listener } from './events.ts';
import { FindingMaker } from './findings.ts';
import { createFixtures, dateIn } from './fixtures.ts';
import { Latencies } from './latencies.ts';
import { Ledger } from './ledger.ts';
import type { CheckOutcome, StoredCase } from './outcome.ts';
import { passiveOutcome } from './passiveOutcome.ts';
import { runCheck } from './runCheck.ts';
import { Scheduler } from './scheduler.ts';
import { SecretWatch } from './secretWatch.ts';
import { ServerClock } from './serverClock.ts';
import type { EngineCheck } from './suite.ts';
import { PassiveTallies } from './tally.ts';

export interface SessionOptions {
  readonly runId: string;
  readonly settings: Settings;
  readonly plan: Plan<EngineCheck>;
  readonly catalogue: Catalogue;
  readonly oracles: readonly Oracle[];
  readonly target: Target;
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
}

/** Why a run ended. */
export type SessionEnd = 'completed' | 'budget' | 'interrupted' | 'target-lost' | 'key-refused';

/** Failures in a row after which the target counts as lost. */
const patience = 8;
/** Requests in a row that the rate limit refused for good, after which the run would only make it worse. */
const patienceWithRefusals = 3;
/** Requests that shrinking one failure may cost, and the share of what is left that it may take from other checks. */
const shrinkBudget = { most: 60, share: 0.25 };

/** One run of the engine: sends what the plan says, judges all that comes back, and knows the outcome of each check. */
export class Session {
  readonly dialect: Dialect;
  readonly ledger = new Ledger();
  readonly latencies = new Latencies();
  readonly tallies = new PassiveTallies();
  readonly client: Client;
  readonly findings: FindingMaker;
  readonly allowance: Allowance;
  readonly #options: SessionOptions;
  readonly #base: ContextBase;
  readonly #serverClock: ServerClock;
  readonly #secrets: SecretWatch;
  #judges: readonly {
    readonly oracle: Oracle;
    readonly judge: ReturnType<Oracle['createOracle']>;
  }[];
  readonly #scheduler: Scheduler;
  readonly #pacer: Pacer;
  readonly #abort = new AbortController();
  readonly #outcomes = new Map<string, CheckOutcome>();
  readonly #waiting = new Map<string, ((outcome: CheckOutcome) => void)[]>();
  readonly #demanded = new Set<string>();
  readonly #told = new Set<string>();
  readonly #reached = Promise.withResolvers<null>();
  #end: SessionEnd = 'completed';
  #endReason = endReasons.completed;
  #failuresInARow = 0;
  #refusalsInARow = 0;
  #stopTimer: () => void = () => undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
    const { clock, target, redactor, plan } = options;
    this.dialect = new Dialect(({ openPoint, variant }) =>
      options.listener({ name: 'open-point-observed', openPoint, variant }),
    );
    this.findings = new FindingMaker({ catalogue: options.catalogue, redactor });
    this.allowance = new Allowance(plan.budgets);
    this.#serverClock = new ServerClock(clock);
    this.#secrets = new SecretWatch(redactor, target.keys);
    this.#judges = this.#createJudges();
    this.#scheduler = new Scheduler(options.width);
    this.#pacer = this.#createPacer();
    this.client = this.#createClient();
    for (const { check, reason, hint } of plan.skipped) {
      this.#outcomes.set(check.id, skipped(check, hint === null ? reason : `${reason}. ${hint}`));
    }
    this.#base = this.#createBase();
  }

  get end(): SessionEnd {
    return this.#end;
  }

  /** Runs the whole plan. Never rejects for what the deployment or the network does. */
  async run(): Promise<void> {
    const stopListening = this.#listenForEnds();
    const { paceFile, target, clock } = this.#options;
    const keys = target.keys.all();
    try {
      if (paceFile !== null) await recallPace(paceFile, this.#pacer, keys, clock);
      if (await this.#reach()) {
        const { plan, onDemand } = this.#options;
        this.#reached.resolve(null);
        if (onDemand === null) for (const planned of clockMoversLast(plan.checks)) this.#submit(planned);
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
    const stopListening = this.#listenForEnds();
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
    const known = this.#outcomes.get(check);
    if (known) return Promise.resolve(known);
    if (!this.#options.plan.checks.some((planned) => planned.check.id === check))
      return Promise.resolve(unknownCheck(check));
    const outcome = new Promise<CheckOutcome>((resolve) => {
      this.#waiting.set(check, [...(this.#waiting.get(check) ?? []), resolve]);
    });
    if (this.#options.onDemand !== null) void this.#demand(check);
    return outcome;
  }

  /** The outcomes of all checks that are known, those of skipped checks included. */
  get outcomes(): readonly CheckOutcome[] {
    return [...this.#outcomes.values()];
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
    const outcome = passiveOutcome(planned.check, this.tallies, this.findings);
    for (const resolve of this.#waiting.get(id) ?? []) resolve(outcome);
    this.#waiting.delete(id);
  }

  #submit(planned: PlannedCheck<EngineCheck>): void {
    if (planned.check.kind === 'passive') return;
    this.#scheduler.add({ alone: planned.check.exclusive, run: () => this.#runCheck(planned) });
  }

  async #runCheck(planned: PlannedCheck<EngineCheck>): Promise<void> {
    const { check, cases } = planned;
    if (this.#abort.signal.aborted) return;
    this.#options.listener({ name: 'check-started', check: check.id, title: check.title });
    this.#settle(
      await runCheck({
        ...this.#attemptOptions(check, cases),
        findings: this.findings,
        isOpenPoint: (id) => this.#options.catalogue.get(id).level === 'open',
        onBudget: () => this.#endWith('budget', false),
      }),
    );
  }

  #attemptOptions(check: EngineCheck, cases: number): AttemptOptions {
    return {
      check,
      cases,
      base: { ...this.#base, keys: this.#options.target.keys.rotated(hash32(check.id)) },
      send: (request) => this.client.send(request, check.id),
      seed: deriveSeed(this.#options.settings.seed, check.id),
      shrinkBudget: () =>
        Math.min(shrinkBudget.most, Math.floor(this.allowance.requestsLeft * shrinkBudget.share)),
      signal: this.#abort.signal,
    };
  }

  #settle(told: CheckOutcome): void {
    const outcome = withoutSecrets(told, this.#options.redactor);
    this.#outcomes.set(outcome.check, outcome);
    const { check, title, status, reason, requests } = outcome;
    this.#options.listener({ name: 'check-finished', check, title, status, reason, requests });
    for (const { requirement, message, severity } of outcome.findings) {
      if (severity !== 'observed')
        this.#options.listener({ name: 'finding', requirement, check, severity, message });
    }
    for (const { requirement, status: said } of outcome.contributions) this.#tellJudged(requirement, said);
    for (const resolve of this.#waiting.get(check) ?? []) resolve(outcome);
    this.#waiting.delete(check);
  }

  /** For those who watch: a requirement counts as judged by the first check that says something about it. */
  #tellJudged(requirement: string, status: VerdictStatus): void {
    if (status === 'skipped' || this.#told.has(requirement)) return;
    this.#told.add(requirement);
    this.#options.listener({ name: 'requirement-judged', requirement, status });
  }

  /** Passive checks are judged by all that was seen; what did not get its turn is undecided. */
  #settleRest(): void {
    for (const { check } of this.#options.plan.checks) {
      if (this.#outcomes.has(check.id)) continue;
      const askedFor = this.#options.onDemand === null || this.#demanded.has(check.id);
      if (check.kind === 'passive') this.#settle(passiveOutcome(check, this.tallies, this.findings));
      else if (!askedFor && this.#end === 'completed') this.#settle(skipped(check, 'not asked for'));
      else this.#settle(undecided(check, this.#endReason));
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
      if (status === undefined) this.#endWith('target-lost', true);
      else if (status === 401) this.#endWith('key-refused', true);
      else if (status === 429) this.#endWith('target-lost', true, refusedByLimit);
    } catch (error) {
      if (!this.#abort.signal.aborted) throw error;
    }
    return !this.#abort.signal.aborted;
  }

  #listenForEnds(): () => void {
    const { signal, clock, plan } = this.#options;
    const onAbort = () => this.#endWith('interrupted', true);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    const { maxDurationMs } = plan.budgets;
    if (Number.isFinite(maxDurationMs))
      this.#stopTimer = clock.timer(maxDurationMs, () => this.#endWith('budget', true));
    return () => {
      signal.removeEventListener('abort', onAbort);
      this.#stopTimer();
    };
  }

  #endWith(end: SessionEnd, stop: boolean, reason = endReasons[end]): void {
    if (this.#abort.signal.aborted) return;
    this.#end = end;
    this.#endReason = reason;
    if (!stop) return;
    if (end === 'interrupted') this.#options.listener({ name: 'interrupted' });
    else this.#options.listener({ name: 'notice', text: `The run ends here: ${reason}.` });
    this.#abort.abort(new Error(reason));
    // What is under way would only delay the end; its answers are lost, and its requests stand as possible effects.
    void this.#options.target.transport.close();
  }

  #onExchange(exchange: Exchange): void {
    this.#secrets.observe(exchange);
    this.#serverClock.observe(exchange);
    const violated = this.tallies.add(exchange, this.#judge(exchange));
    this.#options.journal.exchange(exchange, violated);
    const durationMs = exchange.timings.received - exchange.timings.sent;
    const status = responseOf(exchange)?.status ?? null;
    this.latencies.add(exchange.operation ?? 'other', durationMs);
    this.#options.listener({
      name: 'exchange',
      id: exchange.id,
      operation: exchange.operation,
      status,
      durationMs,
    });
    this.#failuresInARow = status === null ? this.#failuresInARow + 1 : 0;
    if (status !== null && status !== 429) this.#refusalsInARow = 0;
    if (this.#failuresInARow >= patience) this.#endWith('target-lost', true);
  }

  /** What all oracles say of an exchange. One that breaks over it spoils its own verdict only. */
  #judge(exchange: Exchange): readonly OracleJudgement[] {
    const judgements: OracleJudgement[] = [];
    for (const { oracle, judge } of this.#judges) {
      try {
        for (const judgement of judge(exchange)) judgements.push(judgement);
      } catch (error) {
        this.tallies.addFault(oracle.verifies, `a fault of Gatecheck over ${exchange.id}: ${String(error)}`);
      }
    }
    return judgements;
  }

  #onRefused(): void {
    this.#refusalsInARow += 1;
    if (this.#refusalsInARow >= patienceWithRefusals) this.#endWith('target-lost', true, refusedByLimit);
  }

  #createJudges() {
    return this.#options.oracles.map((oracle) => ({ oracle, judge: oracle.createOracle() }));
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
      signal: this.#abort.signal,
      spending: this.ledger,
      onExchange: (exchange) => this.#onExchange(exchange),
      onRetryAfter: (key, ms) => listener({ name: 'waiting', reason: 'retry-after', ms, key }),
      onRefused: () => this.#onRefused(),
      ready: () => journal.drained(),
    });
  }

  #createBase(): ContextBase {
    const { settings, runId, target, clock } = this.#options;
    const identities = createIdentities(runId, settings.seed);
    const now = () => this.#serverClock.now();
    const state = this.#watchedState();
    return {
      apis: settings.apis,
      settings,
      keys: target.keys,
      dialect: this.dialect,
      identities,
      fixtures: createFixtures({
        settings,
        identities,
        now,
        state,
        keys: target.keys,
        dialect: this.dialect,
        send: (request, purpose) => this.client.send(request, `fixture.${purpose}`),
      }),
      now,
      sleep: (ms) => clock.sleep(ms, this.#abort.signal),
      observe: (openPoint, variant, evidence) => this.dialect.observe(openPoint, variant, evidence ?? null),
      state,
      adoptKeys: (enterprise, values) => this.#secrets.adopt(enterprise, values),
      specialKey: (name) => {
        const key = target.keys.special(name);
        if (!key) throw new Error(`a check uses the ${name} key without naming it in its needs`);
        return key;
      },
    };
  }

  /** The state handler, with its effects on record and its clock followed. */
  #watchedState(): Target['stateHandler'] {
    const { stateHandler } = this.#options.target;
    return {
      ...stateHandler,
      set: async (state, params) => {
        const answer = await stateHandler.set(state, params);
        // What was dropped may come again with other ids and times: what the oracles remember no longer holds.
        if (state === 'reset') this.#judges = this.#createJudges();
        if (typeof answer.now === 'string') this.#serverClock.set(Date.parse(answer.now));
        if (state === 'clock.advance' && stateHandler.clock.has('rate-limits'))
          this.#pacer.age(Number(params.seconds) * 1000);
        if (state !== 'capabilities' && !state.endsWith('.get'))
          this.ledger.state(state, this.#options.clock.now());
        return answer;
      },
    };
  }
}

/** Time never goes back: what depends on records and flights of today comes before what moves the clock. */
function clockMoversLast(checks: readonly PlannedCheck<EngineCheck>[]): readonly PlannedCheck<EngineCheck>[] {
  const moves = ({ check }: PlannedCheck<EngineCheck>) => check.needs.includes('state:clock.advance');
  return [...checks.filter((one) => !moves(one)), ...checks.filter(moves)];
}

const endReasons: Readonly<Record<SessionEnd, string>> = {
  completed: 'the run ended before it',
  budget: 'a budget ended the run before it',
  interrupted: 'the run was interrupted before it ended',
  'target-lost': 'the target did not answer',
  'key-refused': 'the target refused the primary key',
};

const refusedByLimit = 'the target refuses everything by its rate limit';

function undecided(check: EngineCheck, reason: string): CheckOutcome {
  return without(check, 'inconclusive', reason);
}

function skipped(check: EngineCheck, reason: string): CheckOutcome {
  return without(check, 'skipped', reason);
}

/** For a test whose check the engine has not read, as where a suite was changed while it was loaded. */
function unknownCheck(check: string): CheckOutcome {
  const reason = 'the engine knows no check of this name';
  return {
    check,
    title: check,
    status: 'inconclusive',
    reason,
    contributions: [],
    findings: [],
    requests: 0,
  };
}

/** The outcome of a check that did not run. */
function without(check: EngineCheck, status: 'inconclusive' | 'skipped', reason: string): CheckOutcome {
  const { id, title, verifies } = check;
  const contributions = verifies.map((requirement) => ({ requirement, status, samples: 0, reason }));
  return { check: id, title, status, reason, contributions, findings: [], requests: 0 };
}

/** Reasons may quote an answer, which may quote a secret. */
function withoutSecrets(outcome: CheckOutcome, redactor: Redactor): CheckOutcome {
  const clean = (reason: string | null) => (reason === null ? null : redactor.redact(reason));
  const contributions = outcome.contributions.map((one) => ({ ...one, reason: clean(one.reason) }));
  return { ...outcome, reason: clean(outcome.reason), contributions };
}
