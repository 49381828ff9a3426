const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Epoch milliseconds of a lifecycle timestamp, `YYYY-MM-DDTHH:mm:ss.sssZ` of a real instant; null for anything else. */
export function parseTimestamp(value: unknown): number | null {
  if (typeof value !== 'string' || !form.test(value)) return null;
  const instant = Date.parse(value);
  // Date.parse rolls 30 February over into March; the way back shows it.
  return !Number.isNaN(instant) && new Date(instant).toISOString() === value ? instant : null;
}
