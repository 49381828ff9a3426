import { z } from 'zod';
import { baselineSchema } from './baseline.ts';
import { resultSchema } from './result.ts';

/** The JSON Schemas that are published in `schemas/`, by file name. */
export function publishedSchemas(): Readonly<Record<string, string>> {
  return {
    'result.schema.json': render(resultSchema, 'result.json of a Gatecheck run, schemaVersion 1'),
    'baseline.schema.json': render(baselineSchema, 'Baseline of Gatecheck: known failures', 'input'),
  };
}

function render(schema: z.ZodType, title: string, io: 'input' | 'output' = 'output'): string {
  return `${JSON.stringify({ title, ...z.toJSONSchema(schema, { io }) }, null, 2)}\n`;
}
