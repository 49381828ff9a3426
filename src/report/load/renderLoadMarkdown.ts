import { code, escapeMarkdown } from '../text/markdown.ts';
import { plural } from '../text/format.ts';
import type { LoadSummary } from '../../load/summary/summarySchema.ts';
import { capacityText, correctnessText, formatLatency, limiterText, measuredText } from './loadText.ts';
import { formatCount, formatRate } from '../../load/summary/rate.ts';

/** A load for the page of a CI job: its gate, its totals, and the latencies of each operation. */
export function renderLoadMarkdown(load: LoadSummary): string {
  const { counts, limiter, thresholds, operations } = load;
  const missed = counts.missed.late + counts.missed.inFlight + counts.missed.limits;
  return [
    '### Load',
    `${formatRate(load.okPerSecond)} answered · ${formatCount(counts.ok)} ok · ${formatCount(counts.refused)} × 429 · ${plural(counts.errors, 'error')} · ${missed} missed · ${counts.lost} lost, of ${counts.planned} planned`,
    ...(thresholds.length === 0
      ? []
      : [
          thresholds
            .map(
              ({ threshold, met, actual }) =>
                `- ${met ? '✓' : '✗'} ${code(threshold)}: ${escapeMarkdown(measuredText({ actual }))}`,
            )
            .join('\n'),
        ]),
    [
      '| operation | answers | median | 95 % | 99 % | longest |',
      '|---|--:|--:|--:|--:|--:|',
      ...[...operations, { operation: 'all', latency: load.latency }].map(
        ({ operation, latency }) =>
          `| ${operation} | ${latency.count} | ${[latency.p50Ms, latency.p95Ms, latency.p99Ms, latency.maxMs].map(formatLatency).join(' | ')} |`,
      ),
    ].join('\n'),
    ...((load.journeys ?? []).length === 0
      ? []
      : [
          [
            '| journey | begun | done | failed | median | 95 % | 99 % |',
            '|---|--:|--:|--:|--:|--:|--:|',
            ...(load.journeys ?? []).map(
              ({ journey, begun, done, failed, time }) =>
                `| ${escapeMarkdown(journey)} | ${begun} | ${done} | ${failed} | ${[time.p50Ms, time.p95Ms, time.p99Ms].map(formatLatency).join(' | ')} |`,
            ),
          ].join('\n'),
        ]),
    ...(load.capacity === undefined ? [] : [`Capacity: ${escapeMarkdown(capacityText(load.capacity))}.`]),
    ...(load.compared ?? []).map(({ text }) => `Compared with before: ${escapeMarkdown(text)}.`),
    ...(load.correctness === undefined ? [] : [`Correct under load: ${correctnessText(load.correctness)}.`]),
    ...(limiter === null ? [] : [`Rate limiter: ${escapeMarkdown(limiterText(limiter))}.`]),
  ].join('\n\n');
}
