import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { z } from 'zod';
import { usageError } from '../core/errors.ts';
import { quotedArgument } from '../core/quotedArgument.ts';
import { isOfShell, requirePlainFile } from '../core/plainFile.ts';
import { fieldName } from '../settings/wording.ts';
import { isObject } from '../judge/kernel/body.ts';
import { reportFiles } from './reportDir.ts';
import { resultSchema, type RunResult } from './result.ts';

/** Reads a result file. Throws `NO_RESULT` if there is none and `BAD_RESULT` if it is not one of Gatecheck's. */
export async function readResult(path: string): Promise<RunResult> {
  if (!isOfShell(path)) requirePlainFile('the result of an earlier run', path);
  const given = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw usageError(
      'NO_RESULT',
      `Expected the result of an earlier run at ${path}; got ${unreadable(cause)}.`,
      hasJournal(path)
        ? `gatecheck report ${quotedArgument(dirname(path))} makes it from the journal that is there; or name another report directory.`
        : 'Name the report directory of that run.',
    );
  });
  const text = given.replace(/^\uFEFF/, '');
  const read = parseJson(text);
  const parsed = resultSchema.safeParse(read);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const fault =
    read === undefined
      ? text.trim() === ''
        ? 'an empty file'
        : 'text that is not JSON'
      : (otherVersion(read) ?? otherForm(issue));
  throw usageError(
    'BAD_RESULT',
    `Expected the result.json of an earlier run at ${path}; got ${fault}.`,
    advice(path),
  );
}

/** A report directory means the result in it. */
export async function resultFile(given: string): Promise<string> {
  const file = resolve(given);
  const isFolder = await stat(file).then(
    (found) => found.isDirectory(),
    () => !file.endsWith('.json'),
  );
  return isFolder ? join(file, reportFiles.result) : file;
}

function unreadable(cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR' ? 'no such file' : message;
}

function advice(path: string): string {
  if (hasJournal(path))
    return `The journal of that run, ${reportFiles.evidence}, is beside it: move ${reportFiles.result} away, and gatecheck report makes a new one from the journal.`;
  const beside = join(dirname(path), reportFiles.result);
  return path !== beside && existsSync(beside)
    ? `Name the report directory, ${dirname(path)}, or the ${reportFiles.result} in it.`
    : `Name the report directory of a run, or the ${reportFiles.result} in it; one that was written by another version or cut short cannot be read.`;
}

/** Whether a killed run left a journal where its result would be. */
function hasJournal(path: string): boolean {
  return basename(path) === reportFiles.result && existsSync(join(dirname(path), reportFiles.evidence));
}

/** What a result of another version is called; null if it names none. */
function otherVersion(read: unknown): string | null {
  const { schemaVersion = null } = isObject(read) ? read : {};
  const own = resultSchema.shape.schemaVersion.value;
  return typeof schemaVersion === 'number' && schemaVersion !== own
    ? `one of another version of Gatecheck (schemaVersion ${schemaVersion} in place of ${own})`
    : null;
}

function otherForm(issue: z.core.$ZodIssue | undefined): string {
  const place = fieldName(issue?.path ?? []);
  return `JSON of another form (${place === '' ? '' : `${place}: `}${issue?.message ?? 'not a result'})`;
}

/** Undefined if it is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
