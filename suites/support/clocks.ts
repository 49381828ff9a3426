import { type CheckContext, parseTimestamp, utcDate } from '../checks.ts';

/** The earliest time that the deployment's clock may show: what is past or too near by it is so by any other. */
export function earliestNow(t: CheckContext): number {
  return Math.min(...t.clocks());
}

/** A date that is past in UTC whatever the deployment's clock shows. */
export function pastDate(t: CheckContext): string {
  return utcDate(earliestNow(t), t.clocks().length === 1 ? -1 : -2);
}

/**
 * Waits until a time that is written anew differs from this one. Some deployments keep whole seconds; where a time shows
 * milliseconds, nobody has to wait so long.
 */
export async function untilTick(t: CheckContext, shown: unknown): Promise<void> {
  await t.sleep(t.grace(tickMs(shown)));
}

const finestMs = 10;

/** How far times are apart that a deployment with this one tells from each other, and a little more. */
export function tickMs(shown: unknown): number {
  const at = parseTimestamp(shown);
  const step = at === null ? 1000 : ([1000, 100].find((one) => at % one === 0) ?? finestMs);
  return step + Math.max(40, step / 10);
}
