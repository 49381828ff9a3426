import type { Exchange } from '../../core/evidence.ts';
import { deriveSeed } from '../../core/random.ts';
import { pacedLimits } from '../../core/settings.ts';
import type { Plan, PlannedCheck } from '../../plan/plan.ts';
import { BudgetExhausted } from '../../send/allowance.ts';
import type { ApiKey, KeyRing } from '../../send/keyRing.ts';
import type { Pause } from '../../send/pause.ts';
import type { ApiRequest } from '../../send/request.ts';
import type { StateHandler } from '../../target/stateHandler.ts';
import { attempt, type AttemptOptions } from './attempt.ts';
import type { AttemptResult, UnclearCase } from './attemptResult.ts';
import type { ContextBase } from './context.ts';
import { contextFor, createContextBase } from './contextBase.ts';
import type { StoredCase } from '../findings/finding.ts';
import { CutOffs, type CutOff } from './cutOff.ts';
import { createFixtures, type Fixtures } from '../fixtures/fixtures.ts';
import { proveHandler } from '../health/handlerProof.ts';
import { provingReads } from '../health/probes.ts';
import { isTaken } from '../health/reach.ts';
import { KeySupply, requestsOfPool } from '../keys/keySupply.ts';
import type { RunObservations } from '../observe/runObservations.ts';
import type { OpenRun } from '../session/openRun.ts';
import type { CheckOutcome } from '../findings/outcome.ts';
import { holdsClock } from '../session/order.ts';
import { MoveLock } from '../keys/moveLock.ts';
import { furthestMs, longestWaitMs, Room, RoomWaits } from '../keys/room.ts';
import { writeOnly } from '../observe/recordBook.ts';
import { runCheck } from './runCheck.ts';
import { createSharedKeys } from '../keys/sharedKeys.ts';
import { casesAt } from '../session/width.ts';
import type { EngineCheck } from '../suite.ts';
import { CaseUnclear, LeftAlone } from './signals.ts';
import { openTraffic, type Traffic } from '../session/traffic.ts';
import type { Turn } from './turn.ts';
import { watchState } from '../clock/watchedState.ts';

type Planned = PlannedCheck<EngineCheck>;

/** Most requests for shrinking one failure, and the share of the unplanned requests that it may use. */
const shrinkBudget = { most: 60, share: 0.5 };

/** Runs the checks of a session: for their verdicts, for their traffic only, or to repeat a stored case. */
export class CheckRunner {
  readonly traffic: Traffic;
  readonly room: Room;
  readonly #waits: RoomWaits;
  readonly #run: OpenRun;
  readonly #observations: RunObservations;
  readonly #plan: Plan<EngineCheck>;
  readonly #supply: KeySupply;
  readonly #lock = new MoveLock();
  readonly #base: ContextBase;
  #fixtures: (requests: number) => Fixtures;
  readonly #cutOffs: CutOffs;
  readonly #notice = (text: string) => this.#run.tell({ name: 'notice', text });
  /** Planned requests of checks that have not ended. */
  #planned: number;
  #hasToldFewer = false;
  readonly #begunAt: number;

  constructor(run: OpenRun, observations: RunObservations, plan: Plan<EngineCheck>) {
    [this.#run, this.#observations, this.#plan, this.#planned] = [
      run,
      observations,
      plan,
      plan.total.requests,
    ];
    const { target } = run;
    this.#begunAt = run.clock.monotonic();
    const { observer, trust } = observations;
    this.traffic = openTraffic(run, {
      budgets: plan.budgets,
      maxDurationMs: plan.budgets.maxDurationMs,
      expect: observer.secrets.expect,
      see: (exchange) => {
        observations.see(exchange);
        this.#cutOffs.see(exchange);
      },
      // Requests under way would only delay the end; their answers are lost, and they count as possible effects.
      onStop: () => {
        void target.transport.close();
        if (ending.end !== 'not-this-api') return;
        observer.tallies.forget();
        observations.claim({ claim: 'stranger' });
      },
      moreKeys: (role) => this.#supply.more(role),
      canMakeRoom: () => this.room.canMove,
      pause: (wait, room) => this.room.pause(wait, room?.ms),
      longestRetryAfterMs: run.settings.profile === 'full' ? furthestMs : longestWaitMs,
      lock: this.#lock,
    });
    const { ledger, ending } = this.traffic;
    const stepsBefore = run.earlier?.steps;
    const watched = watchState(target.stateHandler, { ...run, observer, ledger, trust, stepsBefore });
    const state: StateHandler = {
      ...watched,
      set: (name, params) => this.#lock.during(() => watched.set(name, params)),
    };
    this.#supply = this.#createSupply(state);
    this.room = this.#createRoom(watched);
    this.#waits = new RoomWaits({ room: this.room, shared: () => run.pacer.shared, tell: this.#notice });
    this.#base = createContextBase(run, observations, {
      ...{ state, signal: ending.signal },
      spare: () => this.#spare(),
    });
    this.#fixtures = this.#createFixtures(state);
    this.#cutOffs = new CutOffs({
      send: (request, check) => this.traffic.client.send(request, check),
      reads: () => provingReads(run.settings.apis, observer.serverClock.now()),
      tallies: observer.tallies,
      claim: observations.claim,
    });
  }

  /** Called before the first check: makes further keys if the given ones are too few for the plan. */
  async prepare(): Promise<void> {
    const planned = [...this.#plan.carriers, ...this.#plan.checks];
    await proveHandler(planned, this.#run, {
      observations: this.#observations,
      traffic: this.traffic,
      state: this.#base.state,
    });
    await this.#supply.prepare(planned);
  }

  /** Runs a check; `lackedRoom` if it has to be run again once there is room to send. */
  async run(
    given: Planned,
    turn: Turn,
  ): Promise<{ readonly outcome: CheckOutcome; readonly lackedRoom: boolean }> {
    const planned = this.#inTime(given);
    const { sources } = this.#observations;
    let lackedRoom = false;
    const on = {
      onBudget: (reason: string) => this.#noteBudget(reason),
      onNoRoom: () => (lackedRoom = true),
      isCutOff: (request: ApiRequest) => this.#cutOffs.isBlamed(request),
      explains: (unclear: UnclearCase) => this.#cutOffs.explains(unclear),
      onCutOff: (first: CutOff, again: CutOff | null) => this.#proveCutOff(first, again),
      // The turn is kept: other checks that started meanwhile would meet the same disturbance.
      recover: () => this.traffic.ending.recover(),
    };
    const outcome = await this.#within(planned, turn, (options) => runCheck({ ...options, sources, ...on }));
    return { outcome, lackedRoom };
  }

  /** What kept it from being tried again says nothing more. */
  async #proveCutOff(first: CutOff, again: CutOff | null): Promise<boolean> {
    return (await this.#hindered(() => this.#cutOffs.prove(first, again))) ?? false;
  }

  async #hindered<T>(prove: () => Promise<T>): Promise<T | null> {
    return prove().catch((error: unknown) => {
      const isHindered = error instanceof BudgetExhausted || error instanceof CaseUnclear;
      if (!isHindered && !this.traffic.ending.isStopped) throw error;
      return null;
    });
  }

  /** The same check, with fewer generated cases if answers are slow; a full run takes its time. */
  #inTime(planned: Planned): Planned {
    const { check, cost } = planned;
    if (this.#plan.expectedMs > 0 || this.#run.settings.profile === 'full') return planned;
    const { typical } = this.#observations.observer.latencies;
    const cases = casesAt(typical, planned);
    if (cases === planned.cases) return planned;
    this.#tellFewer(typical, `${check.id} ${cases} of ${planned.cases}`);
    const less = { ...planned, cases, cost: check.cost(cases) };
    this.#planned -= cost.requests - less.cost.requests;
    return less;
  }

  #tellFewer(latencyMs: number, example: string): void {
    if (this.#hasToldFewer) return;
    this.#hasToldFewer = true;
    const slow = `Answers take about ${(latencyMs / 1000).toFixed(1)} s, so some properties run fewer generated cases than planned (${example}).`;
    const text = `${slow} Every rule is still tried, and result.json has the samples of each requirement; --profile full runs all cases.`;
    this.#notice(text);
  }

  /** Runs a check for its traffic only: its verdicts were not asked for. */
  async carry(planned: Planned, turn: Turn): Promise<void> {
    const run = (options: AttemptOptions) => attempt({ ...options, shrinkBudget: () => 0 });
    const { cutShort } = await this.#within(planned, turn, run);
    if (cutShort?.by === 'budget') this.#noteBudget(cutShort.reason);
  }

  /** Runs one stored case again, or the whole check for something that an oracle saw. */
  replay(planned: Planned, { whole, caseName: name, seed, path }: StoredCase): Promise<AttemptResult> {
    const again = whole ? {} : { replay: { name, seed, path } };
    return this.#within(planned, atOnce, (options) => attempt({ ...options, ...again }));
  }

  /** Reserves room for a check while it runs, and keeps track of what is still to be sent. */
  async #within<T>(planned: Planned, turn: Turn, run: (options: AttemptOptions) => Promise<T>): Promise<T> {
    const requests = requestsOfPool(planned);
    await this.#supply.ensure(requests);
    const keys = this.#run.target.keys.forCheck((key) => this.room.of(key));
    const booking = this.room.book(requests, keys.lead);
    const work = () => run(this.#attemptOptions(planned, { turn, keys, onSend: booking.use }));
    try {
      return await (holdsClock(planned) ? this.#lock.during(work) : work());
    } finally {
      booking.release();
      this.#planned -= planned.cost.requests;
    }
  }

  /** Reserves room for one more check, and as much again to confirm what fails; false where there is none, or only after a wait. */
  admit({ check, cases, cost }: Planned): boolean {
    if (this.traffic.allowance.requestsLeft <= 2 * cost.requests) return false;
    if (!this.room.has(requestsOfPool({ check, cases, cost }))) return false;
    this.#planned += cost.requests;
    return true;
  }

  #noteBudget(reason: string): void {
    this.traffic.ending.note('budget', reason);
  }

  #attemptOptions(planned: Planned, { turn, keys, onSend }: Underway): AttemptOptions {
    const { check, cases, cost } = planned;
    const { client, ending } = this.traffic;
    return {
      ...{ check, cases, signal: ending.signal },
      isExplained: (exchange) => this.#cutOffs.isExplained(exchange),
      fixtures: () => this.#fixtures(cost.requests),
      base: contextFor(
        this.#base,
        {
          keys,
          onState: (state) => this.#observations.trust.used(check.id, state),
          pass: (ms) =>
            holdsClock(planned)
              ? Promise.resolve(false)
              : turn.rest(() => this.room.passFor('callbacks', ms)),
        },
        { ...turn, rest: (wait) => turn.rest(() => this.#lock.during(wait)) },
      ),
      send: (request) => {
        onSend();
        return this.#send(request, check.id, this.#waits.pauseOf(turn, cost.requests));
      },
      burst: (requests) => client.burst(requests, check.id),
      hear: (of, ear) => this.#observations.observer.hear(of, ear),
      keptBy: (exchange) => this.#observations.observer.keptBy(exchange),
      seed: deriveSeed(this.#run.settings.seed, check.id),
      isMust: (requirement) => this.#observations.sources.catalogue.get(requirement).level === 'must',
      shrinkBudget: () => this.#shrinkBudget(),
    };
  }

  /** Where requests like this one are left alone since each is cut off, the last of them stands for it. */
  #send(request: ApiRequest, check: string, pause: Pause): Promise<Exchange> {
    const sent = this.traffic.client.send(request, check, pause);
    return sent.catch((error: unknown) => {
      const last = error instanceof LeftAlone ? this.#cutOffs.lastOf(request) : null;
      if (last === null) throw error;
      return last;
    });
  }

  #spare(): ReturnType<ContextBase['spare']> {
    const { limits, spent, requestsLeft } = this.traffic.allowance;
    const ms = this.#plan.budgets.maxDurationMs - (this.#run.clock.monotonic() - this.#begunAt);
    return { requests: requestsLeft - this.#planned, units: limits.maxQuota - spent.quota, ms };
  }

  /** What is planned for other checks is reserved for them. */
  #shrinkBudget(): number {
    const free = this.traffic.allowance.requestsLeft - this.#planned;
    return Math.max(0, Math.min(shrinkBudget.most, Math.floor(free * shrinkBudget.share)));
  }

  #createSupply(state: StateHandler): KeySupply {
    const { target, pacer, settings } = this.#run;
    return new KeySupply({
      keys: target.keys,
      state,
      adopt: (enterprise, values) => this.#observations.observer.secrets.adopt(enterprise, values),
      isTaken: (key) => isTaken(this.#run, this.traffic, key),
      room: (keys) => pacer.room(keys),
      shared: () => pacer.shared,
      perMinute: pacedLimits(settings).perMinute,
      tell: this.#notice,
    });
  }

  #createRoom(state: StateHandler): Room {
    const { target, pacer, settings } = this.#run;
    const { serverClock } = this.#observations.observer;
    return new Room({
      ...{ pacer, state, supply: this.#supply, lock: this.#lock, clock: this.#run.clock },
      signal: this.traffic.ending.signal,
      pool: () => target.keys.pool('primary'),
      isBoundToDay: () => settings.flights.length > 0,
      now: () => serverClock.now(),
      tell: this.#notice,
      onReplace: () => (this.#fixtures = this.#createFixtures(state, false)),
    });
  }

  #createFixtures(state: StateHandler, usesBook = this.#plan.usesBook): (requests: number) => Fixtures {
    const { target, settings } = this.#run;
    const book = usesBook ? this.#run.book : writeOnly(this.#run.book);
    const onReuse = (id: string) => this.traffic.ledger.know(id);
    const { allowance } = this.traffic;
    const { dialect, observer } = this.#observations;
    const roomOf = (key: ApiKey) => this.room.of(key);
    const canGrow = () => this.#supply.canGrow('primary');
    const { perMinute } = pacedLimits(settings);
    return createFixtures({
      ...{ settings, dialect, state, book, onReuse, identities: this.#base.identities },
      now: () => observer.serverClock.now(),
      spare: () => this.#spare().requests,
      inDoubt: this.#run.earlier?.inDoubt,
      keys: createSharedKeys({
        keys: target.keys,
        allowance,
        roomOf,
        canGrow,
        perMinute,
        clock: this.#run.clock,
      }),
      send: async (request: ApiRequest, purpose) => {
        const exchange = await this.#send(request, `fixture.${purpose}`, this.#waits.pauseOf(atOnce));
        await this.#hindered(() => this.#cutOffs.seeFixture(request, exchange));
        return exchange;
      },
    });
  }
}

/** A running check, its view of the keys, and who counts its requests. */
interface Underway {
  readonly turn: Turn;
  readonly keys: KeyRing;
  readonly onSend: () => void;
}

/** A check that runs alone waits for no turn. */
const atOnce: Turn = { rest: (wait) => wait(), pause: (wait) => wait() };
