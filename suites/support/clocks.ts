import { type CheckContext, utcDate } from '../checks.ts';

/** The earliest time that the deployment's clock may show: what is past or too near by it is so by any other. */
export function earliestNow(t: CheckContext): number {
  return Math.min(...t.clocks());
}

/** A date that is past in UTC whatever the deployment's clock shows. */
export function pastDate(t: CheckContext): string {
  return utcDate(earliestNow(t), t.clocks().length === 1 ? -1 : -2);
}
