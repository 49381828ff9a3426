import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resultSchema, type RunResult } from '../../src/report/result.ts';
import type { Ended } from './gatecheck.ts';

/** What result.json says in the folder `out` of a command. */
export function resultOf({ folder, stderr }: Ended): RunResult {
  const path = join(folder, 'out', 'result.json');
  try {
    return resultSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    throw new Error(`no result of ${folder}: ${stderr}`, { cause });
  }
}

/** What stayed undecided and why, for the message of a test that expected a verdict. */
export function undecidedOf(ended: Ended): string {
  if (ended.code !== 3) return '';
  return resultOf(ended)
    .requirements.filter(({ verdict }) => verdict === 'inconclusive')
    .map(({ id, reason }) => `\n${id}: ${reason}`)
    .join('');
}
