import { plainPalette, type Palette } from '../../core/palette.ts';
import type { RunResult } from '../result.ts';
import { formatDuration, formatShare, plural } from '../text/format.ts';
import { oneLine, shorten } from '../text/printable.ts';
import { renderHeadline } from '../renderConsole.ts';
import { findingState, stateText } from '../states.ts';
import {
  capacityText,
  changesText,
  correctnessText,
  journeyText,
  latencyText,
  limiterText,
  measuredText,
  senderText,
} from './loadText.ts';
import { formatCount, formatRate } from '../../load/summary/rate.ts';

/** The final output of a load on a terminal; text from the target cannot control the terminal. */
export function renderLoadConsole(
  result: RunResult,
  reports: readonly string[],
  palette: Palette = plainPalette,
): string {
  const { load } = result;
  if (load === undefined) return '';
  const lines = [
    ...verdictLines(result, palette),
    ...figures(load),
    ...extras(load),
    ...result.findings.map((finding) => {
      const state = findingState(finding);
      const paint = state === 'fail' ? palette.red : palette.yellow;
      return `  ${paint(stateText(state))} ${shown(`${finding.requirement} ${finding.message}`)}`;
    }),
    ...(load.limiter === null ? [] : [`  limiter  ${limiterText(load.limiter)}`]),
    ...(load.workers === null ? [] : [workersText(load.workers)]),
    ...load.thresholds.map(({ threshold, met, actual, samples }) => {
      const mark = met ? palette.green('✓') : palette.red('✗');
      return `  ${mark} ${threshold}  ${measuredText({ actual })} of ${formatCount(samples)} ${samples === 1 ? 'sample' : 'samples'}`;
    }),
    ...errorsOf(load).map((text) => palette.dim(`  ${shown(text)}`)),
  ];
  return `${lines.join('\n')}\n\n${reports.map((path) => `  ${palette.cyan(shown(path))}`).join('\n')}\n`;
}

/** The verdict, why it is not better, and the counts. */
export function renderLoadVerdict(result: RunResult, palette: Palette = plainPalette): string {
  if (result.load === undefined) return '';
  return `${[...verdictLines(result, palette), ...figures(result.load).slice(0, 2)].join('\n')}\n`;
}

function verdictLines(result: RunResult, palette: Palette): string[] {
  const { load, summary, run } = result;
  return [
    `${renderHeadline(result, palette)}  ${palette.dim(`${load?.mode ?? ''} · seed ${run.seed}`)}`,
    ...(summary.reasons ?? []).map((reason) => `  ${shown(reason)}`),
  ];
}

type Load = NonNullable<RunResult['load']>;

/** What every load has: counts and latencies, in total and by operation. */
function figures(load: Load): string[] {
  const { counts } = load;
  const missed = counts.missed.late + counts.missed.inFlight + counts.missed.limits;
  const warmUp = counts.warmUp === undefined ? '' : `, ${counts.warmUp} of them to warm up`;
  return [
    `  ${formatRate(load.okPerSecond)} ok · ${formatRate(load.sentPerSecond)} sent · ${formatDuration(load.elapsedMs)}`,
    `  ${formatCount(counts.ok)} ok · ${formatCount(counts.refused)} × 429 (${formatShare(counts.refused, counts.sent)}) · ${plural(counts.errors, 'error')} · ${formatCount(missed)} missed · ${formatCount(counts.lost)} lost, of ${formatCount(counts.planned)} planned${warmUp}`,
    `  latency  ${latencyText(load.latency)}`,
    ...(load.mode === 'open' ? [`  sent late by ${latencyText(load.lateness)}`] : []),
    ...load.operations.flatMap(({ operation, latency, statuses }) => [
      `  ${operation.padEnd(13)} ${latencyText(latency)} · ${statuses.map(({ status, count }) => `${formatCount(count)} × ${status}`).join(', ')}`,
    ]),
  ];
}

/** What only some loads have: callbacks, journeys, tenants, a search, a comparison. */
function extras(load: Load): string[] {
  return [
    ...(load.callbacks === null ? [] : [`  callbacks     ${latencyText(load.callbacks)}`]),
    ...(load.journeys ?? []).flatMap((journey) => [
      `  ${journey.journey.padEnd(20)} ${journeyText(journey)}`,
      ...journey.failures
        .slice(0, 3)
        .map(({ step, why, count }) => shown(`    ${count} × ${step === '' ? '' : `${step}: `}${why}`)),
    ]),
    ...(load.sender === undefined ? [] : [`  sender   ${senderText(load.sender)}`]),
    ...(load.capacity === undefined ? [] : [shown(`  capacity  ${capacityText(load.capacity)}`)]),
    ...(load.compared ?? []).map(({ text }) => `  compared  ${shown(text)}`),
    ...(load.changes === undefined ? [] : [`  webhooks  ${changesText(load.changes)}`]),
    ...(load.correctness === undefined ? [] : [`  right?   ${correctnessText(load.correctness)}`]),
  ];
}

function workersText({ took, takenOver }: NonNullable<Load['workers']>): string {
  const shares = took.map(({ worker, sent }) => `${worker} ${formatCount(sent)}`).join(' · ');
  return `  workers  ${shares}${takenOver > 0 ? ` · ${plural(takenOver, 'part')} taken over` : ''}`;
}

function errorsOf(load: Load): string[] {
  return load.operations.flatMap(({ operation, statuses }) =>
    statuses
      .filter(({ kind }) => kind === 'error')
      .map(({ status, example }) => `${operation} ${status}: ${example ?? ''}`),
  );
}

function shown(text: string): string {
  return oneLine(shorten(text, 600));
}
