import { expect, test } from 'vitest';
import { virtualLoad } from '../../test/support/virtualLoad.ts';
import { readJourneys } from '../load/journeys/journeyFiles.ts';
import type { LoadOptions } from '../load/plan/loadOptions.ts';
import { defects } from '../reference/defects.ts';
import { dialectPoints } from '../reference/dialects.ts';
import { loadDefects } from '../../test/support/loadDefects.ts';

const journeys = await readJourneys(null, '.');
const taking = (...ids: readonly string[]): Partial<LoadOptions> => ({
  ratePerSecond: 20,
  durationMs: 6000,
  journeys: journeys.filter(({ id }) => ids.includes(id)).map((journey) => ({ journey, weight: 1 })),
});

/** What a load must consist of to show each mistake. */
const loads: Readonly<Record<string, Partial<LoadOptions>>> = {
  'quota-oversold': {
    ratePerSecond: 200,
    durationMs: 2000,
    mix: [{ operation: 'wci.subscribe', weight: 1 }],
  },
  'units-lost': taking('subscribe-with-scans'),
  'units-twice': taking('subscribe-and-poll'),
  'booking-twice': taking('booking-race'),
  'answer-swapped': taking('subscribe-and-poll'),
  'status-stale': taking('subscribe-and-wait'),
  'status-back': taking('subscribe-and-wait'),
  'pass-crossed': taking('subscribe-and-wait'),
  'record-forgotten': {
    ratePerSecond: 40,
    mix: [
      { operation: 'wci.subscribe', weight: 1 },
      { operation: 'wci.list', weight: 1 },
    ],
  },
  'list-incomplete': taking('subscribe-and-poll'),
  'two-flight-keys': taking('registration-race'),
  'registration-refused': taking('registration-race'),
  'flight-key-crossed': taking('follow-changes'),
  'notification-lost': taking('follow-changes'),
  'foreign-listed': taking('strangers-record', 'subscribe-and-poll'),
  'credential-crossed': taking('subscribe-and-wait'),
  'change-lost': taking('subscribe-and-wait'),
};

/** Mistakes that a journey shows by itself, since it sends several requests at the same time. */
const together = new Set(['booking-twice', 'two-flight-keys', 'registration-refused', 'foreign-listed']);

test.each(loadDefects.map((defect) => [defect.id, defect] as const))(
  '%s is found by a load, and named as what holds at rest',
  async (id, defect) => {
    const units = id === 'quota-oversold' ? 40 : 100_000;
    const result = await virtualLoad({ defect, units, options: loads[id] ?? {} });
    const broken = result.load?.correctness?.broken ?? [];
    expect(broken.map(({ requirement }) => requirement)).toEqual(expect.arrayContaining([...defect.kills]));
    for (const { requirement, when, perSecond } of broken.filter((one) =>
      defect.kills.includes(one.requirement),
    )) {
      // Three at once stay three at once, even if nothing else is under way.
      if (!together.has(id)) expect(when, requirement).not.toBe('at-rest');
      expect(perSecond).toBeGreaterThan(0);
    }
    expect(result.summary).toMatchObject({ exitCode: 1, verdict: 'nonconformant' });
    const finding = result.findings.find(({ requirement }) => requirement === defect.kills[0]);
    expect(finding).toMatchObject({ check: 'load', severity: 'fail' });
    expect(finding?.exchanges.length).toBeGreaterThan(0);
  },
  60_000,
);

test.each(['email-unneeded', 'complete-in-progress'])(
  'a load judges bookings by the requests that made them: %s',
  async (id) => {
    const mistake = defects.find((one) => one.id === id);
    if (!mistake) throw new Error(`there is no defect ${id}`);
    const result = await virtualLoad({
      defect: { id, breaks: '', kills: [], policy: () => mistake.policy },
      options: {
        ratePerSecond: 20,
        durationMs: 6000,
        mix: [
          { operation: 'wci.status', weight: 1 },
          { operation: 'wci.subscribe', weight: 1 },
        ],
      },
      config: { budgets: { maxQuota: 5000, maxSubscriptions: 500 } },
    });
    const broken = result.load?.correctness?.broken.map(({ requirement }) => requirement);
    expect(broken).toEqual(expect.arrayContaining([...mistake.kills]));
  },
  60_000,
);

test('what the sink itself had to turn away is not blamed on the deployment', async () => {
  const defect = loadDefects.find(({ id }) => id === 'change-lost') ?? null;
  const result = await virtualLoad({ defect, turnedAway: 3, options: taking('subscribe-and-wait') });
  expect(result.load?.changes?.lost).toBeGreaterThan(0);
  expect(result.load?.correctness?.broken.map(({ requirement }) => requirement)).not.toContain('WCI-CB-021');
}, 60_000);

test('a deployment in order stays right under all of it, and every journey comes to its end', async () => {
  const result = await virtualLoad({
    options: {
      ...taking(...journeys.map(({ id }) => id)),
      mix: [
        { operation: 'wci.status', weight: 2 },
        { operation: 'wci.list', weight: 1 },
        { operation: 'wci.subscribe', weight: 1 },
        { operation: 'wci.update', weight: 1 },
        { operation: 'fla.lookup', weight: 1 },
      ],
    },
    config: { budgets: { maxQuota: 5000, maxSubscriptions: 500 } },
  });
  expect(result.findings.map(({ message }) => message)).toEqual([]);
  expect(result.requirements.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'skipped')).toEqual(
    [],
  );
  expect(result.requirements.length).toBeGreaterThan(40);
  expect(result.load?.journeys?.map(({ journey }) => journey).sort()).toEqual(
    journeys.map(({ id }) => id).sort(),
  );
  for (const { journey, begun, done, failures } of result.load?.journeys ?? [])
    expect([journey, done, failures]).toEqual([journey, begun, []]);
  expect(result.load?.changes).toMatchObject({ lost: 0 });
  expect(result.load?.changes?.told).toBeGreaterThan(10);
  expect(result.load?.correctness).toMatchObject({ leastShare: 1, broken: [] });
  expect(result.summary.exitCode).toBe(0);
}, 60_000);

test.each([
  ['client-identity', 'required'],
  ['checkin-message', 'constant'],
  ['checkin-message', 'by-look'],
])(
  'a deployment in order of another dialect is not blamed: %s=%s',
  async (name, variant) => {
    const policy = dialectPoints.find((one) => one.name === name)?.variants[variant];
    if (policy === undefined) throw new Error(`there is no dialect ${name}=${variant}`);
    const result = await virtualLoad({
      defect: { id: name, breaks: '', kills: [], policy: () => policy },
      options: taking('subscribe-and-wait', 'callback-storm'),
    });
    expect(result.findings.map(({ message }) => message)).toEqual([]);
    for (const { done, begun, failures } of result.load?.journeys ?? [])
      expect([done, failures]).toEqual([begun, []]);
    expect(result.load?.changes).toMatchObject({ lost: 0 });
  },
  60_000,
);

test('many tenants of enterprise.create: none is blamed for the record of another, and no key is shown', async () => {
  const result = await virtualLoad({
    options: {
      ...{ tenants: 20, ratePerSecond: 100, durationMs: 24_000 },
      mix: [
        { operation: 'wci.list', weight: 2 },
        { operation: 'wci.status', weight: 1 },
        { operation: 'wci.subscribe', weight: 1 },
      ],
    },
  });
  expect(result.findings.map(({ message }) => message)).toEqual([]);
  expect(result.load?.counts.errors).toBe(0);
  expect(JSON.stringify(result)).not.toMatch(/gk_live_/);
}, 60_000);

test('a sink that refuses at first is told of again, and nothing is lost', async () => {
  const result = await virtualLoad({
    options: {
      ...taking('subscribe-and-wait'),
      ratePerSecond: 2,
      durationMs: 40_000,
      sinkManner: { kind: 'fail', times: 1 },
    },
  });
  const { changes } = result.load ?? {};
  expect(changes).toMatchObject({ lost: 0 });
  expect(changes?.repeated).toBeGreaterThan(5);
  expect(changes?.retries[0]?.interval.p50Ms).toBeGreaterThan(0);
  expect(result.findings).toEqual([]);
}, 60_000);

test('webhooks that the sink refused and that never come again are told, and their partners have not heard', async () => {
  const result = await virtualLoad({
    defect: { id: 'once', breaks: '', kills: [], policy: () => ({ callbackRetryMs: [] }) },
    options: { ...taking('callback-storm'), sinkManner: { kind: 'down', forMs: 30_000 } },
  });
  const { changes, journeys: taken } = result.load ?? {};
  expect(changes).toMatchObject({ lost: 0, repeated: 0 });
  // Only what was taken alone before the load met a sink in order.
  expect(changes?.taken).toBe(1);
  expect(taken?.[0]).toMatchObject({ done: 0 });
  expect(taken?.[0]?.failures[0]?.why).toContain('was refused by the sink, and did not come again');
  // How often a refused delivery is tried is not stated.
  expect(result.findings).toEqual([]);
}, 60_000);

test('a callback storm: all records change at once, and each webhook comes, also past a sink that was down', async () => {
  const storm = await virtualLoad({
    options: {
      ...taking('callback-storm'),
      ratePerSecond: 50,
      durationMs: 4000,
      sinkManner: { kind: 'down', forMs: 12_000 },
    },
  });
  const { changes, journeys: taken } = storm.load ?? {};
  expect(storm.findings.map(({ message }) => message)).toEqual([]);
  const begun = taken?.[0]?.begun ?? 0;
  expect(begun).toBeGreaterThan(150);
  expect(taken?.[0]?.done).toBe(begun);
  // One more ran alone before the load.
  expect(changes).toMatchObject({ caused: begun + 1, told: begun + 1, lost: 0 });
  // The first one to start waited for the last.
  const wait = taken?.[0]?.steps.find(({ step }) => step === 'wait for all');
  expect(wait?.time.maxMs).toBeGreaterThan(3500);
  // What was refused while the sink was down came again, after an interval that is counted.
  expect(changes?.retries.length).toBeGreaterThan(0);
}, 60_000);

test('what journeys sent alone before the load counts for the limiter: a strict one is not blamed', async () => {
  const result = await virtualLoad({
    options: { ...taking('dashboard'), keys: 2, ratePerSecond: 2, durationMs: 40_000, on429: 'ignore' },
    limits: { perMinute: 30, perHour: 1000 },
  });
  expect(result.load?.counts.refused).toBeGreaterThan(0);
  expect(result.load?.limiter?.underAdmitted ?? []).toEqual([]);
  expect(result.requirements.find(({ id }) => id === 'SHR-LIM-001')?.verdict).not.toBe('warn');
}, 60_000);

test('each request of journeys has one fate, with a warm-up as well', async () => {
  const result = await virtualLoad({
    options: { ...taking('subscribe-and-poll'), ratePerSecond: 5, durationMs: 10_000, warmUpMs: 3000 },
  });
  const { counts, journeys: taken } = result.load ?? {};
  const { late, inFlight, limits } = counts?.missed ?? { late: 0, inFlight: 0, limits: 0 };
  expect(counts?.warmUp).toBeGreaterThan(0);
  expect((counts?.sent ?? 0) + late + inFlight + limits + (counts?.warmUp ?? 0)).toBe(counts?.planned);
  expect(counts).toMatchObject({ unsent: 0, lost: 0 });
  expect(taken?.[0]?.begun).toBe(taken?.[0]?.done);
}, 60_000);
