export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [member: string]: Json;
}

type Reviver = (name: string, value: Json, context: { readonly source?: string }) => Json;

/** What the library of TypeScript does not know yet. */
const exact = JSON as unknown as {
  parse(text: string, reviver: Reviver): Json;
  rawJSON(text: string): Json;
  isRawJSON(value: unknown): boolean;
};

const strictText = new TextDecoder('utf-8', { fatal: true });

/** The JSON value of a body; undefined where it is none. */
export function readJson(bytes: Uint8Array): Json | undefined {
  try {
    return readJsonText(strictText.decode(bytes));
  } catch {
    return undefined;
  }
}

/** The JSON value of a text; numbers that JavaScript does not hold exactly stay as they are spelled. Throws where it is none. */
export function readJsonText(text: string): Json {
  return exact.parse(text, (_name, value, { source }) =>
    typeof value === 'number' && source !== undefined && Math.abs(value) > Number.MAX_SAFE_INTEGER
      ? exact.rawJSON(source)
      : value,
  );
}

export function writeJson(value: Json): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}

/** A JSON object; a number that is kept as it is spelled is none. */
export function isMembers(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !exact.isRawJSON(value);
}

export function isItems(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** A text as it is, anything else as JSON. */
export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : canonical(value);
}

/** Whether two values are the same, whatever the order of their members is. */
export function isSame(one: Json | undefined, other: Json | undefined): boolean {
  return one === other || canonical(one) === canonical(other);
}

/** One text for all spellings of a value. */
export function canonical(value: Json | undefined): string {
  if (isItems(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isMembers(value)) return value === undefined ? 'nothing' : JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
}
