import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  determineHitLimitReached,
  DryRunStatus,
  MutantRunStatus,
  TestStatus,
  type CompleteDryRunResult,
  type DryRunResult,
  type MutantRunOptions,
  type MutantRunResult,
  type TestResult,
  type TestRunner,
  type TestRunnerCapabilities,
} from '@stryker-mutator/api/test-runner';
import type { InstrumenterContext, MutantCoverage } from '@stryker-mutator/api/core';
import type * as catalogueModule from '../../src/catalogue/loadCatalogue.ts';
import type { EngineCheck } from '../../src/engine/suite.ts';
import type * as suitesModule from '../../src/engine/session/suites.ts';
import { freshUrl, installFreshCopies } from './freshCopies.ts';
import type * as judgeModule from './judgeVariants.ts';
import type { TrialResult } from './judgeVariants.ts';
import { untilIdle } from './idleness.ts';
import { placeInProject, Settled } from './settled.ts';
import { countingFiles } from './paths.ts';
import { noteUndecided } from './undecided.ts';

type Judge = typeof judgeModule;
type Catalogue = ReturnType<typeof catalogueModule.loadCatalogue>;

/** What the run without mutants showed of one deployment. */
interface Baseline {
  /** Rows that fail, warn or stay undecided without any mutant. */
  readonly broken: readonly string[];
  readonly undecided: readonly string[];
  /** How often the checks reach a mutant, by their indexes, by the id of the mutant. */
  readonly reach: Reach;
}

type Reach = Readonly<Record<string, Readonly<Record<number, number>>>>;

/** A test of its own, for mutants that end a run before it can judge anything, such as by refusing every key. */
const endTest = 'the run goes on to its end';

/**
 * The checks as tests of the reference, for Stryker: judges the instrumented reference in this process, with all modules
 * warm. A test is a must or a should of the catalogue, so that a killed mutant names the rows that its mistake breaks.
 */
export class ChecksRunner implements TestRunner {
  /** Stryker starts a runner in its copy of the project. */
  readonly #root = process.cwd();
  readonly #baselineFile = join(process.cwd(), 'baselines.json');
  #judge!: Judge;
  #catalogue!: Catalogue;
  #passive: readonly EngineCheck[] = [];
  #active: readonly EngineCheck[] = [];
  #fileOf = new Map<EngineCheck, string>();
  #baselines: readonly Baseline[] | null = null;
  readonly #settled = new Settled();

  capabilities(): TestRunnerCapabilities {
    return { reloadEnvironment: true };
  }

  async init(): Promise<void> {
    installFreshCopies();
    this.#judge = await this.#load('test/mutation/judgeVariants.ts');
    const catalogue = await this.#load<typeof catalogueModule>('src/catalogue/loadCatalogue.ts');
    this.#catalogue = catalogue.loadCatalogue();
    const suites = await this.#load<typeof suitesModule>('src/engine/session/suites.ts');
    const checks = await suites.readSuites();
    this.#passive = checks.filter(({ kind }) => kind === 'passive');
    this.#active = checks.filter(({ kind }) => kind !== 'passive');
    for (const file of await suites.suiteFiles()) {
      const { default: suite } = (await import(pathToFileURL(file).href)) as {
        readonly default: { readonly checks: readonly EngineCheck[] };
      };
      for (const check of suite.checks) this.#fileOf.set(check, file);
    }
  }

  /** Judges every deployment check by check: which mutants a check reaches, and that nothing fails without one. */
  async dryRun(): Promise<DryRunResult> {
    const startedAt = performance.now();
    const whole: TrialResult[] = [];
    const baselines: Baseline[] = [];
    for (const [index, variant] of this.#judge.variants.entries()) {
      const reach = await this.#measureReach(index);
      const result = await this.#judge.judgeVariant({
        variant,
        checks: [...this.#passive, ...this.#active],
        ignored: new Set(),
        bail: false,
        maxRequests: affordable.all,
      });
      whole.push(result);
      baselines.push({
        broken: result.broken.map(([{ id }]) => id),
        undecided: result.undecided.map(([{ id }]) => id),
        reach,
      });
    }
    await writeFile(this.#baselineFile, JSON.stringify(baselines));
    return this.#asDryRun(baselines, whole, performance.now() - startedAt);
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    const place = await placeInProject(options.activeMutant);
    if (this.#settled.has(place)) return { status: MutantRunStatus.Survived, nrOfTests: 0 };
    this.#baselines ??= JSON.parse(await readFile(this.#baselineFile, 'utf8')) as readonly Baseline[];
    stryker.activeMutant = options.activeMutant.id;
    stryker.hitCount = 0;
    if (options.hitLimit !== undefined) stryker.hitLimit = options.hitLimit;
    const over = new AbortController();
    try {
      const isFresh = options.mutantActivation === 'static' || (await remembers(options.sandboxFileName));
      const judge = isFresh ? await this.#load<Judge>('test/mutation/judgeVariants.ts', true) : this.#judge;
      const result = await Promise.race([
        this.#tryVariants(options, judge, this.#baselines),
        untilIdle(over.signal),
      ]);
      if (result === 'idle') return { status: MutantRunStatus.Timeout, reason: 'the run hangs' };
      if (result.status === MutantRunStatus.Survived) await this.#settled.note(place);
      return result;
    } catch (error) {
      return { status: MutantRunStatus.Error, errorMessage: String(error) };
    } finally {
      over.abort();
      stryker.activeMutant = undefined;
      stryker.hitLimit = undefined;
    }
  }

  async #tryVariants(
    options: MutantRunOptions,
    judge: Judge,
    baselines: readonly Baseline[],
  ): Promise<MutantRunResult> {
    const undecided = new Set<string>();
    let nrOfTests = 0;
    for (const [index, baseline] of baselines.entries()) {
      const checks = this.#checksFor(options, baseline);
      if (checks.length === 0) continue;
      nrOfTests += checks.length;
      const result = await judge.judgeVariant({
        variant: judge.variants[index] ?? '',
        checks: [...this.#passive, ...checks],
        ignored: new Set(baseline.broken),
        bail: !options.disableBail,
        maxRequests: countsRequests(options.activeMutant.fileName) ? affordable.all : affordable.most,
      });
      const timeout = determineHitLimitReached(stryker.hitCount, options.hitLimit);
      if (timeout) return { ...timeout, status: MutantRunStatus.Timeout };
      const killed = killedBy(result, judge.variants[index] ?? '', nrOfTests);
      if (killed) return killed;
      for (const [row] of result.undecided) if (!baseline.undecided.includes(row.id)) undecided.add(row.id);
    }
    await noteUndecided(options.activeMutant, [...undecided]);
    return { status: MutantRunStatus.Survived, nrOfTests };
  }

  /**
   * The checks that reach a mutant; all of them for a mutant in code that runs when it is loaded.
   */
  #checksFor(
    { mutantActivation, activeMutant: { id, fileName } }: MutantRunOptions,
    { reach }: Baseline,
  ): readonly EngineCheck[] {
    // They send thousands of requests, which only what counts them needs.
    const chosen = this.#active.filter(
      (check) => !check.id.startsWith('shared.limits.') || countsRequests(fileName),
    );
    if (mutantActivation === 'static') return chosen;
    return chosen.filter((check) => reach[id]?.[this.#active.indexOf(check)] !== undefined);
  }

  /** Each check alone, so that it pays for its fixtures itself and reaches all that it depends on. */
  async #measureReach(variant: number): Promise<Reach> {
    const reach: Record<string, Record<number, number>> = {};
    for (const [index, check] of this.#active.entries()) {
      const testId = `${variant}/${check.id}`;
      stryker.currentTestId = testId;
      await this.#judge.judgeVariant({
        variant: this.#judge.variants[variant] ?? '',
        checks: [...this.#passive, check],
        ignored: new Set(),
        bail: false,
        maxRequests: affordable.all,
      });
      for (const [mutant, count] of Object.entries(stryker.mutantCoverage?.perTest[testId] ?? {}))
        (reach[mutant] ??= {})[index] = count;
    }
    return reach;
  }

  #asDryRun(
    baselines: readonly Baseline[],
    [documented]: readonly TrialResult[],
    milliseconds: number,
  ): CompleteDryRunResult {
    const rows = this.#rows();
    const timeSpentMs = milliseconds / rows.length;
    const tests = rows.map(({ id, title, checks }): TestResult => {
      const file = checks.map((check) => this.#fileOf.get(check)).find((name) => name !== undefined);
      const failed = documented?.broken.find(([row]) => row.id === id);
      const test = {
        id,
        name: `${id} ${title}`,
        timeSpentMs,
        ...(file === undefined ? {} : { fileName: file }),
      };
      return failed
        ? { ...test, status: TestStatus.Failed, failureMessage: failed[1].reason ?? '' }
        : { ...test, status: TestStatus.Success };
    });
    const end: TestResult = { id: endTest, name: endTest, timeSpentMs: 0, status: TestStatus.Success };
    const mutantCoverage = this.#coverage(baselines);
    return { status: DryRunStatus.Complete, tests: [end, ...tests], mutantCoverage };
  }

  /** By row: what the checks reach that verify it. What only oracles judge stands under the test for all. */
  #coverage(baselines: readonly Baseline[]): MutantCoverage {
    const hits: Record<string, number> = {};
    for (const counts of Object.values(stryker.mutantCoverage?.perTest ?? {}))
      for (const [mutant, count] of Object.entries(counts)) hits[mutant] = (hits[mutant] ?? 0) + count;
    const perTest: MutantCoverage['perTest'] = { [endTest]: hits };
    for (const { id, checks } of this.#rows()) {
      const indexes = checks.map((check) => this.#active.indexOf(check));
      const isReached = (mutant: string) =>
        baselines.some(({ reach }) => indexes.some((index) => reach[mutant]?.[index] !== undefined));
      const reached = Object.keys(hits).filter(isReached);
      perTest[id] = Object.fromEntries(reached.map((mutant) => [mutant, 1]));
    }
    return { static: stryker.mutantCoverage?.static ?? {}, perTest };
  }

  /** The musts and shoulds that some check or oracle verifies, with their checks. */
  #rows(): readonly { id: string; title: string; checks: readonly EngineCheck[] }[] {
    const verified = new Set([...this.#active, ...this.#passive].flatMap(({ verifies }) => verifies));
    return this.#catalogue.requirements
      .filter(({ id }) => this.#judge.isJudged(id) && verified.has(id))
      .map(({ id, title }) => ({
        id,
        title,
        checks: this.#active.filter(({ verifies }) => verifies.includes(id)),
      }));
  }

  async #load<T>(path: string, fresh = false): Promise<T> {
    const { href } = pathToFileURL(join(this.#root, path));
    return (await import(fresh ? freshUrl(href) : href)) as T;
  }
}

/** Requests for one deployment, so that tables are sent whole: without the checks of the limits, and with them. */
const affordable = { most: 4000, all: 7000 } as const;

function countsRequests(file: string): boolean {
  return countingFiles.some((name) => file.endsWith(`/reference/${name}`));
}

/** Whether a module keeps what it computed from one run to the next, which would hide its mutants. */
async function remembers(file: string): Promise<boolean> {
  return /^(const \w+ = new (Weak)?Map|let )/m.test(await readFile(file, 'utf8'));
}

function killedBy(
  { broken, stopped }: TrialResult,
  variant: string,
  nrOfTests: number,
): MutantRunResult | null {
  const [first] = broken;
  const status = MutantRunStatus.Killed;
  if (first) {
    const [row, { reason }] = first;
    const failureMessage = `${row.id} (${variant}): ${reason ?? ''}`;
    return { status, killedBy: broken.map(([{ id }]) => id), failureMessage, nrOfTests };
  }
  // A run that is given up is no approval either: the command line ends with another code than 0.
  if (stopped === null) return null;
  return { status, killedBy: [endTest], failureMessage: `(${variant}) ${stopped}`, nrOfTests };
}

/** Where instrumented code finds the active mutant and counts what it reaches. */
const stryker = ((globalThis as { __stryker__?: Context }).__stryker__ ??= {});

type Context = { -readonly [K in keyof InstrumenterContext]?: InstrumenterContext[K] | undefined };
