import { expect, test } from 'vitest';
import type { Clock } from '../core/clock.ts';
import type { RunEvent } from '../engine/observe/events.ts';
import { ansiPalette, plainPalette } from '../core/palette.ts';
import { createProgress } from './talk.ts';
import { renderProgress, renderStatusLine } from './progress/render.ts';
import { advanceProgress, initialProgress, type ProgressState } from './progress/state.ts';

const started: RunEvent = {
  name: 'run-started',
  runId: 'r1',
  seed: 7,
  target: 'https://qa.example.com',
  checks: 90,
  requirements: 198,
  plannedRequests: 600,
  expectedMs: 600_000,
  requestMs: 40,
  forecastMs: 624_000,
};
const exchange: RunEvent = {
  ...{
    name: 'exchange',
    id: 'x1',
    check: 'wci.status.alias',
    operation: null,
    request: 'GET /a?b=\u001b[2J',
    key: 'primary#1',
  },
  ...{ status: 200, durationMs: 5 },
};
const judged = (status: 'pass' | 'fail' | 'warn'): RunEvent => ({
  name: 'requirement-judged',
  requirement: 'R',
  status,
});
const waiting = (ms: number, key = 'primary#1'): RunEvent => ({ name: 'waiting', reason: 'pace', ms, key });
const checking = (check: string): RunEvent => ({ name: 'check-started', check, title: `title of ${check}` });

function after(...events: readonly (readonly [at: number, event: RunEvent])[]): ProgressState {
  return events.reduce((state, [at, event]) => advanceProgress(state, event, at), initialProgress(0));
}

const midway = after(
  [0, started],
  ...Array.from({ length: 120 }, (_, index) => [index * 1000, exchange] as const),
  [100_000, judged('pass')],
  [100_000, judged('pass')],
  [110_000, judged('fail')],
  [110_000, checking('wci.status.alias')],
  [111_000, checking('wci.list.paging')],
  [112_000, waiting(40_000)],
  [113_000, waiting(20_000, 'other#1')],
);

test('the block tells what is judged, sent, waited for and left', () => {
  expect(renderProgress(midway, 120_000, { columns: 100 }).join('\n')).toMatchInlineSnapshot(`
    "█████░░░░░░░░░░░░░░░░░░░ 19 % · 2 min · about 8 min 30 s left
    3 of 198 requirements · 2 passed · 1 failed
    120 of about 600 requests, 60 in the last minute
    waiting 13 s more of 20 s for the rate limits (other#1 and 1 more)
    wci.status.alias  title of wci.status.alias (and 1 more)"
  `);
});

test('what is left follows the forecast that was told last, and counts down by itself', () => {
  const told = advanceProgress(midway, { name: 'forecast', leftMs: 90_000 }, 120_000);
  expect(renderStatusLine(told, 120_000)).toContain('about 1 min 30 s left');
  expect(renderStatusLine(told, 150_000)).toContain('about 1 min left');
  expect(renderStatusLine(told, 500_000)).toContain('longer than forecast');
});

test('no line is longer than the terminal is wide', () => {
  for (const line of renderProgress(midway, 120_000, { columns: 40 })) expect(line.length).toBeLessThan(40);
});

test('a wait that is over is shown no more', () => {
  expect(renderProgress(midway, 160_000, { columns: 100 }).join('\n')).not.toMatch(/waiting/);
});

test('elsewhere the same stands on one line', () => {
  expect(renderStatusLine(midway, 120_000)).toMatchInlineSnapshot(
    `"2 min · 3 of 198 requirements · 2 passed · 1 failed · 120 of about 600 requests, 60 in the last minute · about 8 min 30 s left · waiting 13 s more of 20 s for the rate limits (other#1 and 1 more)"`,
  );
});

test('text of the target cannot steer the terminal', () => {
  const state = after([0, started], [1, { name: 'check-started', check: 'a', title: '\u001b[2J\n' }]);
  expect(renderProgress(state, 1, { columns: 100 }).join('')).not.toMatch(/\u001b|\n/);
});

const finding: RunEvent = {
  name: 'finding',
  requirement: 'WCI-STS-001',
  check: 'wci.status',
  severity: 'fail',
  message: 'm',
};

test('without a terminal, findings (each once), notices and long waits are plain lines, and the status comes every ten seconds', () => {
  const { progress, text, pass } = display(false);
  for (const event of [started, exchange, waiting(4000), waiting(6000), finding, finding])
    progress.listener(event);
  progress.listener({ name: 'notice', text: 'the clock is 2 s off' });
  pass(10_000);
  progress.stop();
  pass(60_000);
  expect(text()).toMatchInlineSnapshot(`
    "run r1 · https://qa.example.com · seed 7 · 90 checks, about 600 requests, about 10 min 30 s
    waiting 6 s for the rate limits (primary#1)
    ✗ fail WCI-STS-001 wci.status m
    note the clock is 2 s off
    10 s · 0 of 198 requirements · 0 passed · 1 failed · 1 of about 600 requests · about 10 min 20 s left
    "
  `);
});

test('on a terminal the block is drawn over, findings stay above it, and nothing is left of it', () => {
  const { progress, text, pass } = display(true);
  progress.listener(started);
  pass(200);
  progress.listener(finding);
  progress.stop();
  expect(text().replaceAll('\u001b', 'ESC')).toMatchInlineSnapshot(`
    "run r1 · https://qa.example.com · seed 7 · 90 checks, about 600 requests, about 10 min 30 s
    ░░░░░░░░░░░░░░░░░░░░░░░░ 0 % · 0 s · about 10 min 30 s left
    0 of 198 requirements · 0 passed
    ESC[2m0 of about 600 requestsESC[22m
    ESC[3FESC[0JESC[31m✗ failESC[39m ESC[1mWCI-STS-001ESC[22m ESC[2mwci.statusESC[22m m
    ░░░░░░░░░░░░░░░░░░░░░░░░ 0 % · 0 s · about 10 min 30 s left
    0 of 198 requirements · 0 passed
    ESC[2m0 of about 600 requestsESC[22m
    ESC[3FESC[0J"
  `);
});

function display(interactive: boolean) {
  const written: string[] = [];
  const clock = handClock();
  const palette = interactive ? ansiPalette : plainPalette;
  const progress = createProgress(
    { write: (text) => written.push(text), interactive, columns: 80, palette },
    clock,
  );
  return { progress, text: () => written.join(''), pass: clock.pass };
}

/** A clock that moves by hand, timers included. */
function handClock(): Clock & { pass: (ms: number) => void } {
  let now = 0;
  let timers: { due: number; task: () => void }[] = [];
  const timer = (ms: number, task: () => void) => {
    const entry = { due: now + ms, task };
    timers.push(entry);
    return () => void (timers = timers.filter((one) => one !== entry));
  };
  const pass = (ms: number) => {
    now += ms;
    const due = timers.filter((one) => one.due <= now);
    timers = timers.filter((one) => one.due > now);
    for (const { task } of due) task();
  };
  return { now: () => now, monotonic: () => now, sleep: () => Promise.resolve(), timer, pass };
}
