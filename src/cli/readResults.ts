import { resolve } from 'node:path';
import { readResult, resultFile } from '../report/readResult.ts';
import type { RunResult } from '../report/result.ts';

/** The results named on a command line: report directories, or result files. */
export async function readResults(given: readonly string[], folder: string): Promise<readonly RunResult[]> {
  return Promise.all(given.map(async (one) => readResult(await resultFile(resolve(folder, one)))));
}
