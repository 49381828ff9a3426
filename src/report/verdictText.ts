import type { RunResult } from './result.ts';
import { formatDuration, formatShare, plural } from './text/format.ts';

/** `391 of 505 musts judged (77 %), 3 not applicable, 24 cannot be observed from outside`. */
export function coverageText(result: RunResult, level: 'must' | 'should'): string {
  const { judged, total, excused = 0, notApplicable = 0 } = result.summary.coverage[level];
  return [
    `${judged} of ${plural(total, level)} judged (${formatShare(judged, total)})`,
    ...(notApplicable === 0 ? [] : [`${notApplicable} not applicable`]),
    ...(excused === 0 ? [] : [`${excused} cannot be observed from outside`]),
  ].join(', ');
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
  // A load has no profile: its result has the default one.
  const profile = /^gatecheck load\b/.test(run.command) ? [] : [`profile ${run.profile}`];
  return [where, ...profile, `seed ${run.seed}`, ...shard].join(' · ');
}

/** Whether a result is of traffic that others caused. */
export function isRecorded({ command }: Pick<RunResult['run'], 'command'>): boolean {
  return /^gatecheck (judge|proxy)\b/.test(command);
}
