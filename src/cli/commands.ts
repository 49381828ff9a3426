import { rowsOf } from '../settings/row.ts';
import { variablesOf } from '../settings/environment.ts';
import { settingsTable } from '../settings/table.ts';
import type { CommandSpec } from './command.ts';
import { completionCommand } from './commands/completion.ts';
import { devCommand } from './commands/dev.ts';
import { doctorCommand } from './commands/doctor.ts';
import { judgeCommand } from './commands/judge.ts';
import { diffCommand } from './commands/diff.ts';
import { matrixCommand } from './commands/matrix.ts';
import { asyncApiCommand, openApiCommand } from './commands/describe.ts';
import { initCommand } from './commands/init.ts';
import { limitsCommand } from './commands/limits.ts';
import { loadCommand } from './commands/load.ts';
import { planCommand } from './commands/plan.ts';
import { monitorCommand } from './commands/monitor.ts';
import { proxyCommand } from './commands/proxy.ts';
import { proveCommand } from './commands/prove.ts';
import { replayCommand } from './commands/replay.ts';
import { reportCommand } from './commands/report.ts';
import { requirementsCommand } from './commands/requirements.ts';
import { runCommand } from './commands/run.ts';
import { serveCommand } from './commands/serve.ts';
import { sinkCommand } from './commands/sink.ts';
import { workerCommand } from './commands/worker.ts';

/** Every command, in the order of the help. */
export const commands: readonly CommandSpec[] = [
  runCommand,
  planCommand,
  devCommand,
  doctorCommand,
  limitsCommand,
  loadCommand,
  workerCommand,
  sinkCommand,
  serveCommand,
  requirementsCommand,
  proveCommand,
  judgeCommand,
  proxyCommand,
  monitorCommand,
  replayCommand,
  reportCommand,
  diffCommand,
  matrixCommand,
  openApiCommand,
  asyncApiCommand,
  initCommand,
  completionCommand(() => commands),
];

/** Variables that are not settings: of the shell lines that reports print, and for debugging Gatecheck itself. */
const others = [
  'GATECHECK_STATE_DIR',
  'GATECHECK_KEY',
  'GATECHECK_DEBUG',
  'GATECHECK_REFERENCE_DEBUG',
  'GATECHECK_BENCH_CPU',
];

/** The name of every variable that some command knows. */
export const knownVariables: readonly string[] = [
  ...variablesOf(rowsOf(settingsTable)),
  ...commands.flatMap(({ options }) => variablesOf(rowsOf(options))),
  ...others,
];
