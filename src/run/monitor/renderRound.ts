import type { RunResult } from '../../report/result.ts';
import { plural } from '../../report/text/format.ts';
import { hasLost, isBlind, type Alert } from './change.ts';
import type { MonitorMemory } from './memory.ts';
import { renderTurn } from './turn.ts';

/** What an alert is called where it is printed. */
export const labels: Readonly<Record<Alert['kind'], string>> = {
  failing: 'ALERT, fails',
  recovered: 'RECOVERED',
  lost: 'ALERT, nothing can be judged',
  back: 'RECOVERED',
};

/** Why a round could not do all that it planned, without the counts that its line has or that follow from it. */
export function reasonOf({ summary }: RunResult): string {
  const counted = `${plural(summary.failed, 'requirement')} failed.`;
  const reasons = summary.reasons?.filter((reason) => reason !== counted) ?? [];
  return reasons.slice(0, 2).join(' ');
}

/** The line that tells of a round. */
export function renderRound(
  result: RunResult | null,
  why: string,
  { requests, quota, turn }: MonitorMemory,
): string {
  if (result === null) return `could not judge: ${why}`;
  const { verdict, passed, failed, coverage } = result.summary;
  const reason = why.replace(/\.$/, '');
  const judged = isBlind(result)
    ? `nothing judged: ${reason}`
    : `${passed} passed, ${failed} failed, ${coverage.must.judged} musts judged${hasLost(result) ? ` (${reason})` : ''}`;
  return `${verdict}: ${judged}; today ${requests} requests, ${quota} quota units; ${renderTurn(turn, coverage.must.total)}`;
}
