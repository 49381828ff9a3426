import fc from 'fast-check';
import { isDelivery, type Evidence, type Exchange } from '../core/evidence.ts';
import { deriveSeed } from '../core/random.ts';
import type { Violation } from '../judge/kernel/sample.ts';
import { BudgetExhausted } from '../send/allowance.ts';
import { primaryKey, subscribe, type ApiRequest } from '../send/request.ts';
import { StateHandlerError } from '../target/stateHandler.ts';
import type { CheckContext, Judgements, Named } from './context.ts';
import { recordOf, type Fixtures } from './fixtures.ts';
import { isOfBook } from './recordBook.ts';
import { CaseUnclear, CaseViolated, CheckSkipped } from './signals.ts';
import type { EngineCheck } from './suite.ts';

/** A case that broke a rule, whole enough to be run again. */
export interface FailedCase {
  /** Name of the row or property; empty for what stands outside of both. */
  readonly name: string;
  readonly violations: readonly Violation[];
  /** The generated value after shrinking, and where fast-check finds it again. */
  readonly generated: {
    readonly value: unknown;
    readonly seed: number;
    readonly path: string;
    readonly text: string;
  } | null;
  /** Ids of all exchanges of the case, in order. */
  readonly exchanges: readonly Exchange[];
}

/** Of a case that stayed undecided, so many exchanges are named: what decided stands at its end. */
const shownOfUnclear = 6;

type Failure = Omit<FailedCase, 'name' | 'generated'>;

/** What one run through a check established. */
export interface AttemptResult {
  readonly samples: ReadonlyMap<string, number>;
  readonly failed: readonly FailedCase[];
  /** Requirements whose condition the deployment did not bring about on some occasion. */
  readonly notApplicable: ReadonlySet<string>;
  readonly unclear: readonly UnclearCase[];
  readonly skipped: string | null;
  /** Names of the cases that came through and broke no rule. */
  readonly held: ReadonlySet<string>;
  /** What ended it before its end: a hard budget, or the end of the run. */
  readonly cutShort: CutShort | null;
  readonly requests: number;
  /** What was sent in the case that was to be replayed. */
  readonly replayed: readonly Exchange[];
}

/** A case that stayed undecided. */
export interface UnclearCase {
  readonly cause: string;
  readonly requirements: readonly string[];
  /** Ids of its last exchanges. */
  readonly evidence: readonly string[];
}

interface CutShort {
  /** `unplanned`: a budget is used up by what may have cost nothing, so that what is left is left out. */
  readonly by: 'budget' | 'unplanned' | 'stop';
  readonly reason: string;
}

/** Everything of a context that does not depend on the attempt. */
export type ContextBase = Omit<
  CheckContext,
  'send' | 'burst' | 'judge' | 'assume' | 'skip' | 'each' | 'forAll' | 'cases' | 'fixtures' | 'isSparing'
>;

export interface AttemptOptions {
  readonly check: EngineCheck;
  /** The records that checks share, as one check sees them. */
  readonly fixtures: () => Fixtures;
  readonly base: ContextBase;
  readonly send: (request: ApiRequest) => Promise<Exchange>;
  readonly burst: (requests: readonly ApiRequest[]) => Promise<readonly Exchange[]>;
  readonly seed: number;
  readonly cases: number;
  /** Run only these cases again (with their generated value): a failure that is to be confirmed. */
  readonly only?: readonly FailedCase[];
  /** Run only this case, with the value that fast-check finds again at the path. */
  readonly replay?: { readonly name: string; readonly seed: number; readonly path: string | null };
  /** Requests that shrinking a failure may cost, asked for when it has shown. */
  readonly shrinkBudget: () => number;
  readonly signal: AbortSignal;
}

/** Runs a check once. Never rejects: a fault of the harness leaves the case undecided. */
export async function attempt(options: AttemptOptions): Promise<AttemptResult> {
  const run = new Attempt(options);
  await run.run();
  return run.result();
}

class Attempt {
  readonly #options: AttemptOptions;
  readonly #samples = new Map<string, number>();
  readonly #failed: FailedCase[] = [];
  readonly #unclear: UnclearCase[] = [];
  readonly #notApplicable = new Set<string>();
  readonly #held = new Set<string>();
  #skipped: string | null = null;
  #cutShort: CutShort | null = null;
  #exchanges: Exchange[] = [];
  #pending: string[] = [];
  #requests = 0;
  #replayed: readonly Exchange[] = [];

  constructor(options: AttemptOptions) {
    this.#options = options;
  }

  result(): AttemptResult {
    return {
      samples: this.#samples,
      failed: this.#failed,
      notApplicable: this.#notApplicable,
      unclear: this.#unclear,
      skipped: this.#skipped,
      held: this.#held,
      cutShort: this.#cutShort,
      requests: this.#requests,
      replayed: this.#replayed,
    };
  }

  async run(): Promise<void> {
    try {
      const rest = await this.#case('', () => this.#options.check.run(this.#context()));
      if (rest) this.#failed.push({ name: '', generated: null, ...rest });
    } catch (error) {
      if (error instanceof CheckSkipped || isUngranted(error)) this.#skipped = error.message;
      else this.#cutShort = cutShortBy(error, this.#options.signal);
    }
  }

  #context(): CheckContext {
    return Object.assign(Object.create(this.#options.base) as ContextBase, {
      cases: this.#options.cases,
      isSparing: this.#options.cases === 1,
      fixtures: this.#fixtures(),
      send: (request: ApiRequest) => this.#send(request),
      burst: (requests: readonly ApiRequest[]) => this.#burst(requests),
      judge: (evidence: Evidence | readonly Evidence[], judgements: Judgements) =>
        this.#judge(evidence, judgements),
      assume: (condition: boolean, cause: string) => {
        if (!condition) throw new CaseUnclear(cause);
      },
      skip: (reason: string): never => {
        throw new CheckSkipped(reason);
      },
      each: <T extends Named>(rows: readonly T[], run: (row: T) => Promise<void>) => this.#each(rows, run),
      forAll: <T>(
        name: string,
        arbitrary: fc.Arbitrary<T>,
        run: (value: T) => Promise<void>,
        options?: { readonly cases?: number },
      ) => this.#forAll(name, arbitrary, run, options?.cases ?? this.#options.cases),
    });
  }

  /** A record that a case makes for itself belongs to the case: it is planned, stored and sent again with it. */
  #fixtures(): Fixtures {
    const fixtures = this.#options.fixtures();
    return {
      ...fixtures,
      subscribed: async (given, key = primaryKey) => {
        const body = given ?? (await fixtures.booking());
        return recordOf(body, await this.#send(subscribe(body, { key })));
      },
    };
  }

  async #send(request: ApiRequest): Promise<Exchange> {
    this.#requests += 1;
    const exchange = await this.#options.send(request);
    this.#exchanges.push(exchange);
    return exchange;
  }

  async #burst(requests: readonly ApiRequest[]): Promise<readonly Exchange[]> {
    this.#requests += requests.length;
    const exchanges = await this.#options.burst(requests);
    this.#exchanges.push(...exchanges);
    return exchanges;
  }

  #judge(given: Evidence | readonly Evidence[], judgements: Judgements): void {
    const evidence = (Array.isArray(given) ? given : [given]) as readonly Evidence[];
    // What was answered to an earlier run says nothing of the deployment as it is now.
    if (evidence.length > 0 && evidence.every((one) => !isDelivery(one) && isOfBook(one)))
      throw new CheckSkipped(
        'a record of an earlier run stands in for a new one: --fresh, with a larger --max-quota, makes one',
      );
    const violations: Violation[] = [];
    let unclear: CaseUnclear | null = null;
    for (const [requirement, judgement] of Object.entries(judgements)) {
      this.#mayJudge(requirement);
      if (judgement.status === 'unclear') unclear ??= new CaseUnclear(judgement.cause, [requirement]);
      else if (judgement.status === 'not-applicable') this.#notApplicable.add(requirement);
      else this.#pending.push(requirement);
      if (judgement.status === 'violated') violations.push({ requirement, judgement, evidence });
    }
    if (violations.length > 0) throw new CaseViolated(violations);
    if (unclear) throw unclear;
  }

  #mayJudge(requirement: string): void {
    if (this.#options.check.verifies.includes(requirement)) return;
    throw new Error(`${this.#options.check.id} judges ${requirement}, which it does not claim to verify`);
  }

  async #each<T extends Named>(rows: readonly T[], run: (row: T) => Promise<void>): Promise<void> {
    const { only, replay } = this.#options;
    const wanted = replay ? [replay.name] : only?.map((failed) => failed.name);
    const outer = this.#open();
    for (const row of rows) {
      const name = typeof row === 'string' ? row : row.name;
      if (wanted && !wanted.includes(name)) continue;
      const failure = await this.#case(name, () => run(row));
      if (failure) this.#failed.push({ name, generated: null, ...failure });
    }
    this.#exchanges = outer;
  }

  async #forAll<T>(
    name: string,
    arbitrary: fc.Arbitrary<T>,
    run: (value: T) => Promise<void>,
    cases: number,
  ): Promise<void> {
    const outer = this.#open();
    const { only: again, replay } = this.#options;
    if (replay) {
      const found = { numRuns: 1, seed: replay.seed, path: replay.path ?? '', endOnFailure: true };
      if (replay.name === name && replay.path !== null) await this.#generate(name, arbitrary, run, found);
    } else if (again) {
      for (const failed of again.filter((one) => one.name === name && one.generated)) {
        const failure = await this.#case(name, () => run(failed.generated?.value as T));
        if (failure) this.#failed.push({ ...failed, ...failure });
      }
    } else {
      await this.#generate(name, arbitrary, run, {
        numRuns: cases,
        seed: deriveSeed(this.#options.seed, name),
      });
    }
    this.#exchanges = outer;
  }

  async #generate<T>(
    name: string,
    arbitrary: fc.Arbitrary<T>,
    run: (value: T) => Promise<void>,
    parameters: fc.Parameters<[T]> & { readonly seed: number },
  ): Promise<void> {
    let smallest: Failure | null = null;
    let stopped: Error | null = null;
    let lastRequest = Number.POSITIVE_INFINITY;
    const predicate = async (value: T): Promise<boolean> => {
      if (stopped !== null || this.#requests >= lastRequest) return true;
      try {
        const failure = await this.#case(name, () => run(value), smallest !== null);
        if (!failure || !isSmallerFormOf(failure, smallest)) return true;
        if (!smallest) lastRequest = this.#requests + this.#options.shrinkBudget();
        smallest = failure;
        return false;
      } catch (error) {
        // An interrupt, a budget or a fault of the harness is no counterexample, and ends the property.
        stopped = error instanceof Error ? error : new Error(String(error));
        return true;
      }
    };
    const { seed } = parameters;
    const details = await fc.check(fc.asyncProperty(arbitrary, predicate), parameters);
    const found = smallest as Failure | null;
    if (found && details.counterexample) {
      const [value] = details.counterexample;
      const path = details.counterexamplePath;
      this.#failed.push({ name, generated: { value, seed, path, text: fc.stringify(value) }, ...found });
    }
    const reason = stopped as Error | null;
    if (reason !== null) throw reason;
  }

  /** Runs one case; returns what it broke. Samples count only where the case came through. */
  async #case(name: string, run: () => Promise<void>, shrinking = false): Promise<Failure | null> {
    this.#exchanges = [];
    this.#pending = [];
    try {
      await run();
      if (!shrinking) this.#count();
      this.#held.add(name);
      return null;
    } catch (error) {
      if (!shrinking) this.#count();
      if (error instanceof CaseViolated) return { violations: error.violations, exchanges: this.#exchanges };
      const unclear = unclearOf(error, this.#options.signal);
      if (!unclear) throw error;
      const evidence = this.#exchanges.slice(-shownOfUnclear).map(({ id }) => id);
      if (!shrinking) this.#unclear.push({ ...unclear, evidence });
      return null;
    } finally {
      if (this.#options.replay?.name === name) this.#replayed = this.#exchanges;
    }
  }

  #count(): void {
    for (const requirement of this.#pending.splice(0)) {
      this.#samples.set(requirement, (this.#samples.get(requirement) ?? 0) + 1);
    }
  }

  /** What was judged before a table or property counts by itself. */
  #open(): Exchange[] {
    this.#count();
    return this.#exchanges;
  }
}

/** Shrinking keeps to the rules that the first failure broke, so that a small finding is one about the same thing. */
function isSmallerFormOf(failure: Failure, earlier: Failure | null): boolean {
  const broken = earlier?.violations.map(({ requirement }) => requirement);
  return broken === undefined || failure.violations.some(({ requirement }) => broken.includes(requirement));
}

function isUngranted(error: unknown): error is BudgetExhausted {
  return error instanceof BudgetExhausted && error.isUngranted;
}

/** Rethrows what is neither a budget nor the end of the run. */
function cutShortBy(error: unknown, signal: AbortSignal): CutShort {
  if (error instanceof BudgetExhausted)
    return { by: error.isUnplanned ? 'unplanned' : 'budget', reason: error.message };
  if (!signal.aborted) throw error;
  const reason: unknown = signal.reason;
  return { by: 'stop', reason: reason instanceof Error ? reason.message : 'the run was stopped' };
}

/** What leaves a case undecided; null for what ends the check: a skip, an exhausted budget, an interrupt. */
function unclearOf(error: unknown, signal: AbortSignal): Omit<UnclearCase, 'evidence'> | null {
  if (signal.aborted) return null;
  if (error instanceof CaseUnclear) return { cause: error.message, requirements: error.requirements };
  if (error instanceof StateHandlerError) return { cause: error.message, requirements: [] };
  if (error instanceof CheckSkipped || error instanceof BudgetExhausted) return null;
  // A fault of ours never becomes a verdict about the deployment.
  const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { cause: `a fault of Gatecheck: ${cause.split('\n').slice(0, 3).join(' ')}`, requirements: [] };
}
