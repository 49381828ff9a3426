import { type CheckContext, minuteMs, readInstant, utcDate } from '../checks.ts';

/** The earliest time that the deployment's clock may show: what is past or too near by it is so by any other. */
export function earliestNow(t: CheckContext): number {
  return Math.min(...t.clocks());
}

/** Seconds from now to the next time that the deployment's clock shows a time of day in UTC. */
export function secondsTo(t: CheckContext, hour: number, minute: number): number {
  const now = t.now();
  const today = Date.parse(`${utcDate(now)}T00:00:00Z`) + (hour * 60 + minute) * minuteMs;
  return Math.ceil(((today > now ? today : today + 1440 * minuteMs) - now) / 1000);
}

/** A date that is past in UTC whatever the deployment's clock shows. */
export function pastDate(t: CheckContext): string {
  return utcDate(earliestNow(t), t.clocks().length === 1 ? -1 : -2);
}

/**
 * Waits until a newly written time differs from this one. Some deployments store whole seconds; if a time shows milliseconds,
 * the wait is short.
 */
export async function untilTick(t: CheckContext, shown: unknown): Promise<void> {
  await t.sleep(t.grace(tickMs(shown)));
}

const finestMs = 10;

/** How far apart times must be for a deployment that writes this one to distinguish them, plus a little. */
export function tickMs(shown: unknown): number {
  const at = readInstant(shown);
  const step = at === null ? 1000 : ([1000, 100].find((one) => at % one === 0) ?? finestMs);
  return step + Math.max(40, step / 10);
}

/** The next year with a 29th of February that is still to come. */
export function leapYearAfter(now: number): number {
  const next = new Date(now).getUTCFullYear() + 1;
  return next + ((4 - (next % 4)) % 4);
}
