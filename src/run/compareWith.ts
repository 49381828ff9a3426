import { usageError } from '../core/errors.ts';
import type { ComparedLoad } from '../load/summary/compareLoads.ts';
import { readResult, resultFile } from '../report/readResult.ts';

/** The load of a stored result, or of the one in a report directory; a usage error if it contains none. */
export async function readLoad(given: string): Promise<ComparedLoad> {
  const file = await resultFile(given);
  const { load } = await readResult(file);
  if (load !== undefined) return load;
  throw usageError(
    'COMPARE',
    `--compare: expected the result.json of an earlier load; got ${file}, which is not of a load.`,
    'Name the report directory of a load.',
  );
}
