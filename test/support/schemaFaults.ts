import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';

const ajv = new Ajv({ strict: true, strictRequired: false, allErrors: true });
(formats as unknown as (ajv: Ajv) => void)(ajv);

/** What a schema of `test/schemas` has against a value; empty where it is valid. */
export function schemaFaults(name: string, value: unknown): readonly string[] {
  const path = join(import.meta.dirname, '../schemas', `${name}.schema.json`);
  const validate = ajv.compile(JSON.parse(readFileSync(path, 'utf8')) as object);
  void validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
}
