import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Io } from '../core/io.ts';
import { shortPath } from '../core/shortPath.ts';
import type { RunOutput } from '../run/run.ts';
import { valueOf } from '../settings/environment.ts';

/**
 * Reports a run to a job of GitHub Actions: annotations, the job summary, and outputs for the following steps. Elsewhere it does
 * nothing. What cannot be written is reported, and does not change the verdict.
 */
export async function tellGithub(
  { result, reportDir }: Pick<RunOutput, 'result' | 'reportDir'>,
  io: Pick<Io, 'env' | 'folder' | 'stdout' | 'stderr'>,
  json: boolean,
): Promise<void> {
  if (valueOf(io.env, 'GITHUB_ACTIONS') !== 'true') return;
  const [{ renderAnnotations, renderOutputs }, { reportFiles }] = await Promise.all([
    import('../report/ci/github.ts'),
    import('../report/reportDir.ts'),
  ]);
  // The runner reads commands on both streams; the events of --json have theirs to themselves.
  (json ? io.stderr : io.stdout).write(renderAnnotations(result), 'commands');
  const summary = await readFile(join(reportDir, reportFiles.markdown), 'utf8').catch(() => '');
  await append('GITHUB_STEP_SUMMARY', summary, io);
  await append('GITHUB_OUTPUT', renderOutputs(result, shortPath(reportDir, io.folder)), io);
}

async function append(
  variable: string,
  text: string,
  { env, stderr }: Pick<Io, 'env' | 'stderr'>,
): Promise<void> {
  const path = valueOf(env, variable);
  if (path === undefined || text === '') return;
  await appendFile(path, text).catch(() =>
    stderr.write(`warning: expected ${variable} to be a file that can be written; got ${path}\n`),
  );
}
