import { expect, test } from 'vitest';
import { virtualLoad } from '../../test/support/virtualLoad.ts';
import { defineJourney, list, type Partner } from '../load/journeys/front.ts';

const look = (partner: Partner) => partner.send('look', list());
const never = new Promise<void>(() => undefined);

/** What a journey may do that its author did not think of. */
const mistakes: Readonly<Record<string, (partner: Partner) => unknown>> = {
  fine: look,
  'throws-at-once': () => {
    throw new TypeError('oops');
  },
  // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- JavaScript lets it throw anything.
  'throws-no-error': () => Promise.reject(Object.create(null)),
  'returns-nothing': () => undefined,
  'waits-for-nothing': (partner) => {
    void partner.send('look', list({ page: 'none' }), { expects: [418] });
  },
  'never-ends': async (partner) => {
    await look(partner);
    await never;
  },
  'catches-all': async (partner) => {
    for (;;) await partner.think(20_000).catch(() => undefined);
  },
  'thinks-for-ever': (partner) => partner.think(Number.POSITIVE_INFINITY),
  'names-at-length': (partner) => partner.fail('x'.repeat(100_000), 'y'.repeat(100_000)),
};

test('mistakes of journeys are told as such, end, and keep nobody from anything', async () => {
  const journeys = Object.entries(mistakes).map(([id, run]) => ({
    weight: 1,
    journey: defineJourney({
      ...{ id, title: id, apis: ['webcheckin'], needs: [], cost: { requests: 2 } },
      run: run as (partner: Partner) => Promise<void>,
    }),
  }));
  const { load, summary } = await virtualLoad({
    options: { ratePerSecond: 9, durationMs: 10_000, journeys },
  });
  const of = (id: string) => load?.journeys?.find(({ journey }) => journey === id);
  for (const id of ['fine', 'returns-nothing']) expect([id, of(id)?.done]).toEqual([id, of(id)?.begun]);
  const why = (id: string) => [of(id)?.done, of(id)?.failures[0]?.why];
  expect(why('throws-at-once')).toEqual([0, 'a fault of the journey: TypeError: oops']);
  expect(why('throws-no-error')).toEqual([0, expect.stringContaining('a fault of the journey')]);
  expect(why('waits-for-nothing')).toEqual([0, expect.stringContaining('expected 418; got HTTP 200')]);
  expect(why('thinks-for-ever')).toEqual([0, expect.stringContaining('got Infinity')]);
  for (const id of ['never-ends', 'catches-all'])
    expect(of(id)).toMatchObject({ done: 0, failed: 0, brokenOff: of(id)?.begun });
  expect(JSON.stringify(of('names-at-length')).length).toBeLessThan(5000);
  expect(summary.exitCode).toBe(3);
  expect(summary.reasons?.join(' ')).toMatch(/No partner came to the end of .*never-ends/);
}, 60_000);
