import type { Settings } from '../../core/settings.ts';
import type { Plan } from '../../plan/plan.ts';
import type { CommandEvent } from './commandEvents.ts';

/** A plan as `--json` prints it: an event for each check, and the totals at the end. */
export function planEvents(
  { checks, skipped, total, expectedMs }: Plan,
  { profile, seed }: Settings,
): readonly CommandEvent[] {
  return [
    ...checks.map(
      ({ check: { id, title, verifies }, cases, cost }) =>
        ({ name: 'check-planned', check: id, title, verifies, cases, ...cost }) as const,
    ),
    ...skipped.map(
      ({ check: { id, title }, cause, reason, hint }) =>
        ({ name: 'check-skipped', check: id, title, cause, reason, hint }) as const,
    ),
    {
      ...{ name: 'plan-made', profile, seed, checks: checks.length, skipped: skipped.length },
      ...{ ...total, expectedMs },
    },
  ];
}
