import type { Settings } from '../core/settings.ts';
import type { EngineCheck } from '../engine/suite.ts';
import { minuteSchedule } from '../limits/schedule.ts';
import { ownershipOf } from '../plan/budgets.ts';
import type { Plan } from '../plan/plan.ts';
import { formatDuration, plural } from '../report/text/format.ts';

/** How long the checks wait if no state handler moves the clock, in milliseconds. */
const waits: Readonly<Record<string, number>> = {
  'shared.limits.minute': 62_000 + 160_000,
  'shared.limits.connections': 62_000,
  'shared.limits.retry-after': 62_000 + 65_000,
  'shared.limits.hour-awaited': 24 * 60_000,
};

/** What a verification will send, in a line or two, before anything is sent. */
export function limitsForecast(plan: Plan<EngineCheck>, settings: Settings): string {
  const checks = plan.checks.filter(({ check }) => check.kind !== 'passive');
  const isMoved =
    settings.target.kind === 'embedded' || (settings.stateHandler !== null && !settings.readOnly);
  const waiting = isMoved ? 0 : checks.reduce((sum, { check }) => sum + (waits[check.id] ?? 0), 0);
  const { perMinute } = settings.limits;
  const burst = Math.max(...minuteSchedule(perMinute, 60_000).map(({ count }) => count));
  const most = ownershipOf(settings) === 'foreign' ? burst : Math.max(burst, 200);
  const time = waiting === 0 ? 'seconds, since the clock is moved' : `about ${formatDuration(waiting)}`;
  return [
    `limits: ${plural(checks.length, 'check')}, at most ${plural(plan.total.requests, 'request')}, up to ${most} at once, ${time}`,
    `limits: exceeds the limits on purpose, so the keys get 429 for a while; they must not be in use elsewhere`,
  ].join('\n');
}
