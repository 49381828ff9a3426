import { createRequire } from 'node:module';
import { Ajv, type SchemaObject } from 'ajv';
import formats from 'ajv-formats';

const ajv = new Ajv({ strict: false, allErrors: true });
(formats as unknown as (ajv: Ajv) => void)(ajv);
const schemas = createRequire(import.meta.url)('har-schema') as Readonly<Record<string, SchemaObject>>;
// They name an older draft, of which they use nothing that is different.
for (const { $schema, ...schema } of Object.values(schemas)) ajv.addSchema(schema);

/** What the published schemas of HAR 1.2 have against a value; empty where it is valid. */
export function harFaults(har: unknown): readonly string[] {
  const validate = ajv.getSchema('har.json#');
  if (validate === undefined)
    throw new Error('expected a schema har.json in the package har-schema; got none');
  void validate(har);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
}
