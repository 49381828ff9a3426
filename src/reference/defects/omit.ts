/** A copy of an object without one member. */
export function omit(object: Readonly<Record<string, unknown>>, member: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== member));
}
