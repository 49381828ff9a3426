import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { quotedArgument } from '../core/quotedArgument.ts';
import { shortPath } from '../core/shortPath.ts';

interface Pasted {
  /** Where the command is pasted. */
  readonly folder: string;
  readonly program?: string;
  readonly options?: readonly string[];
}

/** The command that sends a finding of a report directory again. Only `reports/latest` need not be named. */
export function replayCommand(
  fingerprint: string,
  reportDir: string,
  { folder, program = 'gatecheck', options = [] }: Pasted,
): string {
  const from = isLatest(reportDir, folder) ? [] : ['--from', shortPath(reportDir, folder)];
  return [program, ...['replay', fingerprint, ...from, ...options].map(quotedArgument)].join(' ');
}

function isLatest(reportDir: string, folder: string): boolean {
  try {
    return realpathSync(join(folder, 'reports', 'latest')) === realpathSync(reportDir);
  } catch {
    return false;
  }
}
