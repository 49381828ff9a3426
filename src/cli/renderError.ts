import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../catalogue/packageRoot.ts';
import { exitCodes, GatecheckError, targetError, type ExitCode } from '../core/errors.ts';
import { printable } from '../report/text/printable.ts';
import type { Io } from '../core/io.ts';
import { fullDiskError } from '../core/storageFault.ts';

/** The exit code for an error; anything but our own errors, and those of the user's own code, is a bug in Gatecheck. */
export function exitCodeOf(error: unknown): ExitCode {
  const told = foreignFault(error) ?? error;
  return told instanceof GatecheckError ? told.exitCode : exitCodes.internal;
}

/** What is told of a process that neither Gatecheck nor a signal ended. */
export function endedByOthers(code: number): GatecheckError {
  return targetError(
    'ENDED_BY_OTHERS',
    `Expected nobody else to end this process; got process.exit(${code}) by a journey or a config file of your own, or by a package that it uses`,
    'Nothing is judged by what was done until then. Let it throw an error instead, which is told as its own.',
  );
}

/** An error that code of the user's own threw where nobody could catch it, as in a timer. */
function foreignFault(error: unknown): GatecheckError | null {
  const place = error instanceof GatecheckError ? null : foreignPlace(error);
  if (place === null) return null;
  const { name, message } = error as Error;
  return targetError(
    'FOREIGN_FAULT',
    `Expected code of your own to catch its errors; got ${name}: ${sentence(message.split('\n')[0] ?? '')} It was thrown at ${place}, where nobody waits for it, which ended the process`,
    'Await what may fail, or catch it there.',
    error,
  );
}

/** An error for people: one line per fault. The stack is shown only with GATECHECK_DEBUG=1. */
export function renderError(error: unknown, { env, stderr }: Pick<Io, 'env' | 'stderr'>): string {
  const label = stderr.palette.bold(stderr.palette.red('error:'));
  const told = fullDiskError(error) ?? foreignFault(error) ?? error;
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

/**
 * Where an error that nobody caught was thrown, such as `/home/me/journeys.ts:12:9`, if that is code of the user's own (a journey, a
 * config file) and neither Gatecheck nor a package. Null otherwise.
 */
function foreignPlace(error: unknown, root = packageRoot()): string | null {
  if (!(error instanceof Error)) return null;
  const places = (error.stack ?? '').split('\n').flatMap((line) => placeOf(line) ?? []);
  const [first] = places.filter((place) => !place.startsWith('node:'));
  if (first === undefined || first.startsWith(root) || first.includes('/node_modules/')) return null;
  return first;
}

/** The place that a line of a stack names. */
function placeOf(line: string): string | null {
  const [, place] = /^\s+at (?:.*\()?((?:file:|node:|\/|[A-Za-z]:\\).*:\d+:\d+)\)?$/.exec(line) ?? [];
  if (place === undefined) return null;
  const [, address = '', at = ''] = /^(.*)(:\d+:\d+)$/.exec(place) ?? [];
  return address.startsWith('file:') ? `${fileURLToPath(address.replace(/\?.*$/, ''))}${at}` : place;
}
