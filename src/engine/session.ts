import { loadCatalogue } from '../catalogue/loadCatalogue.ts';
import type { Exchange } from '../core/evidence.ts';
import { oracles } from '../judge/oracles.ts';
import type { Plan, PlannedCheck } from '../plan/plan.ts';
import type { OutcomeSources } from './activeOutcome.ts';
import type { AttemptResult } from './attempt.ts';
import { CheckRunner } from './checkRunner.ts';
import { createContextBase } from './contextBase.ts';
import { DecisionLog } from './decisionLog.ts';
import { Dialect } from './dialect.ts';
import { refusedByLimit, type SessionEnd } from './ending.ts';
import type { StoredCase } from './finding.ts';
import { FindingMaker } from './findings.ts';
import { LimitsBook } from './limitsBook.ts';
import type { OpenRun } from './openRun.ts';
import { inOrder } from './order.ts';
import { notRun, unknownCheck, type CheckOutcome } from './outcome.ts';
import { OutcomeBoard } from './outcomeBoard.ts';
import { passiveOutcome } from './passiveOutcome.ts';
import { Scheduler } from './scheduler.ts';
import { SecretWatch } from './secretWatch.ts';
import { ServerClock } from './serverClock.ts';
import type { EngineCheck } from './suite.ts';
import { cheapRead, openTraffic, reach, type Traffic } from './traffic.ts';
import { askTime, watchState } from './watchedState.ts';
import { Witness } from './witness.ts';

export interface SessionOptions {
  readonly plan: Plan<EngineCheck>;
  /** Checks that run side by side; one where left out. */
  readonly width?: number;
  /** Resolves when nobody asks any more; then checks run only when asked for. Null to run the whole plan. */
  readonly onDemand?: Promise<void> | null | undefined;
  /** The user came for the limits and waits for windows of a minute; false where left out. */
  readonly waitsForLimits?: boolean | undefined;
}

type Planned = PlannedCheck<EngineCheck>;

const catalogue = loadCatalogue();

/** The checks of a run: sends what the plan says, judges all that comes back, and knows the outcome of each check. */
export class Session {
  readonly dialect: Dialect;
  readonly limitsBook = new LimitsBook();
  readonly traffic: Traffic;
  /** What was seen by the way, whoever caused it. */
  readonly witness: Witness;
  readonly #run: OpenRun;
  readonly #plan: Plan<EngineCheck>;
  readonly #onDemand: Promise<void> | null;
  readonly #isPatient: boolean;
  readonly #decisions = new DecisionLog();
  readonly #sources: OutcomeSources;
  readonly #runner: CheckRunner;
  readonly #scheduler: Scheduler;
  readonly #board: OutcomeBoard;
  readonly #demanded = new Set<string>();
  readonly #reached = Promise.withResolvers<null>();

  constructor(run: OpenRun, { plan, width = 1, onDemand = null, waitsForLimits = false }: SessionOptions) {
    [this.#run, this.#plan, this.#onDemand] = [run, plan, onDemand];
    const { settings, clock, redactor, tell } = run;
    this.dialect = new Dialect(({ openPoint, variant }) =>
      tell({ name: 'open-point-observed', openPoint, variant }),
    );
    this.witness = new Witness({
      ...{ oracles, journal: run.journal, listener: tell, serverClock: new ServerClock(clock) },
      secrets: new SecretWatch(redactor, run.target.keys, settings),
    });
    run.sink?.inbox.listen((delivery) => this.witness.seeDelivery(delivery));
    this.#isPatient = settings.profile === 'full' || waitsForLimits;
    this.traffic = this.#openTraffic();
    this.#sources = {
      maker: new FindingMaker({ catalogue, redactor, seed: settings.seed }),
      dialect: this.dialect,
      catalogue,
    };
    this.#runner = this.#createRunner();
    this.#scheduler = new Scheduler(width);
    this.#board = new OutcomeBoard(redactor, tell);
    for (const { check, reason, hint } of plan.skipped)
      this.#board.preset(notRun(check, 'skipped', hint === null ? reason : `${reason}. ${hint}`));
  }

  get end(): SessionEnd {
    return this.traffic.ending.end;
  }

  /** Why it ended, in words; meaningful where it did not complete. */
  get endReason(): string {
    return this.traffic.ending.reason;
  }

  /** The outcomes of all checks that are known, those of skipped checks included. */
  get outcomes(): readonly CheckOutcome[] {
    return this.#board.all;
  }

  /** Ids of the checks that the plan holds. */
  get planned(): ReadonlySet<string> {
    return new Set(this.#plan.checks.map(({ check }) => check.id));
  }

  /** Runs the whole plan. Never rejects for what the deployment or the network does. */
  async run(): Promise<void> {
    try {
      if (!(await this.#reach())) return;
      this.#reached.resolve(null);
      for (const carrier of this.#plan.carriers) this.#add(carrier, () => this.#runner.carry(carrier));
      if (this.#onDemand === null) for (const planned of this.#inOrder()) this.#submit(planned);
      else await this.#onDemand;
      await this.#scheduler.idle();
    } finally {
      this.#settleRest();
    }
  }

  /** Runs one stored case again, or the whole check for what an oracle had seen. Null when the target is out of reach. */
  async replay(planned: Planned, stored: StoredCase): Promise<AttemptResult | null> {
    return (await this.#reach()) ? this.#runner.replay(planned, stored) : null;
  }

  /** The outcome of a check, as soon as it is known. */
  outcomeOf(check: string): Promise<CheckOutcome> {
    const planned = this.#plan.checks.find((one) => one.check.id === check);
    if (!this.#board.has(check) && !planned) return Promise.resolve(unknownCheck(check));
    const outcome = this.#board.wait(check);
    if (this.#onDemand !== null && planned) void this.#demand(planned);
    return outcome;
  }

  async #demand(planned: Planned): Promise<void> {
    const { check } = planned;
    if (this.#demanded.has(check.id)) return;
    this.#demanded.add(check.id);
    await this.#reached.promise;
    if (check.kind !== 'passive') {
      this.#submit(planned);
      return;
    }
    // A passive check is told by what its file caused; more may come, and the reports are made of all.
    await this.#run.clock.sleep(100);
    await this.#scheduler.idle();
    this.#board.answer(passiveOutcome(check, this.witness.tallies, this.#sources));
  }

  #inOrder(): readonly Planned[] {
    return inOrder(this.#plan.checks, this.#run.target.stateHandler.clock);
  }

  #submit(planned: Planned): void {
    const { check } = planned;
    if (check.kind === 'passive') return;
    this.#add(planned, async () => {
      if (this.traffic.ending.isStopped) return;
      this.#run.tell({ name: 'check-started', check: check.id, title: check.title });
      this.#board.settle(await this.#runner.run(planned));
    });
  }

  #add({ check }: Planned, run: () => Promise<void>): void {
    this.#scheduler.add({ alone: check.exclusive, run });
  }

  /** Passive checks are judged by all that was seen; what did not get its turn is undecided. */
  #settleRest(): void {
    for (const { check } of this.#plan.checks) {
      if (this.#board.has(check.id)) continue;
      const askedFor = this.#onDemand === null || this.#demanded.has(check.id);
      if (check.kind === 'passive')
        this.#board.settle(passiveOutcome(check, this.witness.tallies, this.#sources));
      else if (!askedFor && this.end === 'completed')
        this.#board.settle(notRun(check, 'skipped', 'not asked for'));
      else this.#board.settle(notRun(check, 'inconclusive', this.endReason));
    }
  }

  /** Proves that the target answers and takes the primary key. */
  async #reach(): Promise<boolean> {
    const { settings, target } = this.#run;
    const { serverClock } = this.witness;
    await askTime(target.stateHandler, serverClock);
    const api = settings.apis.includes('webcheckin') ? 'webcheckin' : 'flight-alerts';
    const status = await reach(this.traffic, cheapRead(api, serverClock.now()));
    if (status === 429) this.traffic.ending.stop('target-lost', refusedByLimit);
    return !this.traffic.ending.isStopped;
  }

  #openTraffic(): Traffic {
    const { budgets } = this.#plan;
    const see = (exchange: Exchange) => {
      this.witness.see(exchange);
      // Kept only where somebody is going to ask: the hour takes all that a key sent.
      if (this.#isPatient) this.#decisions.note(exchange);
    };
    // What is under way would only delay the end; its answers are lost, and its requests stand as possible effects.
    const onStop = () => void this.#run.target.transport.close();
    return openTraffic(this.#run, { budgets, maxDurationMs: budgets.maxDurationMs, see, onStop });
  }

  #createRunner(): CheckRunner {
    const { target } = this.#run;
    const { traffic, dialect, limitsBook, witness } = this;
    const state = watchState(target.stateHandler, { ...this.#run, witness, ledger: traffic.ledger });
    const shared = { traffic, dialect, limitsBook, witness, state, decisions: this.#decisions };
    const base = createContextBase(this.#run, { ...shared, isPatient: this.#isPatient });
    const places = new Map(this.#plan.checks.map(({ check }, index) => [check.id, index]));
    return new CheckRunner({ run: this.#run, traffic, base, sources: this.#sources, places });
  }
}
