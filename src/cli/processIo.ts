import type { Environment } from '../core/io.ts';
import { createInterface } from 'node:readline/promises';
import type { WriteStream } from 'node:tty';
import { createCommandBreaker } from '../core/ciCommands.ts';
import { exitCodes, GatecheckError, type ExitCode } from '../core/errors.ts';
import { Redactor } from '../core/redact.ts';
import { ansiPalette, plainPalette } from '../core/palette.ts';
import { isInCi, valueOf } from '../settings/environment.ts';
import { secretsIn } from '../settings/readText.ts';
import { rowsOf } from '../settings/row.ts';
import { addSecrets } from '../settings/secrets.ts';
import { settingsTable } from '../settings/table.ts';
import type { Io, Output } from '../core/io.ts';

/** The process as commands see it. */
export function processIo(exit: (code: ExitCode) => void): Io {
  const { env } = process;
  const redactor = redactorOf(env);
  const isAttended = process.stdin.isTTY && process.stderr.isTTY && !isInCi(env);
  return {
    args: process.argv.slice(2),
    env,
    folder: process.cwd(),
    stdout: outputOf(process.stdout, env),
    stderr: outputOf(process.stderr, env),
    redactor,
    ask: isAttended ? ask : null,
    ...(isAttended ? { onKey } : {}),
    onInterrupt,
    onReportDir: (reportDir) => void process.send?.({ reportDir }),
    exit,
  };
}

function outputOf(stream: WriteStream, env: Environment): Output {
  // If the reader went away (`gatecheck requirements | head`, a closed terminal), that is no error: the rest of the output is dropped,
  // and the reports are written.
  stream.on('error', () => undefined);
  const breakCommands = createCommandBreaker();
  const interactive = stream.isTTY && !isInCi(env) && env.TERM !== 'dumb';
  return {
    write: (text, kind) => void stream.write(kind === 'commands' ? text : breakCommands(text)),
    palette: isColoured(env, interactive) ? ansiPalette : plainPalette,
    interactive,
    get columns() {
      // A terminal with unknown width reports 0.
      return stream.isTTY && stream.columns > 0 ? stream.columns : 80;
    },
  };
}

/** `FORCE_COLOR` wins over `NO_COLOR`, and both over the kind of stream. */
function isColoured(env: Environment, interactive: boolean): boolean {
  const forced = valueOf(env, 'FORCE_COLOR');
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return interactive && valueOf(env, 'NO_COLOR') === undefined;
}

/** Knows the secrets of the environment. */
export function redactorOf(env: Environment): Redactor {
  const redactor = new Redactor();
  for (const { variable, text } of secretsIn(env, rowsOf(settingsTable)))
    addSecrets(redactor, text.split(','), variable);
  return redactor;
}

/** Ctrl-D counts as an empty answer. Ctrl-C ends the command, as anywhere else. */
async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const unanswered = new Promise<string>((resolve, reject) =>
    lines.once('SIGINT', () => reject(interrupted())).once('close', () => resolve('')),
  );
  try {
    return await Promise.race([lines.question(question), unanswered]);
  } finally {
    lines.close();
  }
}

function interrupted(): GatecheckError {
  return new GatecheckError('INTERRUPTED', 'expected an answer; got Ctrl-C', {
    exitCode: exitCodes.interrupted,
    hint: 'Nothing was sent.',
  });
}

/** Single keys, without a line end; the terminal is restored afterwards. */
function onKey(react: (key: string) => void): () => void {
  const hear = (text: string) => Array.from(text).forEach((key) => react(key));
  process.stdin.setRawMode(true).setEncoding('utf8').on('data', hear);
  return () => {
    process.stdin.off('data', hear).setRawMode(false).pause();
  };
}

/** While a command listens, signals are its own: libraries that listen as well would end the process. */
function onInterrupt(react: () => void): () => void {
  for (const signal of signals) process.on(signal, react);
  process.on('newListener', refuseSignal);
  return () => {
    process.off('newListener', refuseSignal);
    for (const signal of signals) process.off(signal, react);
  };
}

const signals: readonly (string | symbol)[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

function refuseSignal(event: string | symbol, listener: () => void): void {
  if (signals.includes(event)) process.nextTick(() => process.off(event, listener));
}
