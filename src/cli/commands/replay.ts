import { readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { exitCodes, usageError, type ExitCode, type GatecheckError } from '../../core/errors.ts';
import type { ReplayOutput, ReplayVerdict } from '../../run/replay.ts';
import { isOfLoad, sendLoadAgain, whyNotResent } from '../../run/loadFinding.ts';
import { readEvidence } from '../../report/evidence/readEvidence.ts';
import { readResult, resultFile } from '../../report/readResult.ts';
import { reportFiles } from '../../report/reportDir.ts';
import { plural } from '../../report/text/format.ts';
import type { Finding } from '../../engine/findings/finding.ts';
import type { RunResult } from '../../report/result.ts';
import { abortOnInterrupt } from '../../core/interrupt.ts';
import type { Io } from '../../core/io.ts';
import { readCheckedSettings } from '../readSettings.ts';
import { suggest } from '../../core/suggest.ts';
import { earlierTarget } from '../../settings/target.ts';
import { path } from '../../settings/forms.ts';
import { row } from '../../settings/row.ts';
import type { Settings } from '../../core/settings.ts';
import { shortPath } from '../../core/shortPath.ts';
import { agree, agreementTable } from '../agreement.ts';
import { command, settingsBut } from '../command.ts';
import { renderReplay } from '../renderReplay.ts';

/** `replay FINDING`: sends the stored failing case of an earlier run again. */
export const replayCommand = command({
  name: 'replay',
  about: 'send the stored failing case of an earlier run again, to the same or another target',
  argument: ['<finding>', 'fingerprint of a finding, such as WCI-STS-004.1a2b3c4d'],
  // Its seed and profile are those of the finding; it writes no report, and one finding decides how it exits.
  settings: settingsBut(
    ...['profile', 'seed', 'only', 'shard', 'watchMs', 'require', 'minMust', 'strict'],
    ...['reportDir', 'baseline', 'updateBaseline', 'baselineReason'],
  ).map((one) => (one.path === 'target' ? { ...one, usual: 'that of the earlier run' } : one)),
  options: {
    ...agreementTable,
    from: row({
      form: path,
      default: null,
      flag: '--from <dir>',
      help: 'report directory of the earlier run',
      usual: 'reports/latest, else the newest run in reports that has it',
    }),
    script: row({
      form: path,
      default: null,
      flag: '--script <file>',
      help: 'send nothing, and write the sequence as a shell script, or for editors if the name ends in .http',
    }),
  },
  examples: [
    'gatecheck replay WCI-STS-004.1a2b3c4d',
    'gatecheck replay WCI-STS-004.1a2b3c4d --script again.sh',
    'gatecheck replay WCI-STS-004.1a2b3c4d --target http://127.0.0.1:8080',
  ],
  run: async (call) => {
    const { io, args, options } = call;
    const { dir, result } = await runWith(args[0] ?? '', options.from, io.folder);
    const finding = findingOf(result, args[0] ?? '');
    if (options.script !== null) return writeScript({ finding, result, dir }, options.script, io);
    const never = isOfLoad(finding) ? whyNotResent(finding) : null;
    if (never !== null) return sayNotResent(finding, never, io);
    const earlier = earlierTarget(shortPath(dir, io.folder), result.target);
    const settings = await readCheckedSettings({ ...call, earlier });
    const sent = `the failing case again, about ${plural(finding.exchanges.length, 'request')}`;
    const forecast = () => Promise.resolve([sent, 'with fresh data, within the budgets']);
    await agree(settings, { yes: options.yes, forecast }, io);
    const { seed, profile } = result.run;
    return replayFinding({ finding, result, dir }, { ...settings, seed, profile }, io);
  },
});

interface Stored {
  readonly finding: Finding;
  readonly result: RunResult;
  readonly dir: string;
}

/** Writes the sequence of a finding to a file that its owner may execute. */
async function writeScript({ finding, result, dir }: Stored, file: string, io: Io): Promise<ExitCode> {
  const { collectCase } = await import('../../report/script/scriptCase.ts');
  const { scriptInput } = await import('../../report/script/scriptInput.ts');
  if (isOfLoad(finding)) throw noScriptOfLoad(finding);
  const evidence = join(dir, reportFiles.evidence);
  const { byId } = await readEvidence(evidence, new Set(finding.exchanges));
  if (byId.size === 0)
    throw usageError(
      'NO_EVIDENCE',
      `Expected the requests of ${finding.fingerprint} in ${evidence}; got none.`,
      'Name the directory of that run with --from, or leave --script out.',
    );
  const title = result.requirements.find(({ id }) => id === finding.requirement)?.title ?? finding.message;
  const input = scriptInput(finding, title, await collectCase(evidence, finding));
  if ('reason' in input) throw noScript(finding, input.reason);
  const isHttp = file.endsWith('.http');
  const text = isHttp
    ? (await import('../../report/script/renderScript.ts')).renderHttpFile(input)
    : (await import('../../report/script/renderScript.ts')).renderShellScript(input);
  await writeFile(file, text, { mode: isHttp ? 0o644 : 0o755 }).catch(() => {
    throw usageError('CANNOT_WRITE', `--script: expected a file that can be written; got ${file}.`);
  });
  const states = input.steps.filter(({ kind }) => kind === 'state').length;
  const set = states > 0 ? `, ${plural(states, 'state')} set by the state handler` : '';
  io.stdout.write(`${shortPath(file, io.folder)}: ${plural(input.steps.length - states, 'request')}${set}\n`);
  return exitCodes.ok;
}

const sendsItself = 'Leave --script out: gatecheck replay sends the case again itself.';

function noScript({ fingerprint }: Finding, reason: string, todo = sendsItself): GatecheckError {
  return usageError('NO_SCRIPT', `No script can show ${fingerprint}: ${reason}.`, todo);
}

function noScriptOfLoad(finding: Finding): GatecheckError {
  const todo = whyNotResent(finding) === null ? sendsItself : `To see it again, ${sendLoadAgain(finding)}`;
  return noScript(finding, 'a load stores no journal of what it sends', todo);
}

/** The run that has the finding: the named one, the latest, or the newest of those next to it. */
async function runWith(
  fingerprint: string,
  from: string | null,
  folder: string,
): Promise<{ readonly dir: string; readonly result: RunResult }> {
  const load = async (given: string) => {
    const file = await resultFile(given);
    return { dir: dirname(file), result: await readResult(file) };
  };
  if (from !== null) return load(from);
  const latest = await load(join(folder, 'reports', 'latest'));
  const has = ({ result }: { readonly result: RunResult }) =>
    result.findings.some((finding) => finding.fingerprint === fingerprint);
  if (has(latest)) return latest;
  const names = await readdir(join(folder, 'reports')).catch((): string[] => []);
  for (const name of names.sort().reverse().slice(0, mostRuns)) {
    const run = await load(join(folder, 'reports', name)).catch(() => null);
    if (run !== null && has(run)) return run;
  }
  return latest;
}

const mostRuns = 50;

const exitCodeOf: Readonly<Record<ReplayVerdict, ExitCode>> = {
  FIXED: exitCodes.ok,
  FAILS: exitCodes.gateNotMet,
  DIFFERS: exitCodes.inconclusive,
};

async function replayFinding(stored: Stored, settings: Settings, io: Io): Promise<ExitCode> {
  const { finding, dir } = stored;
  const { signal, release } = abortOnInterrupt(io);
  try {
    const output = await send(stored, settings, { signal, root: io.folder });
    // A load keeps no journal.
    const wanted = new Set(isOfLoad(finding) ? [] : finding.exchanges);
    const { byId } = await readEvidence(join(dir, reportFiles.evidence), wanted);
    io.stdout.write(renderReplay(finding, output, { evidence: byId, palette: io.stdout.palette }));
    return signal.aborted ? exitCodes.interrupted : exitCodeOf[output.verdict];
  } finally {
    release();
  }
}

/** Sends the case of a check, or the requests that a load sent for the finding. */
async function send(
  { finding, result, dir }: Stored,
  settings: Settings,
  ports: { readonly signal: AbortSignal; readonly root: string },
): Promise<ReplayOutput> {
  if (!isOfLoad(finding)) {
    const evidence = join(dir, reportFiles.evidence);
    return (await import('../../run/replay.ts')).replay(finding, settings, { ...ports, evidence });
  }
  const { replayLoad } = await import('../../run/replayLoad.ts');
  const broken = result.load?.correctness?.broken ?? [];
  const when = broken.find(({ requirement }) => requirement === finding.requirement)?.when;
  return replayLoad(finding, settings, { ...ports, when });
}

/** A finding that only another load can show: nothing is sent, so nothing can be told. */
function sayNotResent(finding: Finding, why: string, io: Io): ExitCode {
  const reason = `Nothing was sent: ${why}. To see whether it shows again, ${sendLoadAgain(finding)}`;
  const output: ReplayOutput = { verdict: 'DIFFERS', reason, steps: [] };
  io.stdout.write(renderReplay(finding, output, { evidence: new Map(), palette: io.stdout.palette }));
  return exitCodeOf.DIFFERS;
}

function findingOf({ findings }: RunResult, fingerprint: string): Finding {
  const found = findings.find((finding) => finding.fingerprint === fingerprint);
  if (found !== undefined && (found.case !== undefined || isOfLoad(found))) return found;
  const known = findings.map((finding) => finding.fingerprint);
  const meant =
    suggest(fingerprint, known) ||
    (known.length === 0 ? '; the run has no findings' : `; it has ${known.slice(0, 5).join(', ')}`);
  throw usageError('NO_SUCH_FINDING', `Expected a finding of that run, got ${fingerprint}${meant}.`);
}
