import { exitCodes, type ExitCode } from '../core/errors.ts';
import type { Io } from '../core/io.ts';
import { shortPath } from '../core/shortPath.ts';
import { readResult, resultFile } from '../report/readResult.ts';
import type { RunResult } from '../report/result.ts';
import { earlierTarget, type EarlierTarget } from '../settings/target.ts';
import { path } from '../settings/forms.ts';
import { problemsError } from '../settings/problem.ts';
import type { Layer } from '../settings/readText.ts';
import { row } from '../settings/row.ts';
import type { Call } from './command.ts';

export const onlyFailedTable = {
  onlyFailed: row({
    form: path,
    default: null,
    flag: '--only-failed [result]',
    bare: 'reports/latest',
    help: 'run what failed or stayed undecided in an earlier result, with its seed',
    usual: 'of reports/latest',
  }),
};

/** The options of a run, and the target of an earlier one that it repeats. */
interface Selected {
  readonly flags: Layer;
  readonly earlier: EarlierTarget | null;
  /** Nothing failed in the result. */
  readonly isNothing?: true;
}

/** The options of a run, with what failed in a result as the selection, and its target. */
export async function selectFailed(
  { flags, io }: Pick<Call, 'flags' | 'io'>,
  result: string | null,
): Promise<Selected> {
  if (result === null) return { flags, earlier: null };
  if ('only' in flags.given)
    throw problemsError([{ where: '--only, --only-failed', fault: 'expected one of the two; got both' }]);
  const before = await readResult(await resultFile(result));
  const only = failedIn(before);
  const earlier = earlierTarget(shortPath(result, io.folder), before.target);
  // The same mistakes of the settings are refused as where something failed.
  if (only.length === 0) return { flags, earlier, isNothing: true };
  return { flags: { ...flags, given: { seed: before.run.seed, ...flags.given, only } }, earlier };
}

/** Says that nothing failed, and succeeds. */
export function nothingFailed({ stdout }: Pick<Io, 'stdout'>): ExitCode {
  stdout.write('Nothing failed or stayed undecided in that result: there is nothing to run.\n');
  return exitCodes.ok;
}

function failedIn({ requirements }: RunResult): readonly string[] {
  return requirements
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn' || verdict === 'inconclusive')
    .map(({ id }) => id);
}
