import { mkdtempSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { targetError } from '../../core/errors.ts';
import { Redactor } from '../../core/redact.ts';
import type { Settings } from '../../core/settings.ts';
import { VirtualClock } from '../../core/virtualClock.ts';
import type { RunResult } from '../../report/result.ts';
import { resolveSettings } from '../../settings/settings.ts';
import type { RunOptions, RunOutput } from '../run.ts';
import { compareRound, healthy } from './change.ts';
import type { MonitorFigures } from './figures.ts';
import { monitor, requestsOfRound, type MonitorOptions } from './monitor.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-monitor-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Verdicts = Readonly<Record<string, 'pass' | 'fail' | 'skipped' | 'inconclusive'>>;

/** A result as far as a monitor reads it. */
function resultOf(
  verdicts: Verdicts,
  spent: Partial<RunResult['summary']> = { requests: 10, quotaUnits: 1 },
): RunResult {
  const requirements = Object.entries(verdicts).map(([id, verdict]) => ({
    id,
    title: `${id} holds.`,
    level: 'must',
    verdict,
  }));
  const count = (wanted: string) => requirements.filter(({ verdict }) => verdict === wanted).length;
  return {
    run: { id: 'run-1' },
    requirements,
    sideEffects: [],
    summary: {
      ...{ verdict: count('fail') > 0 ? 'nonconformant' : 'partial', throttled: 0, ...spent },
      ...{
        passed: count('pass'),
        failed: count('fail'),
        coverage: { must: { judged: count('pass'), total: 9 } },
      },
    },
  } as unknown as RunResult;
}

const kindsOf = (rounds: readonly (Verdicts | null)[]) => {
  let watched = healthy;
  return rounds.map((verdicts) => {
    const { after, alerts } = compareRound(watched, verdicts && resultOf(verdicts), 'no answer');
    watched = after;
    return alerts.map(({ kind, requirements }) => [kind, ...requirements].join(' '));
  });
};

describe('a change is told once', () => {
  test('when something fails, when more fails, and when it passes again', () => {
    const rounds = [
      { A: 'pass' },
      { A: 'fail' },
      { A: 'fail' },
      { A: 'fail', B: 'fail' },
      { A: 'pass', B: 'pass' },
    ] as const;
    expect(kindsOf(rounds)).toEqual(
      [[], ['failing A'], [], ['failing B'], ['recovered A,B']].map((all) =>
        all.map((one) => one.replace(',', ' ')),
      ),
    );
  });

  test('what a round did not judge still fails', () => {
    expect(
      kindsOf([{ A: 'fail' }, { A: 'skipped', B: 'pass' }, { A: 'inconclusive', B: 'pass' }, { A: 'pass' }]),
    ).toEqual([['failing A'], [], [], ['recovered A']]);
  });

  test('one round without an answer is no alarm, two are, and its end is told', () => {
    expect(kindsOf([null, { A: 'pass' }, null, null, null, { A: 'pass' }])).toEqual([
      [],
      [],
      [],
      ['lost'],
      [],
      ['back'],
    ]);
  });
});

test('rounds share the requests of a day, and too few for a round are refused with what would do', () => {
  expect(requestsOfRound({ everyMs: 900_000, dailyRequests: 2000 })).toBe(20);
  expect(() => requestsOfRound({ everyMs: 60_000, dailyRequests: 2000 })).toThrow(
    /5 requests a round; got 2000 a day for 1440 rounds/,
  );
});

interface Watching {
  readonly given: Settings[];
  readonly asked: RunOptions[];
  readonly told: string[];
  readonly figures: MonitorFigures[];
}

/** Lets a monitor of a deployment of its own see these results, one a round, in virtual time. */
async function watch(
  results: readonly (RunResult | null)[],
  more: Partial<MonitorOptions> = {},
  name = 'watched',
  rotated: Partial<Pick<RunOutput, 'rotated'>> = {},
) {
  const seen: Watching = { given: [], asked: [], told: [], figures: [] };
  const settings = resolveSettings(
    { seed: 1, target: `http://127.0.0.1:1/${name}`, keys: { primary: 'env:ONE' } },
    { env: { ONE: 'gk_live_0123456789abcdefghij' } },
  );
  const clock = new VirtualClock(Date.parse('2026-11-01T10:00:00Z'));
  const redactor = new Redactor();
  redactor.add('B holds.', 'hidden');
  const run = (given: Settings, options: RunOptions): Promise<RunOutput> => {
    const result = results[seen.given.length] ?? null;
    seen.given.push(given);
    seen.asked.push(options);
    if (result === null) throw targetError('UNREACHED', 'the target did not answer');
    const reportDir = join(folder, name, 'latest');
    mkdirSync(reportDir, { recursive: true });
    return Promise.resolve({ result, exitCode: 0, reportDir, notKept: null, ...rotated });
  };
  const end = await monitor(settings, {
    ...{ everyMs: 900_000, dailyRequests: 2000, dailyQuota: 2, dailySubscriptions: 0 },
    ...{ rounds: results.length, endsAtAlert: false },
    ...{ webhook: null, alertFile: null, otlp: null, clock, redactor, root: join(folder, name) },
    ...{
      signal: new AbortController().signal,
      memory: join(folder, name, 'memory'),
      command: 'gatecheck monitor',
      run,
    },
    tell: (text) => seen.told.push(text),
    onFigures: (now) => seen.figures.push(now),
    ...more,
  });
  return { ...seen, end };
}

test('each round keeps its part of the day, and no plan spends the last unit of it', async () => {
  const { given, asked, end } = await watch(
    [1, 2, 3].map(() => resultOf({ A: 'pass' }, { requests: 20, quotaUnits: 1 })),
    {},
    'shares',
  );
  expect(given.map(({ budgets }) => [budgets.maxRequests, budgets.maxQuota])).toEqual([
    [20, 2],
    [20, 1],
    [20, 0],
  ]);
  expect(asked.map(({ rotation }) => rotation?.kept.maxQuota)).toEqual([1, 1, 1]);
  expect(new Set(given.map(({ seed }) => seed)).size).toBe(3);
  expect(end).toEqual({ failing: [], isLost: false, isInterrupted: false });
});

test('what a round does not send is saved for those after it, and a day for nobody', async () => {
  const spent = [20, 5, 5, 40].map((requests) => resultOf({ A: 'pass' }, { requests, quotaUnits: 0 }));
  const { given } = await watch(spent, { everyMs: 6 * 3_600_000, dailyRequests: 80 }, 'saving');
  // 10:00, 16:00, 22:00 and, on the next day, 04:00.
  expect(given.map(({ budgets }) => budgets.maxRequests)).toEqual([20, 20, 35, 20]);
});

test.each([
  [0, [0, 1], [0, 1]],
  [1, [0, 0], [1, 1]],
  [12, [3, 3], [12, 12]],
])('of %i units and subscriptions a day, what goes wrong has these: %j', async (granted, kept, budgets) => {
  const { asked, given } = await watch(
    [resultOf({ A: 'pass' })],
    { dailyQuota: granted, dailySubscriptions: granted },
    `kept-${granted}`,
  );
  const { rotation } = asked[0] ?? {};
  expect([rotation?.kept.maxQuota, rotation?.kept.maxSubscriptions]).toEqual(kept);
  expect(given.map(({ budgets: { maxQuota, maxSubscriptions } }) => [maxQuota, maxSubscriptions])).toEqual([
    budgets,
  ]);
});

test('rounds are told what the others ran and what fails, and say how much of all they have met', async () => {
  const fitting = { free: ['one', 'two', 'three'], paid: ['four'] };
  const rotated = { rotated: { met: ['one', 'four'], fitting } };
  const results = [resultOf({ A: 'fail' }), resultOf({ B: 'pass' })];
  const { asked, told, figures } = await watch(results, {}, 'turns', rotated);
  expect(asked.map(({ rotation }) => [rotation?.met, rotation?.failing])).toEqual([
    [[], []],
    [['one', 'four'], ['A']],
  ]);
  expect(asked[0]?.rotation?.daily).toEqual({ maxRequests: 2000, maxQuota: 2, maxSubscriptions: 0 });
  expect(told[0]).toContain(
    '1 round of this turn met 1 of 3 checks (33 %), and 1 of 1 that take quota units, 1 of 9 musts',
  );
  expect(told.at(-1)).toContain('2 rounds of this turn met 1 of 3 checks (33 %)');
  expect(figures.at(-1)?.coverage).toBeCloseTo(1 / 3);
});

test('a restart goes on where the last one was: no second alarm, and the budget of the day stands', async () => {
  const first = await watch([resultOf({ A: 'fail' })], {}, 'again');
  expect(first.told.filter((text) => text.startsWith('ALERT'))).toHaveLength(1);
  const second = await watch([resultOf({ A: 'fail' })], { dailyRequests: 500 }, 'again');
  expect(second.told.filter((text) => text.startsWith('ALERT'))).toEqual([]);
  expect(second.end.failing).toEqual(['A']);
  const third = await watch([resultOf({ A: 'pass' })], { dailyRequests: 500, everyMs: 3_600_000 }, 'again');
  expect(third.told.at(-1)).toBe('RECOVERED: A passes again. Nothing fails any more.');
});

test('alerts go to a file and a webhook without secrets; one that fails is told once, and gets them later', async () => {
  const came: string[] = [];
  const answers = [204, 500, 500, 204];
  const server = createServer((incoming, response) => {
    const status = answers.shift() ?? 204;
    incoming.on('data', (chunk) => (status === 204 ? came.push(String(chunk)) : 0));
    incoming.on('end', () => response.writeHead(status).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const webhook = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const alertFile = join(folder, 'alerts.ndjson');
  const results = [{ B: 'fail' }, { B: 'pass' }, { B: 'fail' }] as const;
  const { told } = await watch(
    results.map((one) => resultOf(one)),
    { webhook, alertFile },
    'alerts',
  );
  expect(came).toHaveLength(1);
  // Another process, as of cron, in whose round nothing changes.
  await watch([resultOf({ B: 'fail' })], { webhook, alertFile }, 'alerts');
  await new Promise((resolve) => server.close(resolve).closeAllConnections());
  const lines = readFileSync(alertFile, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { kind: string });
  expect(lines.map(({ kind }) => kind)).toEqual(['failing', 'recovered', 'failing']);
  expect(came.map((text) => JSON.parse(text) as unknown)).toEqual(lines);
  expect(came.join()).not.toContain('B holds.');
  expect(told.filter((text) => text.includes('webhook'))).toEqual([
    'Warning: the webhook could not be reached: HTTP 500',
  ]);
});

test('a target that does not answer ends a round, and not the monitor', async () => {
  const { told, end, figures } = await watch([null, null, resultOf({ A: 'pass' })], {}, 'lost');
  expect(told[0]).toBe('could not judge: the target did not answer');
  expect(told).toContain(
    'ALERT, nothing can be judged: Nothing could be judged in 2 rounds in a row: the target did not answer',
  );
  expect(end.isLost).toBe(false);
  expect(figures.map(({ verdict }) => verdict)).toEqual(['inconclusive', 'inconclusive', 'partial']);
});

test('a round that judged nothing says why, and a monitor of no other rounds has not gone well', async () => {
  const unreached = resultOf(
    { A: 'inconclusive' },
    { requests: 5, quotaUnits: 0, reasons: ['The target could not be reached.'] },
  );
  const cron = await watch([unreached], {}, 'unreached');
  expect(cron.told).toEqual([
    expect.stringContaining('nothing judged: The target could not be reached; today'),
  ]);
  expect(cron.end.isLost).toBe(true);
  const recovered = await watch([unreached, resultOf({ A: 'pass' })], {}, 'unreached-once');
  expect(recovered.end.isLost).toBe(false);
  const moment = await watch([resultOf({ A: 'pass' }), unreached], {}, 'unreached-last');
  expect(moment.end.isLost).toBe(false);
});
