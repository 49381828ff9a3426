import { expect, test } from 'vitest';
import { loadOptions } from '../../../test/support/loadOptions.ts';
import { readJourneys } from '../../load/journeys/journeyFiles.ts';
import type { LoadOptions } from '../../load/plan/loadOptions.ts';
import { planLoad } from '../../load/plan/planLoad.ts';
import { resolveSettings } from '../../settings/settings.ts';
import { loadForecast } from './forecast.ts';
import { bounds, mix } from './forms.ts';

const given = {
  // Which of its operations a load draws is its seed's matter, and so is what it spends.
  seed: 1,
  target: 'https://qa.example.com',
  keys: { primary: 'env:QA' },
  budgets: { maxQuota: 500, maxSubscriptions: 5 },
};
const foreign = resolveSettings(given, { env: { QA: 'k1' } });
const forecast = (some: Partial<LoadOptions>) => {
  const options = loadOptions({ ownedHost: 'qa.example.com', ...some });
  return loadForecast(planLoad(options, foreign, 1), options, foreign);
};

test('reads cost nothing, and that is said', async () => {
  expect(await forecast({ durationMs: 60_000, mix: mix.parse('wci.list=1') })).toEqual([
    'about 57 requests in 1 min, 0.95 per second',
    'wci.list=1, within the limits',
    'at most 0 quota units of 500, 0 flight subscriptions of 5',
    'nothing permanent',
  ]);
});

test('writes are told with what they spend, and where they book', async () => {
  const writes = { ratePerSecond: 2, durationMs: 60_000, mix: mix.parse('wci.subscribe=1,fla.subscribe=1') };
  const lines = await forecast(writes);
  expect(lines[2]).toMatch(/^at most (5|6)\d quota units of 500, 1 flight subscription of 5$/);
  expect(lines.slice(3)).toEqual([
    'subscriptions are permanent, since neither API can delete',
    expect.stringMatching(/^bookings on /),
    expect.stringMatching(/^flight alerts of /),
  ]);
});

test('journeys are told by their names, with the requests and units of all their steps', async () => {
  const journey = (await readJourneys(null, '/')).find(({ id }) => id === 'subscribe-and-poll');
  const journeys = journey ? [{ journey, weight: 3 }] : [];
  const lines = await forecast({ ratePerSecond: 1, durationMs: 60_000, journeys });
  expect(lines.slice(0, 4)).toEqual([
    'about 60 journeys in 1 min, 1.00 per second',
    expect.stringMatching(/^at most \d{3,} requests of journeys$/),
    'subscribe-and-poll=3, not held to the limits',
    'at most 62 quota units of 500, 0 flight subscriptions of 5',
  ]);
});

test.each<[what: string, options: Partial<LoadOptions>, says: string]>([
  [
    'a search',
    { capacity: bounds.parse('p99<1s'), trialMs: 20_000 },
    'trials of 20.0 s, from 10.00 per second on and twice as many each time, at most 1000000 requests',
  ],
  [
    'a saturation',
    { saturate: true, durationMs: 10_000 },
    'as much as is answered in 10.0 s over 10 connections, at most 1000000 requests',
  ],
  ['tenants', { tenants: 300, ratePerSecond: 1 }, '300 new enterprises, which stay'],
])('%s tells how far it may go', async (_what, options, says) => {
  expect(await forecast(options)).toContain(says);
});
