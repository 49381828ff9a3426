/** A JSON Schema of draft 2020-12, as used by OpenAPI 3.1 and AsyncAPI 3. */
export type Schema = Readonly<Record<string, unknown>>;

export const text: Schema = { type: 'string' };
export const nonEmptyText: Schema = { type: 'string', minLength: 1 };
export const maybeText: Schema = { type: ['string', 'null'] };
export const anything: Schema = {};

/** Lifecycle timestamps: UTC with milliseconds and Z. */
export const timestamp: Schema = {
  type: 'string',
  format: 'date-time',
  pattern: String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$`,
};

/** An object with these members, the named ones required; further members are allowed. */
export function object(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = [],
): Schema {
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required: [...required] }) };
}

export function listOf(items: Schema, minItems = 0): Schema {
  return { type: 'array', items, ...(minItems === 0 ? {} : { minItems }) };
}

export function enumOf(...values: readonly (string | number | boolean | null)[]): Schema {
  return { enum: [...values] };
}

/** Any of several schemas, if the documents leave open which of them a deployment accepts or gives. */
export function open(point: string, ...alternatives: readonly Schema[]): Schema {
  const [only] = alternatives;
  const mark = { 'x-open-point': point };
  return alternatives.length === 1 ? { ...only, ...mark } : { anyOf: [...alternatives], ...mark };
}

export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** A schema or null. */
export function orNull(schema: Schema): Schema {
  return { anyOf: [schema, { type: 'null' }] };
}

export function described(description: string, schema: Schema): Schema {
  return { ...schema, description };
}
