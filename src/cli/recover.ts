import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodes } from '../core/errors.ts';
import { renderConsole } from '../report/renderConsole.ts';
import { reportFiles } from '../report/reportDir.ts';
import { forgetHolder } from '../report/reportHold.ts';
import { writeReports } from '../report/writeReports.ts';
import { resultOfKilled } from '../run/killed.ts';
import { replayCommand } from '../report/replayCommand.ts';
import { programOf } from './again.ts';

// What the launcher starts if the program died: makes the reports from its journal.

const [dir = '', cause = ''] = process.argv.slice(2);

try {
  if (!existsSync(join(dir, reportFiles.result))) await recover();
} catch (error) {
  const why = error instanceof Error ? error.message : String(error);
  process.stderr.write(`error: no report could be made of what was found so far: ${why}\n`);
}
process.exitCode = exitCodes.internal;

async function recover(): Promise<void> {
  const folder = process.cwd();
  const result = await resultOfKilled(dir, {
    cause,
    again: (fingerprint) =>
      replayCommand(fingerprint, dir, { folder, program: programOf({ env: process.env, folder }) }),
  });
  if (result === null) {
    process.stderr.write('It had not sent anything yet, so there is nothing to report.\n');
    return;
  }
  await writeReports(result, dir);
  forgetHolder(dir);
  const files = [reportFiles.html, reportFiles.result].map((name) => join(dir, name));
  process.stdout.write(renderConsole(result, files));
}
