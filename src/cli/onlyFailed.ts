import { exitCodes, type ExitCode } from '../core/errors.ts';
import type { Io } from '../core/io.ts';
import { loadResult, resultFile } from '../report/loadResult.ts';
import type { RunResult } from '../report/result.ts';
import { path } from '../settings/forms.ts';
import { problemsError } from '../settings/problem.ts';
import type { Layer } from '../settings/readText.ts';
import { row } from '../settings/row.ts';

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

/** The options of a run, with what failed in a result as the selection; null if nothing did. */
export async function selectFailed(flags: Layer, result: string | null): Promise<Layer | null> {
  if (result === null) return flags;
  if ('only' in flags.given)
    throw problemsError([{ where: '--only, --only-failed', fault: 'expected one of the two; got both' }]);
  const earlier = await loadResult(await resultFile(result));
  const only = failedIn(earlier);
  return only.length === 0 ? null : { ...flags, given: { seed: earlier.run.seed, ...flags.given, only } };
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
