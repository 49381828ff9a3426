/** JSON as it is built here: plain data that is never changed in place. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [member: string]: JsonValue;
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member as a list of objects; anything else in it is left out. */
export function objectsAt(body: JsonObject, member: string): readonly JsonObject[] {
  const list = body[member];
  return Array.isArray(list) ? (list as readonly JsonValue[]).filter(isJsonObject) : [];
}

/** The member as text; empty if it is not a text. */
export function textAt(object: JsonObject, member: string): string {
  const text = object[member];
  return typeof text === 'string' ? text : '';
}

/** A copy without these members. */
export function without(body: JsonObject, ...members: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !members.includes(name)));
}
