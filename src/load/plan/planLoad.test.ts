import { describe, expect, test } from 'vitest';
import { loadOptions } from '../../../test/support/loadOptions.ts';
import { resolveSettings } from '../../settings/settings.ts';
import type { Settings } from '../../core/settings.ts';
import { parseMix } from './mix.ts';
import { rateWithinLimits } from './plan.ts';
import type { LoadOptions } from './loadOptions.ts';
import { planLoad } from './planLoad.ts';

const settingsFor = (target: string, more: Partial<Settings> = {}): Settings => ({
  ...resolveSettings({ target, keys: { primary: 'env:KEY' } }, { env: { KEY: 'some-key-of-the-test' } }),
  ...more,
});
const local = settingsFor('http://127.0.0.1:1');
const foreign = settingsFor('https://qa.example.com');
const twoHosts: Settings = {
  ...foreign,
  target: {
    kind: 'url',
    baseUrls: { webcheckin: 'https://qa.example.com', 'flight-alerts': 'https://fla.example.com' },
  },
};

describe('how much may be sent', () => {
  test.each<[keys: number, minutes: number, perSecond: number]>([
    [1, 1, 0.95],
    [4, 1, 3.8],
    [1, 30, (0.95 * 1000) / 1800],
    [1, 60, (0.95 * 1000) / 3600],
    [1, 600, (0.95 * 1000) / 3600],
  ])('%d keys for %d minutes', (keys, minutes, perSecond) => {
    const limits = { perMinute: 60, perHour: 1000 };
    expect(rateWithinLimits(limits, keys, minutes * 60_000)).toBeCloseTo(perSecond, 6);
  });

  test('without a rate, as much as the limits allow', () => {
    expect(planLoad(loadOptions(), foreign, 2)).toMatchObject({ withinLimits: true, ratePerSecond: 1.9 });
  });

  test.each<[what: string, settings: Settings, given: Partial<LoadOptions>, withinLimits: boolean]>([
    ['a deployment of this machine takes any rate', local, { ratePerSecond: 500 }, false],
    ["somebody's takes what the limits allow", foreign, { ratePerSecond: 1 }, true],
    ['one that is owned takes any', foreign, { ratePerSecond: 500, ownedHost: 'qa.example.com' }, false],
    ['within the limits wherever that is wanted', local, { ratePerSecond: 1, withinLimits: true }, true],
  ])('%s', (_what, settings, given, withinLimits) => {
    expect(planLoad(loadOptions(given), settings, 2).withinLimits).toBe(withinLimits);
  });

  test.each<[what: string, settings: Settings, given: Partial<LoadOptions>, says: RegExp]>([
    ["somebody's beyond the limits", foreign, { ratePerSecond: 3 }, /not on this machine/],
    ['a saturation of it', foreign, { saturate: true }, /--saturate goes beyond/],
    [
      'another host than is owned',
      foreign,
      { ratePerSecond: 3, ownedHost: 'example.com' },
      /expected the host/,
    ],
    ['one of two hosts', twoHosts, { ratePerSecond: 3, ownedHost: 'qa.example.com' }, /not on this machine/],
    ['more keys than there are', local, { keys: 3 }, /expected at most 2/],
    ['more than the limits allow', local, { ratePerSecond: 5, withinLimits: true }, /expected at most 1.90/],
    ['too many', local, { ratePerSecond: 50_000 }, /expected at most 1000000/],
    [
      'nothing at all',
      local,
      { ratePerSecond: 0.0001, durationMs: 2000, arrivals: 'poisson' },
      /sends something; got none at all within 2 s/,
    ],
    ['writes that are not granted', foreign, { mix: parseMix('wci.subscribe=1') }, /--max-quota: expected/],
  ])('refused: %s', (_what, settings, given, says) => {
    expect(() => planLoad(loadOptions(given), settings, 2)).toThrow(says);
  });

  test('the longest duration and the most requests bound it', () => {
    const budgets = { ...local.budgets, maxDurationMs: 5000, maxRequests: 7 };
    expect(planLoad(loadOptions({ ratePerSecond: 9 }), { ...local, budgets }, 2)).toMatchObject({
      durationMs: 5000,
      maxRequests: 7,
    });
  });
});

test.each([
  '',
  'wci.list',
  'wci.list=0',
  'wci.list=-1',
  'wci.list=1,wci.list=2',
  'x=1',
  'wci.list=1;wci.status=1',
])('the mix %j is malformed', (text) => expect(parseMix(text)).toBeNull());

test('a mix keeps its weights', () => {
  expect(parseMix('wci.status=5, fla.lookup=0.5')).toEqual([
    { operation: 'wci.status', weight: 5 },
    { operation: 'fla.lookup', weight: 0.5 },
  ]);
});

describe('bookings that two workers subscribe at once', () => {
  const twins = (count: number, operation: 'wci.subscribe' | 'wci.list') =>
    planLoad(
      loadOptions({
        workers: { count, redisUrl: 'redis://127.0.0.1:1' },
        ratePerSecond: 5,
        mix: [{ operation, weight: 1 }],
      }),
      { ...local, budgets: { ...local.budgets, maxQuota: 100_000 } },
      10,
    ).twins;

  test('are there where several workers subscribe', () => {
    expect([twins(2, 'wci.subscribe'), twins(1, 'wci.subscribe'), twins(2, 'wci.list')]).toEqual([
      true,
      undefined,
      undefined,
    ]);
  });
});

describe('courses', () => {
  const stages = [{ fromPerSecond: 1, toPerSecond: 1, durationMs: 1000 }];
  const course = (journey: string | null) => ({ journey, stages });
  const journeys = ['one', 'other'].map((id) => ({
    journey: { id, title: id, apis: [], needs: [], cost: { requests: 1 }, run: () => Promise.resolve() },
    weight: 1,
  }));
  const [one] = journeys.slice(0, 1);
  const mix = parseMix('wci.list=1') ?? null;

  test.each<[what: string, given: Partial<LoadOptions>, says: RegExp]>([
    ['two without a journey', { stages: [course(null), course(null)] }, /one course for all/],
    [
      'two of one journey',
      { journeys, stages: [course(null), course('one'), course('one')] },
      /one course for one/,
    ],
    [
      'one with nothing to send by it',
      { journeys: one ? [one] : [], stages: [course(null), course('one')] },
      /something to send by the course without a journey/,
    ],
    ['a journey that is left without', { journeys, stages: [course('one')] }, /a course for other/],
    [
      'a mix that is left without',
      { journeys: one ? [one] : [], mix, stages: [course('one')] },
      /a course for --mix/,
    ],
  ])('%s', (_what, given, says) => {
    expect(() => planLoad(loadOptions(given), local, 2)).toThrow(says);
  });

  test('for each journey, or for one of several beside the rest', () => {
    for (const given of [
      { journeys: one ? [one] : [], stages: [course('one')] },
      { journeys, stages: [course(null), course('one')] },
      { journeys: one ? [one] : [], mix, stages: [course(null), course('one')] },
    ])
      expect(planLoad(loadOptions(given), local, 2).ownShapes).toHaveLength(1);
  });
});
