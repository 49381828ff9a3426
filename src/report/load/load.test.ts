import { describe, expect, test } from 'vitest';
import { sampleLoad } from '../../../test/support/sampleLoad.ts';
import { sampleResult } from '../../../test/support/sampleResult.ts';
import { elementsOf } from '../../../test/support/wellFormedXml.ts';
import { renderHtml } from '../renderHtml.ts';
import { renderJUnit } from '../renderJUnit.ts';
import { renderMarkdown } from '../renderMarkdown.ts';
import { resultSchema } from '../result.ts';
import { loadReasons } from './loadReasons.ts';
import { renderLoadConsole } from './renderLoadConsole.ts';

const result = { ...sampleResult(), load: sampleLoad() };

test('a load is part of the published shape of a result', () => {
  expect(resultSchema.parse(result).load).toEqual(result.load);
});

test('each planned request has one fate', () => {
  const { counts } = sampleLoad();
  expect(counts).toMatchObject({ planned: 6, sent: 5, ok: 3, refused: 1, errors: 1, lost: 0, unsent: 0 });
});

test('the console tells the account, the latencies, the limiter and the gate', () => {
  const text = renderLoadConsole(result, ['out/report.html']);
  expect(text).toContain('3 ok · 1 × 429 (20 %) · 1 error · 1 missed · 0 lost, of 6 planned');
  expect(text).toMatch(/wci\.list +p50 5 ms .* 3 × 200, 1 × 429/);
  expect(text).toContain('1 × 429, a rolling log expects 0 to 1; nothing certain against it');
  expect(text).toMatch(/✗ errors<1% {2}20 % of 5 samples/);
  expect(text).toContain('wci.status 500: oops');
});

test('the page draws three charts, with a gap where nothing was answered', () => {
  const page = renderHtml(result);
  expect(page.match(/<svg\s+class="chart"/g)).toHaveLength(3);
  expect(page.replace(/<script>[\s\S]*?<\/script>/g, '')).not.toMatch(/NaN|Infinity|undefined/);
  const load = sampleLoad();
  const steps = load.steps.map((step) => ({ ...step, ok: 0, errors: 0 }));
  const empty = renderHtml({ ...result, load: { ...load, steps } });
  expect(empty.replace(/<script>[\s\S]*?<\/script>/g, '')).not.toMatch(/NaN|Infinity/);
});

test('a load in which nothing was sent is drawn all the same', () => {
  const page = renderHtml({ ...result, load: sampleLoad({ steps: [], operations: [] }) });
  expect(page).not.toContain('Latency over time');
});

test('JUnit has a case for each threshold, and counts them', () => {
  const xml = renderJUnit(result);
  expect(elementsOf(xml)).toContain('failure');
  expect(xml).toContain('<testsuite name="load thresholds" tests="2" failures="1"');
  expect(xml).toContain('name="errors&lt;1%"');
});

test('text of the target cannot leave its place in a page', () => {
  const example = '</td><script>alert(1)</script>\u001b[2J';
  const { operations, thresholds } = sampleLoad();
  const load = sampleLoad({
    operations: operations.map((one) => ({
      ...one,
      statuses: one.statuses.map((status) => ({ ...status, example })),
    })),
    thresholds: thresholds.map((one) => ({ ...one, actual: '`|<b>' })),
  });
  const all = { ...result, load };
  expect(renderHtml(all)).not.toContain('<script>alert');
  expect(renderLoadConsole(all, [])).not.toContain('\u001b[2J');
  expect(renderMarkdown(all)).not.toMatch(/^<b>/m);
});

describe('what ends a load badly', () => {
  const summary = sampleLoad({ thresholds: [] });
  const reasons = (
    given: object,
    end: Parameters<typeof loadReasons>[0]['end'] = 'completed',
    strict = false,
  ) =>
    loadReasons({
      summary: { ...(summary as object), ...given } as never,
      end,
      strict,
      findings: [],
      perMinute: 60,
    });
  const limiter = (given: object) => ({
    limiter: {
      admitted: 0,
      refused: 0,
      expectedRefused: [0, 0],
      overAdmitted: [],
      underAdmitted: [],
      ...given,
    },
  });
  const under = limiter({ underAdmitted: [{ key: 'primary#1', count: 1, first: 0, atMost: 3, limit: 60 }] });

  test.each([
    [
      'a threshold that is not met',
      { thresholds: [{ threshold: 'a', met: false, samples: 0, actual: null }] },
    ],
    ['a certain admission beyond a limit', limiter({ overAdmitted: [{}] })],
  ])('%s gates', (_what, given) => {
    expect(reasons(given).notMet).toHaveLength(1);
  });

  test('a refusal below the limits gates only where strict, since somebody else may use the key', () => {
    expect(reasons(under)).toMatchObject({
      notMet: [],
      notes: [expect.stringContaining('below the limits')],
    });
    expect(reasons(under, 'completed', true).notMet).toHaveLength(1);
  });

  test('more than the keys may send is the reason for answers of 429, named with what to do', () => {
    const given = {
      plan: { ...summary.plan, keys: 2 },
      counts: { ...summary.counts, refused: 600 },
      ...{
        sentPerSecond: 10,
        limiter: { ...limiter({ expectedRefused: [600, 600] }).limiter, refused: 600 },
      },
    };
    expect(reasons(given).notes).toContainEqual(
      expect.stringMatching(/429: 10\/s is 5 times the 2\/s that 2 keys may send .* --tenants 10\.$/),
    );
  });

  test('doubts about the sender do not contradict that it kept up with the same rate', () => {
    const sender = { doubts: ['a pause'], surePerSecond: 1e6 };
    expect(reasons({ sender }).notes.join()).toContain('short pauses are the reason, not the rate');
    expect(reasons({ sender: { ...sender, surePerSecond: 0.001 } }).notes.join()).toContain('Up to 0.001/s');
  });

  test.each(['target-lost', 'key-refused', 'budget'] as const)('%s is inconclusive', (end) => {
    expect(reasons({}, end).unclear).toHaveLength(1);
  });

  test('a load no partner of which came to an end is inconclusive', () => {
    const time = sampleLoad().latency;
    const journey = { journey: 'dashboard', begun: 3, brokenOff: 0, time, steps: [], failures: [] };
    expect(reasons({ journeys: [{ ...journey, done: 0, failed: 3 }] }).unclear).toMatchObject([
      { short: 'journeys without an end' },
    ]);
    expect(reasons({ journeys: [{ ...journey, done: 0, failed: 0, brokenOff: 3 }] }).unclear).toHaveLength(1);
    expect(reasons({ journeys: [{ ...journey, done: 1, failed: 2 }] }).unclear).toEqual([]);
  });

  test('processes that were lost are named, with what is missing', () => {
    const lost = [{ process: 2, why: 'was killed (SIGKILL)', atMs: 3200, unknown: 40 }];
    expect(reasons({ processes: { expected: 4, lost } }).unclear).toMatchObject([
      {
        sentence:
          'A part of the load is missing: process 2 of 4 was killed (SIGKILL) (after 3.2 s). What it should have sent from then on was not sent, and its answers of the last five seconds may not have been judged.',
      },
    ]);
  });

  test('bounds that a trial is too short to tell are named where a capacity was found', () => {
    const counts = { ...sampleLoad().counts, sent: 120 };
    const bounds = ['p99<300ms', 'p99.9<1s', 'errors<0.1%', 'errors<=1%', 'max<2s', 'refused<=0%'];
    const [note = ''] = reasons({ counts, capacity: { bounds, heldPerSecond: 30, isWhole: true } }).notes;
    expect(note).toContain(
      'has 120 requests, too few to tell p99.9<1s (it takes 1000), errors<0.1% (it takes 1000): a longer --trial',
    );
    expect(reasons({ counts, capacity: { bounds, heldPerSecond: null, isWhole: true } }).notes).toEqual([]);
  });

  test('a load that was answered by nothing but errors is inconclusive', () => {
    expect(reasons({ counts: { ...sampleLoad().counts, ok: 0, refused: 0 } }).unclear).toHaveLength(1);
  });
});
