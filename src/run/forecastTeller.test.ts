import { expect, test } from 'vitest';
import { VirtualClock } from '../core/virtualClock.ts';
import type { RunEvent } from '../engine/observe/events.ts';
import type { EngineCheck } from '../engine/suite.ts';
import type { Plan } from '../plan/plan.ts';
import { KeyRing } from '../send/keyRing.ts';
import { windowLimits } from '../send/keyWindow.ts';
import { Pacer } from '../send/pacer.ts';
import { noStateHandler } from '../target/stateHandler.ts';
import { resolveSettings } from '../settings/settings.ts';
import { ForecastTeller } from './forecastTeller.ts';

const many = 40;

/** A plan of checks that send four requests each and were never recorded. */
const plan = {
  checks: Array.from({ length: many }, (_, index) => ({
    check: {
      ...{ id: `wci.of.nobody-${index}`, kind: 'fixed', exclusive: true, tags: [], needs: [] },
      ...{ cases: { minCases: 1, maxCases: 1 }, cost: () => ({ requests: 4, quota: 0, subscriptions: 0 }) },
    } as unknown as EngineCheck,
    cases: 0,
    cost: { requests: 4, quota: 0, subscriptions: 0 },
  })),
  carriers: [],
  total: { requests: many * 4, quota: 0, subscriptions: 0 },
  expectedMs: 0,
  keys: 1,
} as unknown as Plan<EngineCheck>;

/** A run of that plan in which each answer takes `answerMs`; returns its messages. */
function runWith(answerMs: number, { until = many, used = 0, load = 0 } = {}) {
  const clock = new VirtualClock(0);
  const heard: { at: number; event: RunEvent }[] = [];
  const teller = new ForecastTeller(() => load);
  const tell = (event: RunEvent) => {
    heard.push({ at: clock.monotonic(), event });
    teller.hear(event);
  };
  const settings = resolveSettings({ seed: 1 }, { env: {} });
  const keys = KeyRing.of({ primary: ['a-key-of-the-run'], other: [], special: {} });
  const pacer = new Pacer({ clock, limits: windowLimits(settings.limits) });
  for (let count = 0; count < used; count += 1) pacer.tryAcquire(keys.primary)?.done();
  clock.advance(used === 0 ? 0 : 20_000);
  const target = { keys, stateHandler: noStateHandler };
  const forecast = teller.follow({ tell, clock, settings, target, pacer }, plan);
  tell(exchangeOf('reach', 4));
  const { wholeMs } = forecast;
  tell({
    ...{ name: 'run-started', runId: 'r', seed: 1, target: 'http://a', checks: many, requirements: 1 },
    ...{ plannedRequests: many * 4, expectedMs: 0, requestMs: 4, forecastMs: wholeMs },
  });
  for (const { check } of plan.checks.slice(0, until)) {
    for (let sent = 0; sent < 4; sent += 1) {
      clock.advance(answerMs);
      tell(exchangeOf(check.id, answerMs));
    }
    tell({ name: 'check-finished', check: check.id, title: '', status: 'pass', reason: null, requests: 4 });
  }
  return { heard, teller, wholeMs, forecast, clock, pacer, ms: clock.monotonic() };
}

function exchangeOf(check: string, durationMs: number): RunEvent {
  return {
    ...{ name: 'exchange', id: 'x', check, operation: null, request: 'GET /', key: null, status: 200 },
    durationMs,
  };
}

test('a run that takes what was forecast is told nothing and needs no reason', () => {
  const { heard, teller, wholeMs } = runWith(2);
  expect(wholeMs).toBeLessThan(1000);
  expect(heard.some(({ event }) => event.name === 'notice')).toBe(false);
  expect(teller.reasonFor(50_000)).toBeNull();
  expect(new ForecastTeller().reasonFor(1e9)).toBeNull();
});

test('answers that prove to be slow are told as a new forecast with the reason, which the run keeps', () => {
  const { heard, teller, ms } = runWith(1000);
  const notices = heard.flatMap(({ event }) => (event.name === 'notice' ? [event.text] : []));
  expect(notices).toHaveLength(1);
  expect(notices[0]).toMatch(
    /^The run is going to take about \d min( \d+ s)?, and not 1 s: an answer takes /,
  );
  expect(teller.reasonFor(ms)).toBeNull();
});

test('the whole is told to a fifth once an eighth of it is over', () => {
  const { heard, ms } = runWith(800);
  const told = heard.flatMap(({ at, event }) =>
    event.name === 'forecast' && at > ms / 8 ? [at + event.leftMs] : [],
  );
  expect(told.length).toBeGreaterThan(3);
  for (const whole of told) expect(Math.abs(whole - ms)).toBeLessThan(0.2 * ms);
});

test('a run that takes much longer than told last says what it waited for', () => {
  const { teller, clock } = runWith(800, { until: 1 });
  for (const key of ['primary#1', 'primary#2'])
    teller.hear({ name: 'waiting', reason: 'retry-after', ms: 30_000, key });
  clock.advance(90_000);
  expect(teller.reasonFor(100_000)).toMatch(
    /^The run took 1 min 40 s, and about 1 s were forecast: 429s and refused keys asked to wait 30\.0 s in all; an answer takes \d+ ms on average\.$/,
  );
  for (let sent = 0; sent < many * 5; sent += 1) teller.hear(exchangeOf('wci.of.nobody-0', 5));
  expect(teller.reasonFor(100_000)).toContain('more requests than planned were sent');
});

test('keys that were used before have less room, which the forecast counts as far as they were used', () => {
  const [unused, half, whole] = [0, 30, 60].map((used) => runWith(2, { used, until: 0 }).wholeMs);
  expect(unused).toBeLessThan(1000);
  expect(half).toBeGreaterThan(15_000);
  expect(half).toBeLessThan(25_000);
  expect(whole).toBeGreaterThan(35_000);
  expect(whole).toBeLessThan(45_000);
});

test('a key that waits longer for its limits than planned is the reason', () => {
  const { teller, clock } = runWith(2, { until: 1 });
  for (let waiting = 0; waiting < 20; waiting += 1)
    teller.hear({ name: 'waiting', reason: 'pace', ms: 61_000, key: 'primary#1' });
  clock.advance(50_000);
  expect(teller.reasonFor(100_000)).toContain('as where others use them: a key waited 50.0 s');
});

test('a limit that keys share is the reason, and not others who use them', () => {
  const { teller, clock, pacer } = runWith(2, { until: 1 });
  pacer.share({ scope: 'enterprise', window: { limit: 60, windowMs: 60_000 } });
  teller.hear({ name: 'waiting', reason: 'pace', ms: 61_000, key: 'primary#1' });
  clock.advance(70_000);
  const reason = teller.reasonFor(100_000);
  expect(reason).toContain(
    'the keys of one enterprise seem to share one limit of 60 requests in 60 s, where the documents have one for each key (SHR-LIM-011): a key waited 1 min 1 s',
  );
  expect(reason).not.toContain('others use them');
});

test('what is waited for at present and what keys share are part of the forecast', () => {
  const { teller, heard, clock, pacer } = runWith(2, { until: 1 });
  const last = () => heard.flatMap(({ event }) => (event.name === 'forecast' ? [event.leftMs] : [])).at(-1);
  teller.hear({ name: 'waiting', reason: 'retry-after', ms: 90_000, key: 'primary#1' });
  expect(last()).toBeGreaterThan(90_000);
  pacer.share({ scope: 'address', window: { limit: 60, windowMs: 60_000 } });
  clock.advance(90_000);
  teller.hear({ name: 'waiting', reason: 'pace', ms: 61_000, key: 'primary#1' });
  // 156 requests are left: two more minutes after this one.
  expect(last()).toBeGreaterThan(181_000);
});

test('deliveries that come late are a reason', () => {
  const { teller } = runWith(2, { until: 1 });
  teller.hear({ name: 'callback-awaited', ms: 6000 });
  expect(teller.reasonFor(100_000)).toContain('callbacks come 3.0 s after what they tell of');
});

test('where nothing else explains it, a busy machine is the reason', () => {
  expect(runWith(2, { load: 0.5 }).teller.reasonFor(500_000)).toContain('answers come soon');
  expect(runWith(2, { load: 6.2 }).teller.reasonFor(500_000)).toContain('this machine is busy, with 6.2');
});
