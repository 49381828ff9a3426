import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { exitCodes, usageError, type ExitCode } from '../../../core/errors.ts';
import { abortOnInterrupt } from '../../../core/interrupt.ts';
import type { Io } from '../../../core/io.ts';
import { loadSuites } from '../../../engine/suites.ts';
import { writeText } from '../../../report/writeWhole.ts';
import { mutantsOf, type TabledMutant } from '../../../wire/mutants/table.ts';
import type { Template } from '../../../wire/templates.ts';
import { runJobs } from '../runJobs.ts';
import { loadAccepted, stalePatterns } from './accepted.ts';
import type { MutantJob } from './mutantJob.ts';
import { undecidedMutant, type MutantResult } from './trial.ts';
import { outcomesOf } from './outcomes.ts';
import { record } from './record.ts';
import { renderWireConsole, renderWireJson } from './renderWire.ts';
import { renderWireHtml } from './renderWireHtml.ts';
import type { VariationJob, VariationResult } from './variationJob.ts';
import { asksForMutants, isWireProved, mutantJobs, variationJobs, type WireProof } from './wireProof.ts';
import type { WireSettings } from './wireSettings.ts';

/** Real time that one mutant may take: a run in virtual time that takes longer hangs. */
const longestTrialMs = 60_000;

/** Judges what must not matter on the wire and what must be noticed, prints the totals and writes the map into a folder. */
export async function proveWire(settings: WireSettings, dir: string, io: Io): Promise<ExitCode> {
  await mkdir(dir, { recursive: true });
  const { signal, release } = abortOnInterrupt(io);
  const proof = await new Proving(settings, io, signal).prove();
  release();
  await writeText(join(dir, 'wire.json'), renderWireJson(proof));
  await writeText(join(dir, 'wire.html'), renderWireHtml(proof));
  if (signal.aborted) {
    io.stderr.write('interrupted: what was judged so far proves nothing\n');
    return exitCodes.interrupted;
  }
  io.stdout.write(renderWireConsole(proof, io.stdout.palette));
  io.stdout.write(`\n  ${relative(io.folder, join(dir, 'wire.html'))}\n`);
  return isWireProved(proof) ? exitCodes.ok : exitCodes.gateNotMet;
}

class Proving {
  readonly #settings: WireSettings;
  readonly #io: Io;
  readonly #signal: AbortSignal;

  constructor(settings: WireSettings, io: Io, signal: AbortSignal) {
    this.#settings = settings;
    this.#io = io;
    this.#signal = signal;
  }

  async prove(): Promise<WireProof> {
    const variations = await this.#run<VariationJob, VariationResult>(
      'variations',
      variationJobs(this.#settings),
    );
    if (!asksForMutants(this.#settings))
      return { variations, mutants: [], stale: [], least: this.#settings.leastScore };
    const { templates, table } = await this.#record();
    const accepted = loadAccepted();
    const jobs = mutantJobs(table, this.#settings, accepted);
    if (jobs.length === 0) throw noSuchMutant(this.#settings);
    const late = (job: MutantJob) => undecidedMutant(job, 'late');
    const limit = { ms: longestTrialMs, late };
    const results = await this.#run<MutantJob, MutantResult>('mutants', jobs, { data: templates, limit });
    const mutants = table.map(({ mutant }) => mutant);
    return {
      variations,
      mutants: outcomesOf(mutants, results, accepted),
      stale: this.#isWhole ? stalePatterns(mutants, accepted) : [],
      least: this.#settings.leastScore,
    };
  }

  /** Whether all mutants are tried, so that a pattern that matches none is superfluous. */
  get #isWhole(): boolean {
    return this.#settings.sample === null && this.#settings.mutant.length === 0;
  }

  async #record(): Promise<{ templates: readonly Template[]; table: readonly TabledMutant[] }> {
    const { seed } = this.#settings;
    const { places, meetings, templates } = await record(await loadSuites(), seed);
    return { templates, table: mutantsOf(places, meetings, seed) };
  }

  #run<Job extends VariationJob | MutantJob, Result>(
    what: string,
    jobs: readonly Job[],
    more: { readonly data?: unknown; readonly limit?: { ms: number; late: (job: Job) => Result } } = {},
  ): Promise<readonly Result[]> {
    const { threads } = this.#settings;
    return runJobs<Job, Result>(jobs, {
      ...more,
      worker: 'wire/worker',
      signal: this.#signal,
      ...(threads === null ? {} : { threads }),
      onResult: (_result, done) => {
        if (done % 250 === 0 || done === jobs.length)
          this.#io.stderr.write(`prove: ${done} of ${jobs.length} ${what} judged\n`);
      },
    });
  }
}

function noSuchMutant({ mutant }: WireSettings): Error {
  return usageError(
    'NO_SUCH_MUTANT',
    `expected --mutant to fit the id of a mutant; got ${mutant.join(', ')}`,
    'wire.json of the report lists the ids; which mutants there are depends on --seed.',
  );
}
