import type { RunResult } from './result.ts';
import { statusTexts } from './statusTexts.ts';
import { formatDuration, formatShare, plural } from './text/format.ts';

/** What each verdict of a run means, for people who see it for the first time. */
export const verdictMeanings = {
  conformant: 'Every must that applies and can be observed was judged, and none failed.',
  partial: 'Nothing failed, but not every must was judged.',
  nonconformant: 'The target breaks a rule of the documents.',
  inconclusive: 'The run could not do what it planned; nothing can be said about the target.',
} as const;

export const verdictMarks = { conformant: '✓', partial: '◐', nonconformant: '✗', inconclusive: '?' } as const;

/** `391 of 505 musts judged (77 %), 3 not applicable, 24 cannot be observed from outside`. */
export function coverageText(result: RunResult, level: 'must' | 'should'): string {
  const { judged, total, excused = 0, notApplicable = 0 } = result.summary.coverage[level];
  return [
    `${judged} of ${plural(total, level)} judged (${formatShare(judged, total)})`,
    ...(notApplicable === 0 ? [] : [`${notApplicable} not applicable`]),
    ...(excused === 0 ? [] : [`${excused} cannot be observed from outside`]),
  ].join(', ');
}

/** `389 passed · 2 failed · …`, without zeros. */
export function countsText({ summary }: RunResult): string {
  const shown = Object.values(statusTexts).map(({ count, words }) => [summary[count] ?? 0, words] as const);
  const texts = shown.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`);
  return texts.join(' · ') || 'nothing judged';
}

/** Follows a verdict: what it is about, if not everything was asked for. */
export function ofSelection({ run }: RunResult): string {
  return run.only === undefined ? '' : ' of a selection';
}

/** `312 requests · 14 callbacks · 9 quota units · 2 min 12 s`. */
export function trafficText({ summary, run }: RunResult): string {
  return [
    plural(summary.requests, 'request'),
    plural(summary.callbacks, 'callback'),
    plural(summary.quotaUnits, 'quota unit'),
    ...(summary.throttled > 0 ? [`${summary.throttled} throttled`] : []),
    formatDuration(run.durationMs),
  ].join(' · ');
}

/** `https://qa.example · profile standard · seed 42`, `https://qa.example · recorded traffic`. */
export function targetText({ target, run }: RunResult): string {
  const hosts = target.baseUrl ?? (Object.values(target.baseUrls).join(', ') || 'no address');
  const where = target.kind === 'url' ? hosts : `${target.kind} target`;
  if (isRecorded(run)) return `${where} · recorded traffic`;
  const shard = run.shard === null ? [] : [`shard ${run.shard.index}/${run.shard.total}`];
  return [where, `profile ${run.profile}`, `seed ${run.seed}`, ...shard].join(' · ');
}

/** Whether a result is of traffic that others caused. */
export function isRecorded({ command }: Pick<RunResult['run'], 'command'>): boolean {
  return /^gatecheck (judge|proxy)\b/.test(command);
}
