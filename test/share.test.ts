import { expect, test } from 'vitest';
import { VirtualClock } from '../src/core/virtualClock.ts';
import { createDeployment } from '../src/reference/deployment.ts';
import { defaultEnterprises } from '../src/reference/enterprises.ts';
import { virtualRun } from './support/virtualRun.ts';

const minute = 60_000;
const hour = 60 * minute;
const { keys, enterprises } = defaultEnterprises(1);

/** The most times that lie within one window, wherever it starts. */
function mostWithin(times: readonly number[], windowMs: number): number {
  return Math.max(
    0,
    ...times.map((start) => times.filter((at) => at >= start && at < start + windowMs).length),
  );
}

/** When the requests of each key arrived at a deployment with low limits, which a run with this share judged. */
async function arrivalsWith(
  share: string,
  primary: readonly string[],
): Promise<ReadonlyMap<string, number[]>> {
  const clock = new VirtualClock(Date.UTC(2026, 6, 15, 9, 30));
  const deployment = createDeployment({ clock, enterprises, limits: { perMinute: 20, perHour: 100 } });
  const arrivals = new Map<string, number[]>();
  const app = (request: Request): Promise<Response> => {
    const key = [...request.headers].flat().find((text) => primary.includes(text));
    if (key !== undefined) arrivals.set(key, [...(arrivals.get(key) ?? []), clock.monotonic()]);
    return deployment.fetch(request);
  };
  await virtualRun({
    ...{ app, clock, primary },
    config: {
      profile: 'full',
      share,
      limits: { perMinute: 20, perHour: 100 },
      budgets: { maxRequests: 160, maxDuration: '12h' },
    },
  });
  return arrivals;
}

test.each([
  { share: '100%', count: 1, perMinute: 20, perHour: 100 },
  { share: '50%', count: 1, perMinute: 10, perHour: 50 },
  { share: '50%', count: 2, perMinute: 10, perHour: 50 },
  { share: '10%', count: 1, perMinute: 2, perHour: 10 },
])(
  '$share of the limits of $count key(s) holds in every minute and hour',
  async (row) => {
    const arrivals = [...(await arrivalsWith(row.share, keys.primary.slice(0, row.count))).values()];
    const most = (windowMs: number) => Math.max(...arrivals.map((times) => mostWithin(times, windowMs)));
    expect(arrivals).toHaveLength(row.count);
    expect(most(minute)).toBeLessThanOrEqual(row.perMinute);
    expect(most(hour)).toBeLessThanOrEqual(row.perHour);
    // The share is used as well: a run that sent next to nothing would prove nothing.
    if (row.share === '50%' && row.count === 1)
      expect([most(minute), most(hour)]).toEqual([row.perMinute, row.perHour]);
  },
  60_000,
);
