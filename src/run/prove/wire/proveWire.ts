import { exitCodes, type ExitCode } from '../../../core/errors.ts';
import { abortOnInterrupt } from '../../../core/interrupt.ts';
import type { Io } from '../../../core/io.ts';
import { runJobs } from '../runJobs.ts';
import { printWire, writeWire, isWireProved, variationJobs } from './reportWire.ts';
import type { VariationResult } from './variationJob.ts';
import type { WireSettings } from './wireSettings.ts';

/** Judges the reference behind variations of the traffic, prints the totals and writes the report into a folder. */
export async function proveWire(settings: WireSettings, dir: string, io: Io): Promise<ExitCode> {
  const jobs = variationJobs(settings);
  const { signal, release } = abortOnInterrupt(io);
  const variations = await runJobs<VariationResult>(jobs, {
    worker: 'wire/worker',
    signal,
    ...(settings.threads === null ? {} : { threads: settings.threads }),
    onResult: (_result, done) => {
      if (done % 25 === 0 || done === jobs.length)
        io.stderr.write(`prove: ${done} of ${jobs.length} variations judged\n`);
    },
  });
  release();
  const proof = { variations };
  await writeWire(proof, dir, io);
  if (variations.length < jobs.length) {
    io.stderr.write(
      `interrupted: ${variations.length} of ${jobs.length} variations were judged, which proves nothing\n`,
    );
    return exitCodes.interrupted;
  }
  printWire(proof, dir, io);
  return isWireProved(proof) ? exitCodes.ok : exitCodes.gateNotMet;
}
