import type { LoadSummary } from '../../load/summary/summarySchema.ts';
import { boundText } from '../../load/plan/plan.ts';
import { whenText } from '../../load/judge/judgeShare.ts';
import {
  capacityText,
  correctnessText,
  formatLatency,
  latencyText,
  limiterText,
  measuredText,
  stagesText,
  senderText,
} from '../load/loadText.ts';
import { formatCount, formatRate } from '../../load/summary/rate.ts';
import { formatShare, plural } from '../text/format.ts';
import { shorten } from '../text/printable.ts';
import { html, type Html } from './html.ts';
import { renderBounded, renderCourse, renderCurve, renderKnee, type LatencyPoints } from './loadPlots.ts';
import { renderTableSection } from './tables.ts';

/** The results of a load: its gate, its totals, its course, and the figures of each operation. */
export function renderLoad(load: LoadSummary): Html {
  return html`<section id="load">
      <h2>Load</h2>
      <div class="card">
        ${load.thresholds.length === 0 ? null : html`<dl>${load.thresholds.map(renderThreshold)}</dl>`}
        <ul class="facts">
          ${factsOf(load).map(([value, what]) => html`<li><b>${value}</b> ${what}</li>`)}
        </ul>
        <p class="soft">${planText(load)}</p>
        ${load.sender === undefined ? null : html`<p class="soft">Sender: ${senderText(load.sender)}.</p>`}
        ${load.capacity === undefined ? null : html`<p><b>Capacity:</b> ${capacityText(load.capacity)}.</p>`}
        ${(load.compared ?? []).map(({ text }) => html`<p>Compared with before: ${text}.</p>`)}
        ${
          load.correctness === undefined
            ? null
            : html`<p>Correct under load: ${correctnessText(load.correctness)}.</p>
                ${renderBroken(load.correctness.broken)}`
        }
        ${
          load.limiter === null
            ? null
            : html`<p>Rate limiter: ${limiterText(load.limiter)} (certain findings only).</p>`
        }
        ${load.callbacks === null ? null : html`<p>Callbacks came after ${latencyText(load.callbacks)}.</p>`}
        ${load.workers === null ? null : html`<p class="soft">${workersText(load.workers)}</p>`}
      </div>
      ${renderCourse(load)} ${renderBounded(load.thresholds, (operation) => pointsOf(load, operation))}
      ${load.latency.count === 0 ? null : renderCurve(load.curve)}
    </section>
    ${renderOperations(load)} ${renderJourneys(load.journeys ?? [])} ${renderTrials(load.capacity)}`;
}

/** The latencies of an operation by share of its requests. */
function pointsOf({ operations }: LoadSummary, operation: string): LatencyPoints {
  const { latency } = operations.find((one) => one.operation === operation) ?? {};
  if (latency === undefined || latency.count === 0) return { shares: [], ms: [] };
  const { p50Ms, p90Ms, p95Ms, p99Ms, p999Ms, maxMs } = latency;
  return { shares: [50, 90, 95, 99, 99.9, 100], ms: [p50Ms, p90Ms, p95Ms, p99Ms, p999Ms, maxMs] };
}

function renderBroken(broken: NonNullable<LoadSummary['correctness']>['broken']): Html | null {
  if (broken.length === 0) return null;
  return html`<ul>
    ${broken.map((rule) => html`<li><b>${rule.requirement}</b> ${whenText(rule)}</li>`)}
  </ul>`;
}

function renderJourneys(journeys: NonNullable<LoadSummary['journeys']>): Html | null {
  if (journeys.length === 0) return null;
  const rows = journeys.flatMap(({ journey, begun, done, failed, time, steps, failures }) => [
    [
      html`<b>${journey}</b>${failures.map(
          ({ step, why, count }) =>
            html`<br /><span class="soft">${count} × ${step}: ${shorten(why, 200)}</span>`,
        )}`,
      begun,
      done,
      failed,
      ...timesOf(time),
    ],
    ...steps.map((one) => [
      one.step,
      one.time.count,
      one.time.count - one.failed,
      one.failed,
      ...timesOf(one.time),
    ]),
  ]);
  const head = ['Journey and its steps', 'Begun', 'Done', 'Failed', 'Median', '95 %', '99 %', 'Longest'];
  return renderTableSection(
    { anchor: 'load-journeys', title: 'Journeys of virtual partners', numbersFrom: 1 },
    head,
    rows,
  );
}

/** Latency over rate: the bend is where the deployment reaches its limit. */
function renderTrials(capacity: LoadSummary['capacity']): Html | null {
  if (capacity === undefined) return null;
  const rows = capacity.trials
    .toSorted((one, other) => one.ratePerSecond - other.ratePerSecond)
    .map((one) => [
      formatRate(one.ratePerSecond),
      html`<span class="badge ${one.held ? 'pass' : 'fail'}"
        >${one.held ? 'held' : one.notMet.join(', ')}</span
      >`,
      formatRate(one.okPerSecond),
      formatLatency(one.p50Ms),
      formatLatency(one.p99Ms),
      formatCount(Number(one.inFlight.toPrecision(3))),
    ]);
  const head = ['Rate', 'Bounds', 'Ok', 'Median', '99 %', 'In flight'];
  return html`${renderTableSection({ anchor: 'load-capacity', title: 'Capacity: latency over rate', numbersFrom: 2 }, head, rows)}
  ${renderKnee(capacity)}`;
}

function timesOf({ p50Ms, p95Ms, p99Ms, maxMs }: LoadSummary['latency']): readonly string[] {
  return [p50Ms, p95Ms, p99Ms, maxMs].map(formatLatency);
}

function renderThreshold({ threshold, met, actual, samples }: LoadSummary['thresholds'][number]): Html {
  const badge = met
    ? html`<span class="badge pass">✓ met</span>`
    : html`<span class="badge fail">✗ not met</span>`;
  return html`<dt><code>${threshold}</code></dt>
    <dd>
      ${badge} ${measuredText({ actual })}, of ${formatCount(samples)} ${samples === 1 ? 'sample' : 'samples'}
    </dd>`;
}

function factsOf(load: LoadSummary): (readonly [value: string, what: string])[] {
  const { counts } = load;
  const missed = counts.missed.late + counts.missed.inFlight + counts.missed.limits;
  const facts: (readonly [string, string])[] = [
    [formatRate(load.okPerSecond), 'ok'],
    ...(load.latency.count === 0
      ? []
      : ([
          [formatLatency(load.latency.p50Ms), 'median'],
          [formatLatency(load.latency.p99Ms), '99 %'],
        ] as const)),
    [formatCount(counts.refused), `× 429 (${formatShare(counts.refused, counts.sent)})`],
    [
      formatCount(counts.errors),
      `${counts.errors === 1 ? 'error' : 'errors'} (${formatShare(counts.errors, counts.sent)})`,
    ],
    [formatCount(missed), 'missed'],
  ];
  return counts.lost + counts.unsent > 0
    ? [...facts, [formatCount(counts.lost + counts.unsent), 'lost or unsent']]
    : facts;
}

function planText({ plan, mode, counts, lateness }: LoadSummary): string {
  const mix = plan.mix.map(({ operation, weight }) => `${operation} ${weight}`).join(', ');
  if (mode === 'saturation')
    return `As much as the target can handle over ${plan.connections ?? 0} connections and ${plural(plan.keys, 'key')}; mix: ${mix}.`;
  const bound = boundText(plan);
  const course = plan.stages === undefined ? formatRate(plan.ratePerSecond ?? 0) : stagesText(plan.stages);
  return `${course} ${plan.arrivals ?? ''} ${bound}, ${formatCount(counts.planned)} planned over ${plural(plan.keys, 'key')}; mix: ${mix}. Sent late by ${latencyText(lateness)}. Latency counts from the intended time of sending, answers of the rate limiter left out.`;
}

function workersText({ took, takenOver, incomplete }: NonNullable<LoadSummary['workers']>): string {
  const each = took.map(({ worker, sent, slices }) => `${worker} ${sent} (${plural(slices, 'part')})`);
  const over = takenOver > 0 ? `; ${plural(takenOver, 'part')} taken over from lost workers` : '';
  return `Workers: ${each.join(', ')}${over}${incomplete ? '; incomplete: some parts were not done' : ''}.`;
}

function renderOperations({ operations }: LoadSummary): Html {
  const rows = operations.flatMap(({ operation, statuses }) =>
    statuses.map(({ status, kind, count, latency, example }) => [
      operation,
      html`<span class="badge ${kind === 'ok' ? 'pass' : kind === 'refused' ? 'warn' : 'fail'}"
          >${status}</span
        >${example === null ? null : html`<br /><span class="soft">${shorten(example, 200)}</span>`}`,
      formatCount(count),
      ...[latency.p50Ms, latency.p90Ms, latency.p95Ms, latency.p99Ms, latency.p999Ms, latency.maxMs].map(
        formatLatency,
      ),
    ]),
  );
  const head = ['Operation', 'Status', 'Answers', 'Median', '90 %', '95 %', '99 %', '99.9 %', 'Longest'];
  return renderTableSection(
    { anchor: 'load-operations', title: 'Latency by operation and status', numbersFrom: 2 },
    head,
    rows,
  );
}
