/** An object within a snapshot or a notification. */
export type Part = Record<string, unknown>;

export function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
