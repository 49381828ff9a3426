import { expect, test } from 'vitest';
import type { Clock } from '../src/core/clock.ts';
import { VirtualClock } from '../src/core/virtualClock.ts';
import { createDeployment } from '../src/reference/deployment.ts';
import { defaultEnterprises } from '../src/reference/enterprises.ts';
import { documentedPolicy, type Policy } from '../src/reference/policy.ts';
import { connectStateHandler, type StateHandler } from '../src/target/stateHandler.ts';
import { baseUrl, virtualRun } from './support/virtualRun.ts';

const hour = 3_600_000;
const only = ['WCI-DT-028', 'WCI-JRN-*', 'FLA-GET-011', 'FLA-GET-012', 'FLA-GET-026', 'WCI-QTA-001'];

interface Stage {
  /** How far the clock of the deployment that the handler changes is ahead. */
  readonly offMs?: number;
  /** Whether the handler is that of the target. */
  readonly isOwn?: boolean;
  readonly withoutKeys?: boolean;
  readonly policy?: Partial<Policy>;
  readonly isWhole?: boolean;
}

async function handlerOf(
  deployment: ReturnType<typeof createDeployment>,
  without: RegExp,
): Promise<StateHandler> {
  const handler = await connectStateHandler(async (body) => {
    const answer = await deployment.stateHandler(new Request(`${baseUrl}/state`, { method: 'POST', body }));
    return { status: answer.status, body: await answer.text() };
  });
  return { ...handler, offers: (state) => handler.offers(state) && !without.test(state) };
}

async function runWith(stage: Stage) {
  const { offMs = 0, isOwn = false, withoutKeys = false, policy = {}, isWhole = false } = stage;
  const clock = new VirtualClock(Date.parse('2026-07-01T10:00:00Z'));
  const { enterprises, keys } = defaultEnterprises(4);
  const ahead: Clock = {
    now: () => clock.now() + offMs,
    monotonic: () => clock.monotonic(),
    sleep: (ms, signal) => clock.sleep(ms, signal),
    timer: (ms, task) => clock.timer(ms, task),
  };
  const rules = { ...documentedPolicy, ...policy };
  const other = createDeployment({ enterprises, clock: ahead, policy: rules });
  const target = isOwn ? other : createDeployment({ enterprises, clock, policy: rules });
  const run = await virtualRun({
    ...{ clock, primary: keys.primary, config: isWhole ? {} : { only } },
    app: (request) => target.fetch(request),
    stateHandler: await handlerOf(other, withoutKeys ? /^(keys|enterprise)/ : /^$/),
  });
  const verdicts = run.session.outcomes.flatMap(({ verdicts: all }) => [...all]);
  const failed = verdicts.filter(([, { status }]) => status === 'fail').map(([id]) => id);
  return { failed: [...new Set(failed)], said: run.notices.join('\n') };
}

const isForeign = /not to be used: it is that of another deployment: the target refuses with 401 each key/;

test.each([0, 40 * hour])('a state handler of another deployment, %i ms ahead, is named', async (offMs) => {
  const { failed, said } = await runWith({ offMs });
  expect(failed).toEqual([]);
  expect(said).toMatch(isForeign);
  expect(said).not.toContain('NTP');
});

test.each([
  [0, 'clock.advance (no answer shows that the clock was moved)'],
  [40 * hour, 'No answer shows for sure what time it is'],
])('one that gives no keys, %i ms ahead, blames nobody', async (offMs, why) => {
  const { failed, said } = await runWith({ offMs, withoutKeys: true });
  expect(failed).toEqual([]);
  expect(said).toContain(why);
});

test("the target's own state handler counts, whatever clock the headers are written by", async () => {
  const policy: Partial<Policy> = { dateShown: (_now, machine) => machine - 40 * hour };
  const { failed, said } = await runWith({ offMs: 40 * hour, isOwn: true, policy });
  expect(failed).toEqual([]);
  expect(said).not.toMatch(isForeign);
});

test.each([
  [0, true],
  [0, false],
  [40 * hour, true],
  [40 * hour, false],
])(
  'no requirement fails for it: %i ms ahead, without keys: %s',
  { timeout: 60_000 },
  async (offMs, withoutKeys) => {
    const { failed } = await runWith({ offMs, withoutKeys, isWhole: true });
    expect(failed).toEqual([]);
  },
);
