import { mkdir } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { matches } from '../../catalogue/pattern.ts';
import { exitCodes, type ExitCode } from '../../core/errors.ts';
import { apis } from '../../core/operations.ts';
import { profiles } from '../../core/settings.ts';
import type { EngineCheck } from '../../engine/suite.ts';
import { loadSuites } from '../../engine/suites.ts';
import type { JobResult } from '../../run/prove/job.ts';
import { documentedJob, fullProof, jobsOf, type ProofSettings } from '../../run/prove/jobs.ts';
import { isProved, toMatrix } from '../../run/prove/matrix.ts';
import { runJobs } from '../../run/prove/runJobs.ts';
import { defects } from '../../reference/defects.ts';
import {
  renderProofConsole,
  renderProofHtml,
  renderProofJson,
  renderProofMarkdown,
} from '../../run/prove/renderProof.ts';
import { writeText } from '../../report/writeWhole.ts';
import { abortOnInterrupt } from '../../core/interrupt.ts';
import type { Io } from '../../core/io.ts';
import { collect } from '../options.ts';
import { FieldReader, problemsError } from '../../settings/problem.ts';
import type { AddCommand } from '../command.ts';
import { parseApis } from '../../settings/values/apiList.ts';
import { parseCount, parsePositive, parseSeed } from '../../settings/values/number.ts';
import { parseOneOf } from '../../settings/values/oneOf.ts';
import { addExamples } from './example.ts';

interface RawOptions {
  readonly api?: string;
  readonly only?: readonly string[];
  readonly defect?: readonly string[];
  readonly random?: string;
  readonly covering: boolean;
  readonly defects: boolean;
  readonly profile?: string;
  readonly maxRequests?: string;
  readonly seed?: string;
  readonly threads?: string;
  readonly overHttp?: boolean;
  readonly reportDir?: string;
}

/** `prove`: judges the reference in every dialect and with every defect, and prints the kill matrix. */
export const addProve: AddCommand = (command, io, finish) => {
  describe(command).action(async (raw: RawOptions) => {
    finish(await prove(readOptions(raw), resolve(io.folder, raw.reportDir ?? join('reports', 'prove')), io));
  });
};

function describe(command: Command): Command {
  command
    .description('run the checks against every dialect and every seeded defect of the reference')
    .option('--api <names>', 'defects of these APIs: webcheckin,flight-alerts (default: both)')
    .option('--only <pattern>', 'requirement ids, check ids or tags, * allowed; repeatable', collect)
    .option('--defect <pattern>', 'defects with these ids, * allowed; repeatable (default: all)', collect)
    .option('--no-defects', 'judge the dialects alone')
    .option('--no-covering', 'leave out the pairwise covering array of dialects')
    .option('--random <n>', `dialects drawn by chance, besides (default: ${fullProof.randomDialects})`)
    .option(
      '--profile <name>',
      `${profiles.join(', ')}; smoke shows what a minute's requests find (default: standard)`,
    )
    .option(
      '--max-requests <n>',
      `requests for each deployment, limit checks apart (default: ${fullProof.maxRequests ?? ''}; smoke: 60)`,
    )
    .option('--seed <n>', 'seed of the dialects and of each judgement (default: 1)')
    .option('--threads <n>', 'threads (default: one for each core)')
    .option('--over-http', 'through a real socket and in real time')
    .option('--report-dir <dir>', 'where the matrix goes (default: reports/prove)');
  addExamples(
    command,
    'gatecheck prove',
    "gatecheck prove --api flight-alerts --defect 'flight-*' --random 0",
  );
  return command;
}

function readOptions(raw: RawOptions): ProofSettings {
  const reader = new FieldReader();
  const profile = reader.read('--profile', raw.profile, parseOneOf(profiles)) ?? fullProof.profile;
  const patterns = raw.defect ?? [];
  for (const pattern of patterns) {
    if (!defects.some(({ id }) => matches(pattern, id)))
      reader.refuse('--defect', `no defect has an id like ${pattern}`);
  }
  const settings: ProofSettings = {
    seed: reader.read('--seed', raw.seed, parseSeed) ?? fullProof.seed,
    profile,
    maxRequests:
      reader.read('--max-requests', raw.maxRequests, parsePositive) ??
      (profile === 'smoke' ? null : fullProof.maxRequests),
    overHttp: raw.overHttp ?? false,
    only: raw.only ?? [],
    apis: reader.read('--api', raw.api, parseApis) ?? apis,
    covering: raw.covering,
    randomDialects: reader.read('--random', raw.random, parseCount) ?? fullProof.randomDialects,
    defects: raw.defects
      ? defects.filter(({ id }) => patterns.length === 0 || patterns.some((pattern) => matches(pattern, id)))
      : [],
    threads: reader.read('--threads', raw.threads, parsePositive) ?? null,
  };
  if (reader.problems.length > 0) throw problemsError(reader.problems);
  return settings;
}

async function prove(settings: ProofSettings, dir: string, io: Io): Promise<ExitCode> {
  await mkdir(dir, { recursive: true });
  const jobs = jobsOf(settings);
  const { signal, release } = abortOnInterrupt(io);
  const results = await runJobs(jobs, {
    signal,
    ...(settings.threads === null ? {} : { threads: settings.threads }),
    onResult: (_result, done) => {
      if (done % 25 === 0 || done === jobs.length)
        io.stderr.write(`prove: ${done} of ${jobs.length} deployments judged\n`);
    },
  });
  release();
  const verified = verifiedRows(await loadSuites(), results);
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

/** Rows that an active check verifies, and those that an oracle comes to judge where nothing is amiss. */
function verifiedRows(checks: readonly EngineCheck[], results: readonly JobResult[]): ReadonlySet<string> {
  const active = checks.filter(({ kind }) => kind !== 'passive').flatMap(({ verifies }) => verifies);
  const conforming = results.filter(({ job }) => job === documentedJob);
  const seen = (conforming.length > 0 ? conforming : results).flatMap(({ rows }) => rows.map(({ id }) => id));
  return new Set([...active, ...seen]);
}
