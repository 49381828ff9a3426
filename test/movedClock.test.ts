import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Clock } from '../src/core/clock.ts';
import { VirtualClock } from '../src/core/virtualClock.ts';
import { clockBookOf, withClockBook } from '../src/engine/clock/clockBook.ts';
import { createDeployment } from '../src/reference/deployment.ts';
import { defaultEnterprises } from '../src/reference/enterprises.ts';
import { documentedPolicy, type Policy } from '../src/reference/policy.ts';
import { connectStateHandler } from '../src/target/stateHandler.ts';
import { baseUrl, virtualRun } from './support/virtualRun.ts';

const hour = 3_600_000;
const only = ['WCI-DT-028', 'WCI-JRN-001', 'WCI-JRN-002', 'FLA-GET-011', 'FLA-GET-012'];

interface Stage {
  /** The clock that the deployment goes by from the start. */
  readonly offMs?: number;
  /** What an earlier run moved, by the state handler that this run does not have. */
  readonly movedMs?: number;
  readonly isRestarted?: boolean;
  /** It was moved from another machine. */
  readonly isUnknown?: boolean;
  readonly policy?: Partial<Policy>;
}

/** A run without a state handler, and what failed in it. */
async function runOn({ offMs = 0, movedMs = 0, isRestarted = false, isUnknown = false, policy = {} }: Stage) {
  const memory = mkdtempSync(join(tmpdir(), 'gatecheck-moved-'));
  const clock = new VirtualClock(Date.parse('2026-07-01T10:00:00Z'));
  const { enterprises, keys } = defaultEnterprises(4);
  const off: Clock = {
    now: () => clock.now() + offMs,
    monotonic: () => clock.monotonic(),
    sleep: (ms, signal) => clock.sleep(ms, signal),
    timer: (ms, task) => clock.timer(ms, task),
  };
  const start = () =>
    createDeployment({ enterprises, clock: off, policy: { ...documentedPolicy, ...policy } });
  let deployment = start();
  if (movedMs > 0) {
    const post = async (body: string) => {
      const answer = await deployment.stateHandler(new Request(`${baseUrl}/state`, { method: 'POST', body }));
      return { status: answer.status, body: await answer.text() };
    };
    const handler = withClockBook(
      await connectStateHandler(post),
      clockBookOf(isUnknown ? null : memory, baseUrl),
      clock,
    );
    await handler.set('clock.advance', { seconds: movedMs / 1000 });
  }
  if (isRestarted) deployment = start();
  const app = (request: Request) => deployment.fetch(request);
  const run = await virtualRun({ app, clock, memory, primary: keys.primary, config: { only } });
  const verdicts = run.session.outcomes.flatMap(({ verdicts: all }) => [...all]);
  const failed = verdicts.filter(([, { status }]) => status === 'fail').map(([id]) => id);
  return { failed: [...new Set(failed)], said: run.notices.join('\n') };
}

const headers: Record<string, Partial<Policy>> = {
  'a header that follows': {},
  'a header of a web server in front': { dateShown: (_now, machine) => machine },
  'no header': { dateShown: () => null },
};

test.each(Object.keys(headers).flatMap((header) => [9600, 10_800].map((seconds) => ({ header, seconds }))))(
  'a clock that an earlier run moved by $seconds s is named and not blamed, with $header',
  async ({ header, seconds }) => {
    const { failed, said } = await runOn({ movedMs: seconds * 1000, policy: headers[header] ?? {} });
    expect(failed).toEqual([]);
    expect(said).toMatch(/clock is \d h( 40 min)? ahead .* its state handler moved it/);
  },
);

test('a deployment that was started anew since has its own clock again', async () => {
  expect(await runOn({ movedMs: 3 * hour, isRestarted: true })).toEqual({ failed: [], said: '' });
});

test.each([-3 * hour, 26 * hour])(
  'a clock that is steadily %i ms off is named and not blamed',
  async (offMs) => {
    const { failed, said } = await runOn({ offMs });
    expect(failed).toEqual([]);
    expect(said).toMatch(/clock is \d+ h (ahead|behind) .* Set one of the two clocks by NTP/);
  },
);

const local = { timestamp: (ms: number) => new Date(ms + 4 * hour).toISOString() };

test.each<[what: string, stage: Stage]>([
  ['of a clock that is right', {}],
  ['of a clock that is off', { offMs: -2 * hour }],
  ['of a clock that was moved', { movedMs: 9_600_000 }],
  [
    'of a clock that was moved behind a web server',
    { movedMs: 9_600_000, policy: headers['a header of a web server in front'] ?? {} },
  ],
  ['after a restart', { movedMs: 9_600_000, isRestarted: true }],
])('local time %s is blamed, and nothing else for it', async (_what, stage) => {
  const { failed } = await runOn({ ...stage, policy: { ...stage.policy, ...local } });
  expect(failed).toEqual(['WCI-DT-028']);
});

const ahead = { timestamp: (ms: number) => new Date(ms + 160 * 60_000).toISOString() };

test.each(Object.keys(headers).map((header) => ({ header })))(
  'timestamps that are 160 minutes ahead of a right clock are blamed, with $header',
  async ({ header }) => {
    const { failed } = await runOn({ policy: { ...headers[header], ...ahead } });
    expect(failed).toEqual(['WCI-DT-028']);
  },
);

test.each(Object.keys(headers).map((header) => ({ header })))(
  'a clock that others moved by 160 minutes is not blamed where lead times go by it, with $header',
  async ({ header }) => {
    const { failed } = await runOn({ movedMs: 9_600_000, isUnknown: true, policy: headers[header] ?? {} });
    expect(failed).toEqual([]);
  },
);
