import { loadCatalogue } from '../../../catalogue/loadCatalogue.ts';
import type { CatalogueRow, Level } from '../../../catalogue/row.ts';
import type { Clock } from '../../../core/clock.ts';
import { lastLook } from '../../../engine/order.ts';
import type { EngineCheck } from '../../../engine/suite.ts';
import type { Verdict } from '../../../judge/kernel/verdict.ts';
import { isBroken, severityOf } from '../../../judge/kernel/weight.ts';
import { interferenceOf } from '../../../wire/mutants.ts';
import type { Mutant } from '../../../wire/mutants/place.ts';
import type { Setup } from '../../../wire/stage.ts';
import type { Wire } from '../../../wire/wire.ts';
import type { Watching } from '../firstFinding.ts';
import type { Judged } from '../judgeOpen.ts';

/**
 * The outcome of a mutant. `noticed`: a must failed or a should warned. `warned`: a must was broken, but not again when it was
 * repeated, so a release passes. `undecided`: nothing failed, but a must could no longer be judged, so nobody approves it.
 * `stopped`: the run was aborted. `idle`: it changed nothing in the end. `late`: the run did not end in time.
 */
export type MutantStatus =
  'noticed' | 'warned' | 'undecided' | 'stopped' | 'missed' | 'idle' | 'late' | 'fault';

export interface MutantResult {
  readonly job: string;
  readonly status: MutantStatus;
  /** The row that noticed it, or those that only warned or are undecided. */
  readonly rows: readonly string[];
  readonly reason: string;
  /** How severely the row was broken; null if none was. */
  readonly severity: 'fail' | 'warn' | null;
  /** How often something was changed. */
  readonly fired: number;
}

/** Whether none of the changes was noticed. */
export function isOpen({ status }: Pick<MutantResult, 'status'>): boolean {
  return status === 'missed' || status === 'warned' || status === 'undecided' || status === 'stopped';
}

/** A deployment that mutants are tried on. */
export interface Deployment {
  /** All checks. */
  readonly checks: readonly EngineCheck[];
  readonly judge: (options: TrialOptions) => Promise<Judged>;
  readonly stageAt: (clock: Clock) => Setup;
  /** Rows that say nothing about a mutant, since they are broken or undecided without it as well. */
  readonly ignored?: ReadonlySet<string>;
}

/** How a deployment is judged behind one change. */
interface TrialOptions extends Watching {
  readonly among: ReadonlySet<string>;
  readonly signal: AbortSignal;
  readonly wire: (clock: Clock) => Wire;
}

/** The result for a mutant about which nothing is known. */
export function undecidedMutant({ id }: Pick<Mutant, 'id'>, status: MutantStatus): MutantResult {
  return { job: id, status, rows: [], reason: '', severity: null, fired: 0 };
}

/** Checks with which every run ends. */
function lastLooks(checks: readonly EngineCheck[]): readonly string[] {
  return checks.filter(({ tags }) => tags.includes(lastLook)).map(({ id }) => id);
}

/** Judges a deployment behind one mutant, and ends with the first broken row. */
export class Trial {
  readonly #mutant: Mutant;
  readonly #deployment: Deployment;
  readonly #abort = new AbortController();
  #broken: Broken | null = null;
  #stopped: string | null = null;
  #stage: Setup | null = null;

  constructor(mutant: Mutant, deployment: Deployment) {
    this.#mutant = mutant;
    this.#deployment = deployment;
  }

  /** Judges with these checks, and those with which every run ends. */
  async judge(among: readonly string[]): Promise<MutantResult> {
    const { checks, judge, stageAt } = this.#deployment;
    const judged = await judge({
      among: new Set([...among, ...lastLooks(checks)]),
      signal: this.#abort.signal,
      wire: (clock) => {
        this.#stage = stageAt(clock);
        return this.#stage.wire(interferenceOf(this.#mutant, this.#stage));
      },
      onViolated: (rows) => {
        for (const row of rows) this.#found(row, severityOf(levelOf(row)), 'seen by an oracle');
      },
      listener: (event) => {
        if (event.name === 'finding') this.#found(event.requirement, event.severity, event.message);
        if (event.name === 'notice') this.#stopped ??= event.text;
      },
    });
    return this.#resultOf(judged);
  }

  #found(row: string, status: string, reason: string): void {
    const level = levelOf(row);
    if (
      this.#deployment.ignored?.has(row) === true ||
      this.#broken ||
      !isRule(level) ||
      !isBroken({ level, status })
    )
      return;
    this.#broken = { row, reason };
    this.#abort.abort(new Error('a row failed'));
  }

  #resultOf({ verdicts }: Judged): MutantResult {
    const fired = this.#stage?.fired ?? 0;
    const plain = { ...undecidedMutant(this.#mutant, 'missed'), fired };
    const rules = [...verdicts].filter(
      ([{ id, level }]) => isRule(level) && this.#deployment.ignored?.has(id) !== true,
    );
    const broken = this.#broken ?? brokenOf(rules);
    if (broken) {
      const { row, reason } = broken;
      const severity = levelOf(row) === 'must' ? 'fail' : 'warn';
      return { ...plain, status: 'noticed', rows: [row], reason, severity };
    }
    if (fired === 0) return { ...plain, status: 'idle' };
    if (this.#stopped !== null) return { ...plain, status: 'stopped', reason: this.#stopped };
    const musts = rules.filter(([{ level }]) => level === 'must');
    const of = (wanted: Verdict['status']) => musts.filter(([, { status }]) => status === wanted);
    const result = (status: MutantStatus, some: readonly Ruled[]): MutantResult => {
      return { ...plain, status, rows: some.map(([{ id }]) => id), reason: some[0]?.[1].reason ?? '' };
    };
    const [warned, undecided] = [of('warn'), of('inconclusive')];
    if (warned.length > 0) return result('warned', warned);
    return undecided.length > 0 ? result('undecided', undecided) : plain;
  }
}

type Ruled = readonly [row: CatalogueRow, verdict: Verdict];

interface Broken {
  readonly row: string;
  readonly reason: string;
}

function brokenOf(rules: readonly Ruled[]): Broken | null {
  const broken = rules.find(([{ level }, { status }]) => isBroken({ level, status }));
  return broken ? { row: broken[0].id, reason: broken[1].reason ?? '' } : null;
}

function levelOf(row: string): Level {
  return loadCatalogue().get(row).level;
}

function isRule(level: Level): boolean {
  return level === 'must' || level === 'should';
}
