import type * as fc from 'fast-check';
import { isDelivery, type Evidence, type Exchange } from '../../core/evidence.ts';
import { deriveSeed } from '../../core/random.ts';
import { describeResponse } from '../../judge/kernel/answer.ts';
import type { Violation } from '../../judge/kernel/sample.ts';
import { primaryKey, subscribe, type ApiRequest } from '../../send/request.ts';
import { shownBy } from '../findings/decisive.ts';
import { CallbackWaits, type Callbacks } from '../observe/callbacks.ts';
import type { AttemptResult, CutShort, FailedCase, UnclearCase } from './attemptResult.ts';
import type { CheckContext, ContextBase, Judgements, Named } from './context.ts';
import { recordOf, type Fixtures } from '../fixtures/fixtures.ts';
import { PropertyBounds, searchSmallest, type Failure, type Generation } from './searchSmallest.ts';
import { Hearing } from './hearing.ts';
import type { Ear } from '../observe/observer.ts';
import { isOfBook } from '../observe/recordBook.ts';
import { CaseUnclear, CaseViolated, CheckSkipped, cutShortBy, isUngranted, unclearOf } from './signals.ts';
import { earlierRecordUsed } from '../findings/skipReasons.ts';
import type { EngineCheck } from '../suite.ts';

/** How many exchanges are named for an undecided case: what decided it is at its end. */
const shownOfUnclear = 6;

const cutOffEachTime = 'requests like this one are cut off each time, which is a finding of its own';

export interface AttemptOptions {
  readonly check: EngineCheck;
  /** The records that checks share, as one check sees them. */
  readonly fixtures: () => Fixtures;
  readonly base: ContextBase;
  readonly send: (request: ApiRequest) => Promise<Exchange>;
  readonly burst: (requests: readonly ApiRequest[]) => Promise<readonly Exchange[]>;
  /** Tells what the oracles say about this check's exchanges, or about deliveries to a registration, until it is given null. */
  readonly hear?: (of: string, ear: Ear | null) => unknown;
  /** The requirements that the making of a fixture was seen to keep. */
  readonly keptBy?: (exchange: Exchange) => readonly string[];
  readonly seed: number;
  readonly cases: number;
  /** Runs only these cases again (with their generated value), to confirm failures. */
  readonly only?: readonly FailedCase[];
  /** Runs only this case, with the value that fast-check finds again at the path. */
  readonly replay?: { readonly name: string; readonly seed: number; readonly path: string | null };
  /** Whether a requirement is a must: breaking anything less does not end a case. */
  readonly isMust: (requirement: string) => boolean;
  /** Most requests for shrinking a failure; called once one has shown. */
  readonly shrinkBudget: () => number;
  /** Whether a finding says all that an exchange without an answer shows. */
  readonly isExplained?: (exchange: Exchange) => boolean;
  readonly signal: AbortSignal;
}

/** Runs a check once. Never rejects: an error of the harness leaves the case undecided. */
export async function attempt(options: AttemptOptions): Promise<AttemptResult> {
  const run = new Attempt(options);
  await run.run();
  return run.result();
}

class Attempt {
  readonly #options: AttemptOptions;
  readonly #samples = new Map<string, number>();
  readonly #notes = new Map<string, string>();
  readonly #failed: FailedCase[] = [];
  readonly #unclear: UnclearCase[] = [];
  readonly #notApplicable = new Set<string>();
  readonly #held = new Set<string>();
  #skipped: string | null = null;
  #cutShort: CutShort | null = null;
  #exchanges: Exchange[] = [];
  #pending: string[] = [];
  /** Broken requirements of the current case that are not musts: the musts after them are still judged. */
  #lesser: Violation[] = [];
  #requests = 0;
  #replayed: readonly Exchange[] = [];
  readonly #waits: CallbackWaits;
  readonly #hearing: Hearing;

  constructor(options: AttemptOptions) {
    const { check, hear = () => undefined, keptBy = () => [] } = options;
    this.#options = options;
    this.#hearing = new Hearing({ check, hear, keptBy });
    this.#waits = new CallbackWaits(() => options.base.monotonic());
  }

  result(): AttemptResult {
    return {
      samples: this.#samples,
      notes: this.#notes,
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
    } finally {
      this.#hearing.end();
    }
  }

  #context(): CheckContext {
    return Object.assign(Object.create(this.#options.base) as ContextBase, {
      cases: this.#options.cases,
      isSparing: this.#options.cases === 1,
      isRepeat: this.#options.only !== undefined,
      fixtures: this.#fixtures(),
      callbacks: this.#heard(this.#waits.of(this.#options.base.callbacks)),
      send: (request: ApiRequest) => this.#send(request),
      burst: (requests: readonly ApiRequest[]) => this.#burst(requests),
      judge: (evidence: Evidence | readonly Evidence[], judgements: Judgements) =>
        this.#judge(evidence, judgements),
      assume: (condition: boolean, cause: string) => {
        if (!condition) throw new CaseUnclear(lossIn(this.#exchanges.slice(-1)) ?? cause);
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

  /** The same callbacks; what the oracles say of deliveries to an address is heard. */
  #heard(callbacks: Callbacks): Callbacks {
    return {
      ...callbacks,
      open: (...given) => {
        const address = callbacks.open(...given);
        this.#hearing.listen(address.mailbox.token);
        return address;
      },
    };
  }

  /**
   * A record that a case makes for itself is part of the case: it is planned, stored and sent again with it. Of one that checks share,
   * each is told what its making kept.
   */
  #fixtures(): Fixtures {
    const fixtures = this.#options.fixtures();
    const hearing = this.#hearing;
    return {
      ...fixtures,
      itineraryRecord: (kind) => hearing.recalled(fixtures.itineraryRecord(kind)),
      completeRecord: () => hearing.recalled(fixtures.completeRecord()),
      freshRecord: () => hearing.recalled(fixtures.freshRecord()),
      incompleteRecord: () => hearing.recalled(fixtures.incompleteRecord()),
      otherRecord: () => hearing.recalled(fixtures.otherRecord()),
      subscribed: async (given, key = primaryKey) => {
        const body = given ?? (await fixtures.booking());
        return recordOf(body, await this.#send(subscribe(body, { key })));
      },
    };
  }

  async #send(request: ApiRequest): Promise<Exchange> {
    const { key } = request;
    // Without a key it would be refused for that.
    if (key.kind === 'pool' && key.enterprise === 'other' && this.#options.base.keys.other.length === 0)
      throw new CheckSkipped('the run has no key of another enterprise');
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
    // What an earlier run was answered says nothing about the deployment now.
    if (evidence.length > 0 && evidence.every((one) => !isDelivery(one) && isOfBook(one)))
      throw new CheckSkipped(earlierRecordUsed);
    if (this.#isExplained(evidence)) {
      this.#leaveOpen(Object.keys(judgements));
      return;
    }
    const violations: Violation[] = [];
    let unclear: CaseUnclear | null = null;
    for (const [requirement, judgement] of Object.entries(judgements)) {
      this.#mayJudge(requirement);
      if (judgement.status === 'unclear')
        unclear ??= new CaseUnclear(lossIn(evidence) ?? judgement.cause, [requirement]);
      else if (judgement.status === 'not-applicable') this.#notApplicable.add(requirement);
      else this.#pending.push(requirement);
      if (judgement.status === 'holds' && judgement.note) this.#notes.set(requirement, judgement.note);
      if (judgement.status === 'violated')
        violations.push({ requirement, judgement, evidence: shownBy(judgement) ?? evidence });
    }
    this.#break(violations);
    if (unclear) throw unclear;
  }

  #isExplained(evidence: readonly Evidence[]): boolean {
    const { isExplained = () => false } = this.#options;
    return evidence.some((one) => !isDelivery(one) && isExplained(one));
  }

  /** An answer that never comes decides nothing, and is no reason to judge nothing after it. */
  #leaveOpen(requirements: readonly string[]): void {
    const evidence = this.#exchanges.slice(-shownOfUnclear).map(({ id }) => id);
    this.#unclear.push({ cause: cutOffEachTime, requirements, evidence });
  }

  #break(violations: readonly Violation[]): void {
    const musts = this.#musts(violations);
    if (musts.length > 0) throw new CaseViolated([...musts, ...this.#lesser]);
  }

  /** The broken musts; anything less is kept until the case ends. */
  #musts(violations: readonly Violation[]): readonly Violation[] {
    const { isMust } = this.#options;
    const known = new Set(this.#lesser.map(({ requirement }) => requirement));
    this.#lesser.push(
      ...violations.filter(({ requirement }) => !isMust(requirement) && !known.has(requirement)),
    );
    return violations.filter(({ requirement }) => isMust(requirement));
  }

  /** Counts what the oracles said of the case; returns what it broke, together with what the check itself found. */
  #heed(found: readonly Violation[] = []): Failure | null {
    const { judged, notApplicable, violations } = this.#hearing.take();
    this.#pending.push(...judged);
    for (const requirement of notApplicable) this.#notApplicable.add(requirement);
    const known = new Set(found.map(({ requirement }) => requirement));
    const musts = this.#musts(violations.filter(({ requirement }) => !known.has(requirement)));
    const all = [...found, ...musts, ...this.#lesser.filter(({ requirement }) => !known.has(requirement))];
    return all.length === 0 ? null : { violations: all, exchanges: this.#exchanges };
  }

  #mayJudge(requirement: string): void {
    if (this.#options.check.verifies.includes(requirement)) return;
    throw new Error(`${this.#options.check.id} judges ${requirement}, which it does not claim to verify`);
  }

  async #each<T extends Named>(rows: readonly T[], run: (row: T) => Promise<void>): Promise<void> {
    const { only, replay } = this.#options;
    const named = replay ? [replay.name] : only?.map((failed) => failed.name);
    // What the check judges outside of its rows may depend on any of them.
    const wanted = named?.includes('') ? undefined : named;
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
    parameters: Generation<T>,
  ): Promise<void> {
    const bounds = this.#bounds();
    const { failed, stopped } = await searchSmallest({
      ...{ arbitrary, parameters, bounds },
      runCase: (value, isShrinking) => this.#case(name, () => run(value), isShrinking),
    });
    const leftOut = failed ? null : bounds.leftOut();
    if (leftOut !== null) this.#options.base.tell(`${this.#options.check.id} ${leftOut}`);
    if (failed) this.#failed.push({ name, ...failed });
    if (stopped) throw stopped;
  }

  #bounds(): PropertyBounds {
    const { check, shrinkBudget } = this.#options;
    const { minCases } = check.cases;
    return new PropertyBounds({ requests: () => this.#requests, waits: this.#waits, minCases, shrinkBudget });
  }

  /** Runs one case; returns what it broke. Samples count only if the case was completed. */
  async #case(name: string, run: () => Promise<void>, shrinking = false): Promise<Failure | null> {
    const outer = this.#lesser;
    this.#exchanges = [];
    this.#pending = [];
    this.#lesser = [];
    try {
      await run();
      const failure = this.#heed();
      if (!shrinking) this.#count();
      return failure ?? this.#holds(name);
    } catch (error) {
      const failure = this.#heed(error instanceof CaseViolated ? error.violations : []);
      if (!shrinking) this.#count();
      if (error instanceof CaseViolated) return failure;
      const unclear = unclearOf(error, this.#options.signal);
      if (!unclear) {
        // Ending the check does not withdraw what its last case had broken.
        if (failure !== null && !shrinking) this.#failed.push({ name, generated: null, ...failure });
        throw error;
      }
      const evidence = this.#exchanges.slice(-shownOfUnclear).map(({ id }) => id);
      if (!shrinking) this.#unclear.push({ ...unclear, evidence });
      return failure;
    } finally {
      this.#lesser = outer;
      if (this.#options.replay?.name === name) this.#replayed = this.#exchanges;
    }
  }

  #holds(name: string): null {
    this.#held.add(name);
    return null;
  }

  #count(): void {
    for (const requirement of this.#pending.splice(0)) {
      this.#samples.set(requirement, (this.#samples.get(requirement) ?? 0) + 1);
    }
  }

  /** What was judged before a table or property counts separately. */
  #open(): Exchange[] {
    const failure = this.#heed();
    if (failure) this.#failed.push({ name: '', generated: null, ...failure });
    this.#lesser = [];
    this.#count();
    return this.#exchanges;
  }
}

/** What a lost answer would have shown is no reason: that it was lost is. */
function lossIn(evidence: readonly Evidence[]): string | null {
  const lost = evidence.find((one) => !isDelivery(one) && one.outcome.kind === 'failure');
  return lost && !isDelivery(lost) ? `no response to ${lost.id}: ${describeResponse(lost)}` : null;
}
