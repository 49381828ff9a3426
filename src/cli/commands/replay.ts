import { join, resolve } from 'node:path';
import { exitCodes, usageError, type ExitCode } from '../../core/errors.ts';
import type { ReplayOutput, ReplayVerdict } from '../../run/replay.ts';
import { loadResult } from '../../report/loadResult.ts';
import { reportFiles } from '../../report/reportDir.ts';
import type { Finding } from '../../engine/finding.ts';
import type { RunResult } from '../../report/result.ts';
import { abortOnInterrupt } from '../../core/interrupt.ts';
import type { Io } from '../../core/io.ts';
import { loadCheckedSettings } from '../loadSettings.ts';
import { addSharedOptions, type RawOptions } from '../options.ts';
import type { AddCommand } from '../command.ts';
import { suggest } from '../../settings/suggest.ts';
import { addExamples } from './example.ts';

/** `replay FINDING`: sends the stored failing case of an earlier run again. */
export const addReplay: AddCommand = (command, io, finish) => {
  addSharedOptions(
    command.description(
      'send the stored failing case of an earlier run again, to the same or another target',
    ),
    'that of the earlier run',
  );
  command
    .argument('<finding>', 'fingerprint of a finding, such as WCI-STS-004.1a2b3c4d')
    .option('--from <dir>', 'report directory of the earlier run (default: reports/latest)');
  addExamples(
    command,
    'gatecheck replay WCI-STS-004.1a2b3c4d',
    'gatecheck replay WCI-STS-004.1a2b3c4d --target http://127.0.0.1:8080',
  );
  command.action(async (fingerprint: string, raw: RawOptions & { readonly from?: string }) => {
    const result = await loadResult(
      join(resolve(io.folder, raw.from ?? join('reports', 'latest')), reportFiles.result),
    );
    finish(await replayFinding(findingOf(result, fingerprint), result, raw, io));
  });
};

const exitCodeOf: Readonly<Record<ReplayVerdict, ExitCode>> = {
  FIXED: exitCodes.ok,
  FAILS: exitCodes.gateNotMet,
  DIFFERS: exitCodes.inconclusive,
};

async function replayFinding(
  finding: Finding,
  earlier: RunResult,
  raw: RawOptions,
  io: Io,
): Promise<ExitCode> {
  const settings = await loadCheckedSettings(withTarget(raw, earlier), io);
  const { replay } = await import('../../run/replay.ts');
  const { signal, release } = abortOnInterrupt(io);
  try {
    const output = await replay(
      finding,
      { ...settings, seed: earlier.run.seed, profile: earlier.run.profile },
      signal,
    );
    io.stdout.write(renderReplay(finding, output));
    return signal.aborted ? exitCodes.interrupted : exitCodeOf[output.verdict];
  } finally {
    release();
  }
}

/** The target of the earlier run, unless another one is named. */
function withTarget(raw: RawOptions, { target }: RunResult): RawOptions {
  const isNamed = raw.target !== undefined || raw.image !== undefined;
  return isNamed || target.kind !== 'url' || target.baseUrl === null
    ? raw
    : { ...raw, target: target.baseUrl };
}

/** The outcome for people, a line a step. */
export function renderReplay(finding: Finding, { verdict, reason, steps }: ReplayOutput): string {
  const lines = steps.map(({ request, then, now }, index) => {
    const answers =
      then === now ? (then ?? '') : `${then ?? 'no such step'}, now ${now ?? 'not sent again by itself'}`;
    return `  ${index + 1}. ${request}  ${answers}`;
  });
  return [`${verdict}  ${finding.fingerprint}`, `  ${reason}`, ...lines, ''].join('\n');
}

function findingOf({ findings }: RunResult, fingerprint: string): Finding {
  const found = findings.find((finding) => finding.fingerprint === fingerprint);
  if (found?.case !== undefined) return found;
  const known = findings.map((finding) => finding.fingerprint);
  const meant =
    suggest(fingerprint, known) ||
    (known.length === 0 ? '; the run has no findings' : `; it has ${known.slice(0, 5).join(', ')}`);
  throw usageError('NO_SUCH_FINDING', `Expected a finding of that run, got ${fingerprint}${meant}.`);
}
