import * as fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../spec/kit/json.ts';

type Fields = Readonly<Record<string, fc.Arbitrary<JsonValue>>>;

/** An object with all required fields, in which each optional one is absent, null or filled. */
export function withOptional(required: Fields, optional: Fields): fc.Arbitrary<JsonObject> {
  const nullable = Object.entries(optional).map(([name, field]) => [name, fc.option(field, { nil: null })]);
  const fields: Fields = { ...required, ...(Object.fromEntries(nullable) as Fields) };
  return fc.record(fields, { requiredKeys: Object.keys(required), noNullPrototype: true });
}

/** An object with every field filled. */
export function filled(fields: Fields): fc.Arbitrary<JsonObject> {
  return fc.record(fields, { noNullPrototype: true });
}
