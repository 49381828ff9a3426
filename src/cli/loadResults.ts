import { resolve } from 'node:path';
import { loadResult, resultFile } from '../report/loadResult.ts';
import type { RunResult } from '../report/result.ts';

/** The results named on a command line: report directories, or result files. */
export async function loadResults(given: readonly string[], folder: string): Promise<readonly RunResult[]> {
  return Promise.all(given.map(async (one) => loadResult(await resultFile(resolve(folder, one)))));
}
