import type { PlannedCheck } from '../plan/plan.ts';
import type { StateHandler } from '../target/stateHandler.ts';
import type { EngineCheck } from './suite.ts';

type Planned = PlannedCheck<EngineCheck>;

/**
 * The order in which checks start. A limiter that throttles more than the key makes a run impossible: where a few minutes
 * of the clock show it, they come first. Time never goes back: all else that moves the clock comes last, after what
 * depends on records and flights of today.
 */
export function inOrder(checks: readonly Planned[], clock: StateHandler['clock']): readonly Planned[] {
  const isFirst = (one: Planned) => one.check.needs.includes('limit-minute') && clock.has('rate-limits');
  const isLast = (one: Planned) => !isFirst(one) && movesClock(one);
  return [
    ...checks.filter(isFirst),
    ...checks.filter((one) => !isFirst(one) && !isLast(one)),
    ...checks.filter(isLast),
  ];
}

function movesClock({ check }: Planned): boolean {
  return check.needs.some((need) => ['state:clock.advance', 'limit-minute', 'limit-hour'].includes(need));
}
