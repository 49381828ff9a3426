import type { OperationId } from '../core/operations.ts';
import { judgeThreshold } from '../load/summary/thresholds.ts';
import { liveFigures, liveSteps } from '../load/summary/live.ts';
import { stepMs } from '../load/plan/plan.ts';
import { headlineOf, headlineText } from '../report/headline.ts';
import { linearScale, renderChart } from '../report/html/chart.ts';
import { html, Html } from '../report/html/html.ts';
import { renderLoad } from '../report/html/load.ts';
import { renderBounded, renderCourse } from '../report/html/loadPlots.ts';
import { style } from '../report/html/style.ts';
import { formatLatency, measuredText } from '../report/load/loadText.ts';
import { formatCount, formatRate } from '../load/summary/rate.ts';
import type { RunResult } from '../report/result.ts';
import { formatDuration, plural } from '../report/text/format.ts';
import type { LoadView } from '../load/load.ts';

// Once the load is over, its server ends as well: the page keeps the report.
const script = `
const main = document.querySelector('main'), state = document.querySelector('[role=status]');
const say = (text) => { if (state.textContent !== text) state.textContent = text; };
async function look() {
  try {
    const answer = await fetch('/data'), now = await answer.json();
    if (now === null) return setTimeout(look, 1000);
    main.innerHTML = now.page;
    document.title = 'Gatecheck load: ' + now.title;
    say(now.title);
    if (!now.isOver) return setTimeout(look, 1000);
    const report = await (await fetch('/report.html')).blob();
    for (const link of document.querySelectorAll('[data-report]')) {
      link.href = URL.createObjectURL(report); link.target = '_blank';
    }
  } catch { say('The load was ended: its figures are no longer served.'); }
}
look();`;

/** The page of a running load. It polls what to show each second, which is made here: the page draws nothing itself. */
export const dashboardPage = html`<!doctype html>
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>gatecheck load</title>
      <link rel="icon" href="data:," />
      ${new Html(`<style>${style}</style>`)}
    </head>
    <body>
      <header class="top">
        <p class="product"><b>Gatecheck</b> load <span class="soft" role="status"></span></p>
      </header>
      <main>
        <div class="card">
          <h1>The load has not begun</h1>
          <p>It prepares what it sends.</p>
        </div>
      </main>
      ${new Html(`<script>${script}</script>`)}
    </body>
  </html>`.markup;

/** What the page shows at a moment. */
export interface Shown {
  readonly title: string;
  readonly page: string;
  readonly isOver: boolean;
}

/** Requests in flight when somebody looked. */
export interface InFlight {
  readonly atMs: number;
  readonly count: number;
}

const shares = [50, 90, 95, 99, 99.9, 100];

/** A running load: how its thresholds stand, figures, and charts. */
export function showRunning(view: LoadView, now: number, inFlight: readonly InFlight[]): Shown {
  const figures = liveFigures(view, now);
  const { elapsedMs, durationMs, stage, stages } = figures;
  const part = stages > 1 ? `, stage ${stage} of ${stages}` : '';
  const thresholds = thresholdsSoFar(view, elapsedMs);
  const left =
    elapsedMs < durationMs
      ? `${formatDuration(durationMs - elapsedMs)} to go`
      : 'waiting for the last answers';
  const { plan } = view;
  const page = html`<div class="card verdict partial">
      <h1><span aria-hidden="true">◐</span> Running${part}</h1>
      <p>${left}. ${view.target}</p>
      ${
        thresholds.length === 0
          ? null
          : html`<dl>
              ${thresholds.map(
                ({ threshold, met, actual }) =>
                  html`<dt><code>${threshold}</code></dt>
                    <dd>
                      <span class="badge ${met ? 'pass' : 'fail'}">${met ? '✓' : '✗'} so far</span>
                      ${measuredText({ actual })}
                    </dd>`,
              )}
            </dl>`
      }
      <ul class="facts">
        ${factsOf(view, figures).map(([value, what]) => html`<li><b>${value}</b> ${what}</li>`)}
      </ul>
    </div>
    ${renderCourse({ plan: { ...view.plan, keys: view.keys, workers: 0, connections: view.connections }, elapsedMs, stepMs: stepMs(plan), steps: liveSteps(view, now), thresholds })}
    ${renderBounded(thresholds, (operation) => ({ shares, ms: view.recorder.latency(operation as OperationId).curve(shares) }))}
    ${renderInFlight(inFlight)}`;
  return { title: `running${part}`, page: page.markup, isOver: false };
}

/** The result of a load, as in its report. */
export function showResult(result: RunResult, reportPath: string): Shown {
  const head = headlineOf(result);
  const { reasons = [] } = result.summary;
  const page = html`<div class="card verdict ${head.tone}">
      <h1><span aria-hidden="true">${head.mark}</span> ${headlineText(head)}</h1>
      <ul>
        ${reasons.map((reason) => html`<li>${reason}</li>`)}
      </ul>
      <p><a data-report href="#load">Open the report</a> <span class="soft">${reportPath}</span></p>
    </div>
    ${result.load === undefined ? null : renderLoad(result.load)}`;
  return { title: `${head.mark} ${headlineText(head)}`, page: page.markup, isOver: true };
}

/** Thresholds on what was measured so far; one without samples is not judged yet. */
function thresholdsSoFar({ thresholds, recorder, callbacks, journeys, plan }: LoadView, elapsedMs: number) {
  const seconds = Math.max(1, elapsedMs - (plan.warmUpMs ?? 0)) / 1000;
  const measured = { recorder, callbackDelays: callbacks(), journeys: journeys.measured, seconds };
  return thresholds
    .map((threshold) => judgeThreshold(threshold, measured))
    .filter(({ samples }) => samples > 0)
    .map(({ threshold, met, actual }) => ({ threshold, met, actual }));
}

type Fact = readonly [value: string, what: string];

function factsOf({ plan }: LoadView, figures: ReturnType<typeof liveFigures>): readonly Fact[] {
  const { callbacks, journeys } = figures;
  const planned = plan.journeys === undefined ? ` of ${formatCount(figures.planned)}` : '';
  return [
    [formatCount(figures.sent), `sent${planned}`],
    [formatRate(figures.sentPerSecond), `now, ${formatRate(figures.wantedPerSecond)} planned`],
    ...(figures.ok + figures.errors === 0
      ? []
      : ([
          [formatLatency(figures.p50Ms), 'median'],
          [formatLatency(figures.p99Ms), '99 %'],
        ] as const)),
    [formatCount(figures.refused), '× 429'],
    [formatCount(figures.errors), figures.errors === 1 ? 'error' : 'errors'],
    [formatCount(figures.missed), 'missed'],
    [formatCount(figures.inFlight), 'in flight'],
    [formatCount(figures.broken), figures.broken === 1 ? 'rule broken' : 'rules broken'],
    ...(callbacks === null
      ? []
      : [[formatCount(callbacks.count), `callbacks, 99 % ${formatLatency(callbacks.p99Ms)}`] as const]),
    ...journeys.map(
      ({ journey, done, failed }) =>
        [
          formatCount(done),
          `${journey} done, ${failed === 0 ? 'none' : plural(failed, 'partner')} failed`,
        ] as const,
    ),
  ];
}

function renderInFlight(inFlight: readonly InFlight[]): Html | null {
  const [first, last] = [inFlight[0], inFlight.at(-1)];
  if (first === undefined || last === undefined || last.atMs <= first.atMs) return null;
  const values = inFlight.map(({ count }) => count);
  const place = (atMs: number) => (atMs - first.atMs) / (last.atMs - first.atMs);
  return renderChart({
    title: 'Requests in flight, since this page was opened',
    series: [{ name: 'in flight', tone: 'calm', values }],
    places: inFlight.map(({ atMs }) => place(atMs)),
    marks: [first, last].map(({ atMs }) => ({ at: place(atMs), text: formatDuration(atMs) })),
    scale: linearScale(values, { isCount: true }),
    isStepped: true,
    show: formatCount,
    pointName: (index) => `after ${formatDuration(inFlight[index]?.atMs ?? 0)}`,
  });
}
