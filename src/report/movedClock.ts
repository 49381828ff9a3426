import type { Finding } from '../engine/findings/finding.ts';
import type { StateLine } from './page/pageData.ts';
import { jsonOf, leavesOf } from './member.ts';
import { formatDuration } from './text/format.ts';

/** A note that Gatecheck had moved the server's clock, for readers of times in an answer; null if it had not. */
export function movedClockText(states: readonly StateLine[], at: number): string | null {
  const moved = states
    .filter(({ data, at: when }) => data.state === 'clock.advance' && Date.parse(when) <= at)
    .reduce((sum, { data }) => sum + secondsOf(data.params), 0);
  if (moved <= 0) return null;
  return `By then Gatecheck had moved the server's clock ahead by ${formatDuration(moved * 1000)}: its times are later than those of arrival.`;
}

/** Whether a finding is about a time of day. */
export function namesTime({ want, got }: Pick<Finding, 'want' | 'got'>): boolean {
  if (got?.kind === 'off') return true;
  const values = [jsonOf(want), jsonOf(got)].flatMap(leavesOf);
  return values.some((value) => /\d\d:\d\d/.test(`${value}`));
}

function secondsOf(params: string): number {
  const seconds = Number(/"seconds":\s*([\d.]+)/.exec(params)?.[1] ?? 0);
  return Number.isFinite(seconds) ? seconds : 0;
}
