import { readFile } from 'node:fs/promises';
import { usageError } from '../core/errors.ts';
import { resultSchema, type RunResult } from './result.ts';

/** Reads a result file. Throws `NO_RESULT` if there is none and `BAD_RESULT` if it is not one of Gatecheck's. */
export async function loadResult(path: string): Promise<RunResult> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw usageError(
      'NO_RESULT',
      `Expected the result of an earlier run at ${path}.`,
      'Name the report directory of that run.',
    );
  });
  const parsed = resultSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw usageError(
    'BAD_RESULT',
    `Expected a result file of Gatecheck at ${path}: ${parsed.error.issues[0]?.message ?? ''}.`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
