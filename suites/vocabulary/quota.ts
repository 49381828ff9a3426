import * as is from '../../src/spec/kernel/value.ts';
import type { Exchange } from '../../src/core/evidence.ts';
import { memberOf } from '../../src/judge/kernel/body.ts';
import { holds, unclear, type Judgement, numberDue, differs } from '../../src/judge/kernel/judgement.ts';

/** The units that a subscribe says are consumed; null where it shows no quota, which it need not. */
export function consumedUnits(exchange: Exchange): number | null {
  const units = memberOf(exchange, 'quota', 'consumed_units');
  return typeof units === 'number' ? units : null;
}

/** Units that were taken between the ends of two subscribes; null if either shows no quota. */
export function unitsBetween(one: Exchange, other: Exchange): number | null {
  const [before, after] = [consumedUnits(one), consumedUnits(other)];
  return before === null || after === null ? null : after - before;
}

/** Whether an answer shows a quota that is not behind the one that was shown before it; without a quota there is nothing to compare. */
export function notBehind(before: Exchange, after: Exchange): Judgement {
  const units = unitsBetween(before, after);
  if (units === null || units >= 0) return holds;
  const [known, shown] = [before, after].map(consumedUnits);
  const want = is.noted(is.range(known ?? null, null), 'as before');
  return differs('behind', 'quota.consumed_units', want, shown);
}

/**
 * Whether exactly `wanted` units were taken. Others who use the enterprise take units as well, so a wrong number counts
 * only if nobody else made a request meanwhile (`alone`).
 */
export function took(units: number | null, wanted: number, alone: boolean): Judgement {
  if (units === wanted) return holds;
  if (units === null) return unclear('the answers show no quota');
  if (!alone) return unclear(`${units} units were taken, and others made requests meanwhile`);
  return numberDue('units', 'units', wanted, units, 'of the quota');
}
