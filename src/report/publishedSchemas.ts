import { z } from 'zod';
import { resultSchema } from './result.ts';

/** The JSON Schemas that are published in `schemas/`, by file name. */
export function publishedSchemas(): Readonly<Record<string, string>> {
  return { 'result.schema.json': render(resultSchema, 'result.json of a Gatecheck run, schemaVersion 1') };
}

function render(schema: z.ZodType, title: string): string {
  return `${JSON.stringify({ title, ...z.toJSONSchema(schema) }, null, 2)}\n`;
}
