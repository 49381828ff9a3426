import type { UpstreamLeg } from './subscriptions.ts';

/** A leg after upstream reported changes: merged field by field, `alternateInfo` replaced whole. */
export function mergeChanges(leg: UpstreamLeg, changes: UpstreamLeg): UpstreamLeg {
  const merged: Record<string, unknown> = { ...leg };
  for (const [name, value] of Object.entries(changes)) {
    const before = leg[name];
    merged[name] = isObject(before) && isObject(value) ? { ...before, ...value } : value;
  }
  return merged;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
