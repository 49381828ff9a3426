import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { exitCodes, type ExitCode } from '../../core/errors.ts';
import { abortOnInterrupt } from '../../core/interrupt.ts';
import type { Io } from '../../core/io.ts';
import type { EngineCheck } from '../../engine/suite.ts';
import { readSuites } from '../../engine/suites.ts';
import { writeText } from '../../report/writeWhole.ts';
import { renderCurve, toCurve, type Curve } from './curve.ts';
import type { JobResult } from './job.ts';
import { documentedJob, jobsOf } from './jobs.ts';
import { isProved, toMatrix } from './matrix.ts';
import type { ProofSettings } from './proofSettings.ts';
import { renderProofConsole, renderProofHtml, renderProofJson, renderProofMarkdown } from './renderProof.ts';
import { runJobs } from './runJobs.ts';

/** Judges everything requested, prints the totals and writes the matrix into a folder. */
export async function prove(settings: ProofSettings, dir: string, io: Io): Promise<ExitCode> {
  await mkdir(dir, { recursive: true });
  const jobs = jobsOf(settings);
  const { signal, release } = abortOnInterrupt(io);
  const results = await runJobs<JobResult>(jobs, {
    signal,
    ...(settings.threads === null ? {} : { threads: settings.threads }),
    onResult: (_result, done) => {
      if (done % 25 === 0 || done === jobs.length)
        io.stderr.write(`prove: ${done} of ${jobs.length} deployments judged\n`);
    },
  });
  release();
  if (settings.curve && results.length === jobs.length)
    return tellCurve(toCurve(jobs, results, settings.defects), dir, io);
  const verified = verifiedRows(await readSuites(), results);
  const matrix = toMatrix({ jobs, results, defects: settings.defects, verified });
  await writeText(join(dir, 'proof.json'), renderProofJson(matrix));
  await writeText(join(dir, 'proof.md'), renderProofMarkdown(matrix));
  await writeText(join(dir, 'proof.html'), renderProofHtml(matrix));
  if (results.length < jobs.length) {
    io.stderr.write(
      `interrupted: ${results.length} of ${jobs.length} deployments were judged, which proves nothing\n`,
    );
    return exitCodes.interrupted;
  }
  io.stdout.write(renderProofConsole(matrix, io.stdout.palette));
  io.stdout.write(`\n  ${relative(io.folder, join(dir, 'proof.html'))}\n`);
  return isProved(matrix) ? exitCodes.ok : exitCodes.gateNotMet;
}

async function tellCurve(curve: Curve, dir: string, io: Io): Promise<ExitCode> {
  await writeText(join(dir, 'curve.json'), `${JSON.stringify(curve, null, 2)}\n`);
  io.stdout.write(renderCurve(curve));
  io.stdout.write(`  ${relative(io.folder, join(dir, 'curve.json'))}\n`);
  return exitCodes.ok;
}

/** Rows that an active check verifies, and those that an oracle judges if nothing is wrong. */
function verifiedRows(checks: readonly EngineCheck[], results: readonly JobResult[]): ReadonlySet<string> {
  const active = checks.filter(({ kind }) => kind !== 'passive').flatMap(({ verifies }) => verifies);
  const conforming = results.filter(({ job }) => job === documentedJob);
  const seen = (conforming.length > 0 ? conforming : results).flatMap(({ rows }) => rows.map(({ id }) => id));
  return new Set([...active, ...seen]);
}
