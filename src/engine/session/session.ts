import type { Api } from '../../core/operations.ts';
import { responseOf } from '../../judge/kernel/body.ts';
import type { Plan, PlannedCheck, SkippedCheck } from '../../plan/plan.ts';
import { timeOf } from '../../plan/recorded.ts';
import type { AttemptResult } from '../attempt/attemptResult.ts';
import { CheckRunner } from '../attempt/checkRunner.ts';
import { tellClock } from '../clock/clockNotice.ts';
import type { Dialect } from '../observe/dialect.ts';
import type { StoredCase } from '../findings/finding.ts';
import { cheapRead, provingReads } from '../health/probes.ts';
import { reach } from '../health/reach.ts';
import type { SessionEnd } from '../health/runEnd.ts';
import { handlerWithdrawal, outageWithdrawal, withdraw, type Withdrawal } from '../health/withdrawal.ts';
import { requestsOfPool } from '../keys/keySupply.ts';
import { RunObservations } from '../observe/runObservations.ts';
import type { OpenRun } from './openRun.ts';
import { besideOf, isFirst, runningOrder, whenOf } from './order.ts';
import {
  bothOutcomes,
  notRun,
  unknownCheck,
  type CheckOutcome,
  passiveOutcome,
} from '../findings/outcome.ts';
import { OutcomeBoard } from '../findings/outcomeBoard.ts';
import { RunRecord } from '../observe/runRecord.ts';
import { Scheduler } from './scheduler.ts';
import { isSlow, widthAt } from './width.ts';
import type { EngineCheck } from '../suite.ts';
import type { Traffic } from './traffic.ts';
import type { Turn } from '../attempt/turn.ts';
import { askTime } from '../clock/watchedState.ts';

interface SessionOptions {
  readonly plan: Plan<EngineCheck>;
  /** Number of checks that run concurrently; by default one. */
  readonly width?: number;
  /** Most of them if answers are slow; by default `width`. */
  readonly mostWidth?: number;
  /** If given, checks run only on demand, until this resolves. Null to run the whole plan. */
  readonly onDemand?: Promise<void> | null | undefined;
  /** The user wants to test the limits and waits for windows of a minute; by default false. */
  readonly waitsForLimits?: boolean | undefined;
  /** Called once, before the first check: the target has answered, or is out of reach. */
  readonly onReached?: (() => void) | undefined;
}

type Planned = PlannedCheck<EngineCheck>;

/** The checks of a run: sends what the plan says, judges everything that comes back, and knows the outcome of each check. */
export class Session {
  readonly observations: RunObservations;
  readonly #run: OpenRun;
  readonly #plan: Plan<EngineCheck>;
  readonly #onDemand: Promise<void> | null;
  readonly #runner: CheckRunner;
  readonly #scheduler: Scheduler;
  readonly #board: OutcomeBoard;
  readonly #record: RunRecord;
  /** What was missing for the checks that were left out, with what would supply it. */
  readonly #lacking: ReadonlyMap<string, string | null>;
  readonly #demanded = new Set<string>();
  readonly #onReached: () => void;
  readonly #waitsForLimits: boolean;
  readonly #reached = Promise.withResolvers<null>();

  constructor(run: OpenRun, { plan, width = 1, mostWidth = width, ...options }: SessionOptions) {
    const { onDemand = null, waitsForLimits = false, onReached = () => undefined } = options;
    [this.#run, this.#plan, this.#onDemand, this.#onReached] = [run, plan, onDemand, onReached];
    this.#lacking = lackingIn(plan);
    this.#waitsForLimits = waitsForLimits;
    const isPatient = run.settings.profile === 'full' || waitsForLimits;
    // If a run is killed and continued, what was seen once may not come again. An embedded target is gone then.
    const isLasting = run.target.kind !== 'embedded';
    this.observations = new RunObservations(run, isPatient, () => isLasting && this.#keepPassive(true));
    this.#runner = new CheckRunner(run, this.observations, plan);
    const { latencies } = this.observations.observer;
    // If keys have to be waited for, what shows most comes first instead.
    this.#scheduler = new Scheduler(
      () => widthAt(latencies.least, { width, mostWidth }),
      () => plan.expectedMs === 0 && isSlow(latencies.least),
    );
    this.#record = new RunRecord(run.journal, run.clock);
    this.#board = new OutcomeBoard(
      run.redactor,
      run.tell,
      (outcome) => this.#keep(outcome),
      (outcome) => this.#isOpen(outcome),
    );
    for (const { openPoint, variant, detail } of run.earlier?.observations ?? [])
      this.dialect.observe(openPoint, variant, null, detail);
    const passive = new Set(plan.checks.flatMap(({ check }) => (check.kind === 'passive' ? [check.id] : [])));
    for (const outcome of run.earlier?.outcomes ?? [])
      if (!passive.has(outcome.check)) this.#board.preset(outcome);
    const further = new Set(this.#onDemand === null ? plan.further.map(({ check }) => check) : []);
    this.#leaveOut(({ check }) => !further.has(check));
  }

  #leaveOut(isLeftOut: (one: SkippedCheck<EngineCheck>) => boolean): void {
    for (const one of this.#plan.skipped.filter(isLeftOut)) {
      const { check, reason, hint } = one;
      this.#preset(notRun(check, 'skipped', hint === null ? reason : `${reason}. ${hint}`));
    }
  }

  get traffic(): Traffic {
    return this.#runner.traffic;
  }

  get dialect(): Dialect {
    return this.observations.dialect;
  }

  get end(): SessionEnd {
    return this.traffic.ending.end;
  }

  /** Why it ended, in words; meaningful unless it completed. */
  get endReason(): string {
    return this.traffic.ending.reason;
  }

  /** All known outcomes, including those of skipped checks. */
  get outcomes(): readonly CheckOutcome[] {
    return this.#board.all;
  }

  /** Ids of the checks in the plan. */
  get planned(): ReadonlySet<string> {
    return new Set(this.#plan.checks.map(({ check }) => check.id));
  }

  /** Runs the whole plan. Never rejects because of the deployment or the network. */
  async run(): Promise<void> {
    try {
      const isReached = await this.reach().finally(this.#onReached);
      if (!isReached) return;
      await this.#runner.prepare();
      this.#reached.resolve(null);
      for (const carrier of this.#plan.carriers)
        this.#add(carrier, (turn) => this.#runner.carry(carrier, turn), requestsOfPool(carrier));
      if (this.#onDemand === null) for (const planned of this.#inOrder()) this.#submit(planned);
      else await this.#onDemand;
      await this.#scheduler.idle();
      if (this.#onDemand === null) await this.#goFurther();
      await this.#lookAround();
    } finally {
      this.observations.observer.end();
      this.#settleRest();
      tellClock(this.#run, this.observations.observer.serverClock);
    }
  }

  /** What nothing failed to use goes to checks that lacked requests, as long as none of them has to wait. */
  async #goFurther(): Promise<void> {
    for (const planned of this.#plan.further) {
      if (this.traffic.ending.isStopped) return;
      if (!this.#runner.admit(planned)) continue;
      this.#submit(planned);
      await this.#scheduler.idle();
    }
  }

  /** Proves that the target answers and accepts the first key. */
  async reach(): Promise<boolean> {
    const { settings, target } = this.#run;
    const { serverClock } = this.observations.observer;
    await askTime(target.stateHandler, serverClock);
    const api = settings.apis.includes('webcheckin') ? 'webcheckin' : 'flight-alerts';
    const status = await reach(this.#run, this.traffic, cheapRead(api, serverClock.now()));
    if (status === 200 && isSlow(this.observations.observer.latencies.least)) await this.#reachAgain(api);
    if (status === 429) this.traffic.health.refuseAll();
    if (status !== null && status >= 500 && this.#waitsForLimits) await this.#seeBroken(status);
    return !this.traffic.ending.isStopped;
  }

  /** Runs one stored case again, or the whole check for something that an oracle saw. Null if the target is out of reach. */
  async replay(planned: Planned, stored: StoredCase): Promise<AttemptResult | null> {
    if (!(await this.reach())) return null;
    const result = await this.#runner.replay(planned, stored);
    this.observations.observer.end();
    return result;
  }

  /** The outcome of a check, as soon as it is known. */
  outcomeOf(check: string): Promise<CheckOutcome> {
    const planned = this.#plan.checks.find((one) => one.check.id === check);
    if (!this.#board.has(check) && !planned) return Promise.resolve(unknownCheck(check));
    const outcome = this.#board.wait(check);
    if (this.#onDemand !== null && planned) void this.#demand(planned);
    return outcome;
  }

  #preset(outcome: CheckOutcome): void {
    this.#board.preset(outcome);
    this.#record.outcome(outcome);
  }

  /** Records outcomes as they come, and what the passive checks say so far. */
  #keep(outcome: CheckOutcome): void {
    this.#record.outcome(outcome);
    this.#keepPassive(false);
  }

  #keepPassive(atOnce: boolean): void {
    const passive = () => this.#plan.checks.filter(({ check }) => check.kind === 'passive');
    this.#record.passive(() => passive().map(({ check }) => this.#passiveOutcome(check)), atOnce);
  }

  #passiveOutcome(check: EngineCheck): CheckOutcome {
    const { observer, sources } = this.observations;
    const isSelection = this.#run.settings.only.length > 0;
    const now = passiveOutcome(check, observer.tallies, { ...sources, isSelection, lacking: this.#lacking });
    const before = this.#run.earlier?.outcomes.find((one) => one.check === check.id);
    return before ? bothOutcomes(before, now) : now;
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
    // A passive check is shown by the traffic of its own file; more may come, and the reports use everything.
    await this.#run.clock.sleep(100);
    await this.#scheduler.idle();
    this.#board.answer(this.#passiveOutcome(check));
  }

  #inOrder(): readonly Planned[] {
    return runningOrder(this.#plan.checks, this.#run.target.stateHandler.clock);
  }

  #submit(planned: Planned, tries = mostTries): void {
    if (planned.check.kind === 'passive') return;
    const isOver = () => this.traffic.ending.isStopped;
    const run = async (turn: Turn) => {
      if (isOver()) return;
      this.#run.tell({ name: 'check-started', check: planned.check.id, title: planned.check.title });
      const { outcome, lackedRoom } = await this.#runner.run(planned, turn);
      if (lackedRoom && tries > 1 && !isOver()) this.#submit(planned, tries - 1);
      else this.#board.settle(outcome);
    };
    // One that found no room may use keys of the run where it was expected to use only its own.
    this.#add(planned, run, tries < mostTries ? planned.cost.requests : requestsOfPool(planned));
  }

  #add(planned: Planned, run: (turn: Turn) => Promise<void>, requests: number): void {
    const [{ room, traffic }, { limitsBook }] = [this.#runner, this.observations];
    const beside = { atFirst: besideOf(planned), byKey: besideOf(planned, true) };
    this.#scheduler.add({
      run,
      // Once it is known that budgets are counted by key, checks that fill their own need not be alone.
      get beside() {
        return limitsBook.isByKey ? beside.byKey : beside.atFirst;
      },
      isFirst: isFirst(planned, this.#run.target.stateHandler.clock),
      when: whenOf(planned),
      size: timeOf(planned.check, planned.cases).turns,
      hasRoom: () => traffic.ending.isStopped || room.has(requests),
      makeRoom: () => room.make(requests),
    });
  }

  /** Withdraws findings that say nothing about the rules; returns whether there were any. */
  #withdraw(withdrawal: Withdrawal): boolean {
    const changed = withdraw(this.#board.all, withdrawal);
    for (const outcome of changed) this.#preset(outcome);
    return changed.length > 0;
  }

  /** A target in trouble may be lost, and what it answers then shows nothing. */
  #isOpen({ findings }: CheckOutcome): boolean {
    const { trouble } = this.traffic.health;
    return findings.some(({ decisive }) => decisive !== undefined && trouble.has(decisive));
  }

  #withdrawOutage(): void {
    const { outage, state } = this.traffic.health;
    if (outage.size === 0) return;
    this.observations.observer.tallies.withdraw(outage, this.endReason);
    this.observations.claim({ claim: 'outage', exchanges: [...outage], why: this.endReason });
    this.#withdraw(outageWithdrawal(outage, this.endReason, state !== 'another server'));
  }

  #withdrawIneffective(): void {
    const ineffective = this.observations.trust.ineffective();
    if (ineffective === null) return;
    const withdrawal = handlerWithdrawal(ineffective);
    const what = this.#withdraw(withdrawal)
      ? 'Findings are withdrawn'
      : 'What needs these states shows nothing';
    const text = `${what}: ${withdrawal.why}. ${doctorShows}`;
    this.#run.tell({ name: 'notice', text });
  }

  /** Judges passive checks by everything that was seen; checks that did not get their turn stay undecided. */
  #settleRest(): void {
    this.#withdrawOutage();
    this.#withdrawIneffective();
    this.#leaveOut(({ check }) => !this.#board.has(check.id));
    this.#board.release();
    for (const { check } of this.#plan.checks) {
      if (this.#board.has(check.id)) continue;
      const askedFor = this.#onDemand === null || this.#demanded.has(check.id);
      // What another server said is no sample of this API's rules.
      if (this.end === 'not-this-api') this.#board.settle(notRun(check, 'inconclusive', this.endReason));
      else if (check.kind === 'passive') this.#board.settle(this.#passiveOutcome(check));
      else if (!askedFor && this.end === 'completed')
        this.#board.settle(notRun(check, 'skipped', 'not asked for'));
      else this.#board.settle(notRun(check, 'inconclusive', this.endReason));
    }
  }

  /** The last answers of a run may come from something that has replaced the deployment. */
  async #lookAround(): Promise<void> {
    const { ending, health } = this.traffic;
    const isOver = () => ending.isStopped;
    if (isOver()) return;
    try {
      await health.settle();
    } catch (error) {
      if (!isOver()) throw error;
    }
  }

  /** What answers no read at all would be waited for, window by window. */
  async #seeBroken(status: number): Promise<void> {
    const { client, health } = this.traffic;
    for (const read of provingReads(this.#run.settings.apis, this.observations.observer.serverClock.now())) {
      const answered = responseOf(await client.send(read, 'reach'))?.status ?? 500;
      if (answered < 500) return;
    }
    health.lose(`each read was answered with HTTP ${status}, so that no limit can show. Its log says why`);
  }

  /** The first answer of a server may be exceptionally slow, so the run's duration is estimated from another one. */
  async #reachAgain(api: Api): Promise<void> {
    const { allowance, client } = this.traffic;
    if (allowance.requestsLeft <= this.#plan.total.requests) return;
    await client.send(cheapRead(api, this.observations.observer.serverClock.now()), 'reach');
  }
}

/** How often a check is started that found no room to send. */
const mostTries = 3;

const doctorShows = 'gatecheck doctor tries each state of the handler and says what is wrong with it.';

function lackingIn({ skipped }: Plan<EngineCheck>): ReadonlyMap<string, string | null> {
  const lacks = skipped.filter(({ cause }) => cause === 'capability');
  return new Map(lacks.map(({ reason, hint }) => [reason.replace(/^needs /, ''), hint]));
}
