import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../catalogue/packageRoot.ts';
import { type ExitCode, exitCodes, GatecheckError } from '../core/errors.ts';
import { printable } from '../report/text/printable.ts';
import type { Io } from '../core/io.ts';
import { fullDiskError } from '../core/storageFault.ts';

/** The exit code for an error; anything but our own errors is a bug in Gatecheck. */
export function exitCodeOf(error: unknown): ExitCode {
  return error instanceof GatecheckError ? error.exitCode : exitCodes.internal;
}

/** An error for people: one line per fault. The stack is shown only with GATECHECK_DEBUG=1. */
export function renderError(error: unknown, { env, stderr }: Pick<Io, 'env' | 'stderr'>): string {
  const label = stderr.palette.bold(stderr.palette.red('error:'));
  const told = fullDiskError(error) ?? error;
  const text = told instanceof GatecheckError ? messageText(told) : internalText(told);
  const stack = env.GATECHECK_DEBUG === '1' ? `${stackOf(error)}\n` : '';
  return `${label} ${printable(text)}\n${printable(stack)}`;
}

/** Each line of the message is a fault; an indented line belongs to the fault before it. */
function messageText({ message, hint }: GatecheckError): string {
  const lines = message.split('\n');
  const faults = lines.filter((line) => !line.startsWith(' ')).length;
  const list = faults === 1 ? message : [`${faults} problems`, ...lines].join('\n  ');
  if (hint === undefined) return list;
  return lines.length === 1 ? `${sentence(message)} ${hint}` : `${list}\n  ${hint}`;
}

function internalText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (
    `Gatecheck itself failed: ${sentence(message.split('\n')[0] ?? '')}\n` +
    `  GATECHECK_DEBUG=1 shows where. Please report it, with the command line, ${reportPlace()}.`
  );
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\ncaused by ${stackOf(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}

/** The issue tracker named in package.json. */
function reportPlace(): string {
  const manifest = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as {
    bugs?: string | { url?: string };
  };
  const url = typeof manifest.bugs === 'string' ? manifest.bugs : manifest.bugs?.url;
  return url === undefined ? 'to the people who maintain your copy of Gatecheck' : `at ${url}`;
}
