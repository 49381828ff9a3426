import type { Exchange } from '../../src/core/evidence.ts';
import { memberOf } from '../../src/judge/kernel/body.ts';
import { holds, unclear, type Judgement, numberDue } from '../../src/judge/kernel/judgement.ts';

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
