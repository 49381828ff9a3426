import { readFile } from 'node:fs/promises';
import { usageError } from '../core/errors.ts';
import type { ComparedLoad } from '../load/compareLoads.ts';
import { resultSchema } from '../report/result.ts';

/** The load of a stored result; a usage error if the file contains none. */
export async function readLoad(file: string): Promise<ComparedLoad> {
  const read = await readFile(file, 'utf8').then(
    (text) => resultSchema.safeParse(parse(text)),
    (error: unknown) => error as Error,
  );
  if (read instanceof Error || !read.success || read.data.load === undefined)
    throw usageError(
      'COMPARE',
      `--compare: expected the result.json of an earlier load; got ${file}, ${read instanceof Error ? read.message : 'which holds none'}.`,
    );
  return read.data.load;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
