import type { Io } from '../../../core/io.ts';
import { exitCodes, type ExitCode } from '../../../core/errors.ts';
import { abortOnInterrupt } from '../../../core/interrupt.ts';
import { runJobs } from '../runJobs.ts';
import { renderWireConsole } from './renderWire.ts';
import type { VariationJob, VariationResult } from './variationJob.ts';
import { alarmed, variationJobs } from './wireProof.ts';
import type { WireSettings } from './wireSettings.ts';

/** `prove --wire`: what must not matter on the wire, and what must be noticed. */
export async function proveWire(settings: WireSettings, io: Io): Promise<ExitCode> {
  const jobs = variationJobs(settings);
  const { signal, release } = abortOnInterrupt(io);
  const results = await runJobs<VariationJob, VariationResult>(jobs, {
    worker: 'wire/worker',
    signal,
    ...(settings.threads === null ? {} : { threads: settings.threads }),
    onResult: (_result, done) => {
      if (done % 25 === 0 || done === jobs.length)
        io.stderr.write(`prove: ${done} of ${jobs.length} variations judged\n`);
    },
  });
  release();
  if (results.length < jobs.length) {
    io.stderr.write(`interrupted: ${results.length} of ${jobs.length} variations were judged\n`);
    return exitCodes.interrupted;
  }
  io.stdout.write(renderWireConsole(results, io.stdout.palette));
  return alarmed(results).length === 0 ? exitCodes.ok : exitCodes.gateNotMet;
}
