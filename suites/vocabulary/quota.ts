import type { Exchange } from '../../src/core/evidence.ts';
import { memberOf } from '../../src/judge/kernel/body.ts';

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
