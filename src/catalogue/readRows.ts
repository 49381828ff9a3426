import { basename } from 'node:path';
import { z } from 'zod';
import { catalogueError } from './catalogueError.ts';
import { readYaml } from './readYaml.ts';

/** Reads one YAML file with a list of rows; an error names the file, the row and the field. */
export function readRows<T>(path: string, schema: z.ZodType<T>): T[] {
  const file = basename(path);
  const list = z.array(z.unknown()).safeParse(readList(path, file));
  if (!list.success) throw catalogueError(file, 'expected a list of rows');
  return list.data.map((raw, index) => {
    const row = schema.safeParse(raw, { reportInput: true });
    if (row.success) return row.data;
    throw catalogueError(`${file}, ${rowName(raw, index)}`, faults(row.error), row.error);
  });
}

function readList(path: string, file: string): unknown {
  try {
    return readYaml(path);
  } catch (cause) {
    throw catalogueError(file, cause instanceof Error ? cause.message : 'expected readable YAML', cause);
  }
}

function rowName(raw: unknown, index: number): string {
  const named = z.object({ id: z.string() }).safeParse(raw);
  return named.success ? `row ${named.data.id}` : `row number ${index + 1}`;
}

function faults(error: z.ZodError): string {
  return error.issues.map((issue) => `${fieldOf(issue)}${issue.message}${foundIn(issue)}`).join('; ');
}

function fieldOf({ path }: z.core.$ZodIssue): string {
  return path.length === 0 ? '' : `field ${path.join('.')}: `;
}

function foundIn({ code, input }: z.core.$ZodIssue): string {
  return code === 'invalid_value' || code === 'invalid_format' ? `, found ${JSON.stringify(input)}` : '';
}
