import { loadCatalogue } from '../../../catalogue/loadCatalogue.ts';
import type { CatalogueRow, Level } from '../../../catalogue/row.ts';
import { lastLook } from '../../../engine/order.ts';
import type { EngineCheck } from '../../../engine/suite.ts';
import type { Verdict } from '../../../judge/kernel/verdict.ts';
import { isBroken, severityOf } from '../../../judge/kernel/weight.ts';
import { interferenceOf } from '../../../wire/mutants.ts';
import type { Mutant } from '../../../wire/mutants/place.ts';
import { Setup } from '../../../wire/stage.ts';
import type { Template } from '../../../wire/templates.ts';
import { judgeReference, type Judged } from '../judgeReference.ts';
import { knownKeys, wireRequests } from './record.ts';

/** One mutant to judge, by the checks that meet its place. Plain data, so that it crosses threads. */
export interface MutantJob {
  readonly kind: 'mutant';
  readonly id: string;
  readonly mutant: Mutant;
  readonly checks: readonly string[];
  /** Whether it is judged by a whole run where these checks miss it: one that is accepted need not be noticed. */
  readonly retried: boolean;
  readonly seed: number;
}

/**
 * What became of a mutant. `noticed`: a must failed or a should warned. `warned`: a must was broken, and did not show again
 * when it was tried again, so that a release passes. `undecided`: nothing failed, and a must can no longer
 * be told, so that nobody approves it. `stopped`: the run was given up. `idle`: it changed nothing in the end. `late`: the
 * run did not end in time.
 */
export type MutantStatus =
  'noticed' | 'warned' | 'undecided' | 'stopped' | 'missed' | 'idle' | 'late' | 'fault';

export interface MutantResult {
  readonly job: string;
  readonly status: MutantStatus;
  /** The row that noticed it, or those that merely warned or are undecided. */
  readonly rows: readonly string[];
  readonly reason: string;
  /** How heavily the row was broken; null where none was. */
  readonly severity: 'fail' | 'warn' | null;
  /** How often something was changed. */
  readonly fired: number;
}

/**
 * Judges the reference behind one mutant, and ends with the first row that is broken: first by the checks that meet its
 * place, each run of which is short, and then, where they miss it, by a whole run, as every user's is. Never rejects.
 */
export async function runMutant(
  job: MutantJob,
  checks: readonly EngineCheck[],
  templates: readonly Template[],
): Promise<MutantResult> {
  try {
    const first = await new Trial(job).judge(checks, templates);
    if (!job.retried || !isOpen(first)) return first;
    const whole = { ...job, checks: wholeRun(job, checks) };
    const second = await new Trial(whole).judge(checks, templates);
    return second.status === 'idle' ? first : second;
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { ...undecidedMutant(job, 'fault'), reason };
  }
}

/** Whether nothing was noticed of what was changed. */
export function isOpen({ status }: Pick<MutantResult, 'status'>): boolean {
  return status === 'missed' || status === 'warned' || status === 'undecided' || status === 'stopped';
}

/** Whatever else runs, a run ends with them. */
function lastLooks(checks: readonly EngineCheck[]): readonly string[] {
  return checks.filter(({ tags }) => tags.includes(lastLook)).map(({ id }) => id);
}

/** Every check, but for those of the limits, which send thousands of requests: they run where they meet the place. */
function wholeRun({ checks: own }: MutantJob, checks: readonly EngineCheck[]): readonly string[] {
  return checks.filter(({ id, tags }) => own.includes(id) || !tags.includes('limits')).map(({ id }) => id);
}

/** The result of a mutant of which nothing is known. */
export function undecidedMutant({ id }: Pick<MutantJob, 'id'>, status: MutantStatus): MutantResult {
  return { job: id, status, rows: [], reason: '', severity: null, fired: 0 };
}

class Trial {
  readonly #job: MutantJob;
  readonly #abort = new AbortController();
  #broken: Broken | null = null;
  #stopped: string | null = null;
  #stage: Setup | null = null;

  constructor(job: MutantJob) {
    this.#job = job;
  }

  async judge(checks: readonly EngineCheck[], templates: readonly Template[]): Promise<MutantResult> {
    const { mutant, seed } = this.#job;
    const judged = await judgeReference({
      checks,
      seed,
      among: new Set([...this.#job.checks, ...lastLooks(checks)]),
      maxRequests: wireRequests,
      signal: this.#abort.signal,
      wire: (clock) => {
        this.#stage = new Setup({ clock, known: knownKeys(seed), templates });
        return this.#stage.wire(interferenceOf(mutant, this.#stage));
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
    if (this.#broken || !isRule(level) || !isBroken({ level, status })) return;
    this.#broken = { row, reason };
    this.#abort.abort(new Error('a row failed'));
  }

  #resultOf({ verdicts }: Judged): MutantResult {
    const fired = this.#stage?.fired ?? 0;
    const plain = { ...undecidedMutant(this.#job, 'missed'), fired };
    const rules = [...verdicts].filter(([{ level }]) => isRule(level));
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
