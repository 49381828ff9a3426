import { fillsOwnKeys, refusing, runsAlone } from '../../plan/check.ts';
import type { PlannedCheck } from '../../plan/plan.ts';
import { byInformative, isInformative } from '../../plan/informative.ts';
import type { StateHandler } from '../../target/stateHandler.ts';
import type { Task } from './scheduler.ts';
import { isExplorer } from './explorer.ts';
import type { EngineCheck } from '../suite.ts';

type Planned = PlannedCheck<EngineCheck>;

/** Tag of checks that look once more when everything else is done, so that the oracles see the consequences. */
export const lastLook = 'last-look';

/**
 * The order in which checks start. A limiter that throttles more than the key makes a run impossible: if a few minutes of the
 * clock can show that, the limit checks come first. What shows most per request comes next, as measured by the proof. Checks
 * that wait for callbacks start before those that do not, so that the waiting costs no time; checks that refuse deliveries come
 * after both, since silence is never certain while a deployment repeats them. Time never goes back: everything else that moves
 * the clock comes last, after what depends on records and flights of today. The explorer takes what they leave, and the last look
 * follows them all.
 */
export function runningOrder(checks: readonly Planned[], clock: StateHandler['clock']): readonly Planned[] {
  const rankOf = (one: Planned) => {
    if (looksLast(one)) return 7;
    if (explores(one)) return 6;
    if (isFirst(one, clock)) return 0;
    if (movesClock(one)) return 5;
    if (one.check.tags.includes(refusing)) return 4;
    if (isInformative(one.check.id)) return 1;
    return needs(one, ['sink', 'public-sink']) ? 2 : 3;
  };
  const telling = checks.toSorted((one, other) => byInformative(one.check.id, other.check.id));
  return [0, 1, 2, 3, 4, 5, 6, 7].flatMap((rank) => telling.filter((one) => rankOf(one) === rank));
}

/** Checks that show within a few minutes of the clock whether a run is possible at all. */
export function isFirst(planned: Planned, clock: StateHandler['clock']): boolean {
  return needs(planned, ['limit-minute']) && clock.has('rate-limits');
}

/**
 * What may run at the same time as a check: nothing, if it changes more than records of its enterprise. Checks that fill budgets
 * of their own keys have to be alone only as long as the limit may not be per key.
 */
export function besideOf(planned: Planned, isLimitByKey = false): Task['beside'] {
  if (looksLast(planned) || explores(planned)) return 'nothing';
  if (!runsAlone(planned.check, planned.cases)) return 'others';
  if (isLimitByKey && fillsOwnKeys(planned.check)) return 'others';
  return movesClock(planned) || needs(planned, worldStates) ? 'nothing' : 'resting';
}

/** Checks that refuse deliveries come after all that wait until nothing is pending, except those that move the clock themselves. */
export function whenOf(planned: Planned): NonNullable<Task['when']> {
  if (movesClock(planned)) return 'any';
  if (planned.check.tags.includes(refusing)) return 'late';
  return needs(planned, ['sink', 'public-sink']) ? 'early' : 'any';
}

const worldStates = ['fillable-limits', 'real-time', 'state:provider.fail', 'state:automation.set'];

function explores({ check }: Planned): boolean {
  return isExplorer(check);
}

function looksLast({ check }: Planned): boolean {
  return check.tags.includes(lastLook);
}

/** Whether a check judges a limiter by the times of its requests: then nothing but the check moves the clock between them. */
export function holdsClock(planned: Planned): boolean {
  return needs(planned, ['fillable-limits', 'real-time']);
}

function movesClock(planned: Planned): boolean {
  return needs(planned, ['state:clock.advance', 'limit-minute', 'limit-hour']);
}

function needs({ check }: Planned, any: readonly string[]): boolean {
  return check.needs.some((need) => any.includes(need));
}
