import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { holds, unclear, differs } from '../../judge/kernel/judgement.ts';
import { attempt } from './attempt.ts';
import type { ContextBase } from './context.ts';
import type { CallbackAddress } from '../observe/callbacks.ts';
import type { CheckContext } from './context.ts';
import { Dialect } from '../observe/dialect.ts';
import { attemptAt, causesOf, samplesOf } from '../../../test/support/attempts.ts';
import { anyRequest, attemptOptions, checkOf, done } from '../../../test/support/engine.ts';

const broken = differs('code', 'member', 'this', 'that');

describe('a table', () => {
  const table = (t: CheckContext) =>
    t.each([{ name: 'row a' }, { name: 'row b' }, { name: 'row c' }, { name: 'row d' }], async ({ name }) => {
      const one = await t.send(anyRequest);
      if (name === 'row d') throw new TypeError('oops');
      t.judge(one, {
        'WCI-LST-001': name === 'row b' ? broken : name === 'row c' ? unclear('lost') : holds,
      });
    });

  test('goes on after a row that fails, is unclear or breaks', async () => {
    const result = await attemptAt(table);
    expect(result.failed.map(({ name }) => name)).toEqual(['row b']);
    expect(result.failed[0]?.exchanges).toHaveLength(1);
    expect(causesOf(result)).toEqual(['lost', expect.stringContaining('oops')]);
    expect([...result.held]).toEqual(['row a', '']);
    expect(samplesOf(result)).toEqual({ 'WCI-LST-001': 2 });
  });

  test('runs only the rows that are to be tried again', async () => {
    const first = await attemptAt(table);
    const again = await attemptAt(table, { only: first.failed });
    expect(again.requests).toBe(1);
    expect(again.failed.map(({ name }) => name)).toEqual(['row b']);
  });

  test('runs all rows where what the check judged by itself is to be tried again, since it may rest on them', async () => {
    const summing = async (t: CheckContext) => {
      let sent = 0;
      await t.each(['1', '2'], async () => {
        await t.send(anyRequest);
        sent += 1;
      });
      t.judge([], { 'WCI-LST-001': sent === 2 ? broken : holds });
    };
    const first = await attemptAt(summing);
    expect(first.failed.map(({ name }) => name)).toEqual(['']);
    const again = await attemptAt(summing, { only: first.failed });
    expect(again.failed.map(({ name }) => name)).toEqual(['']);
  });

  test('is left where the check is skipped in a row', async () => {
    const result = await attemptAt((t) =>
      t.each(['1', '2', '3'], async (row) => {
        if (row === '2') t.skip('enough');
        await t.send(anyRequest);
        t.judge([], { 'WCI-LST-001': holds });
      }),
    );
    expect(result).toMatchObject({ skipped: 'enough', requests: 1 });
    expect(samplesOf(result)).toEqual({ 'WCI-LST-001': 1 });
  });

  test('leaves what was judged before and after it to the check', async () => {
    const result = await attemptAt(async (t) => {
      t.judge(await t.send(anyRequest), { 'WCI-LST-002': holds });
      await t.each(['1'], () => done(() => t.judge([], { 'WCI-LST-001': broken })));
      t.judge(await t.send(anyRequest), { 'WCI-LST-002': broken });
    });
    expect(result.failed.map(({ name, exchanges }) => [name, exchanges.length])).toEqual([
      ['1', 0],
      ['', 2],
    ]);
    expect(samplesOf(result)).toEqual({ 'WCI-LST-001': 1, 'WCI-LST-002': 2 });
  });
});

describe('a property', () => {
  const below = (limit: number) => (t: CheckContext) =>
    t.forAll('numbers', fc.nat(1000), async (value) => {
      const one = await t.send(anyRequest);
      t.judge(one, { 'WCI-LST-001': value < limit ? holds : broken });
    });

  test('sends as many cases as it is granted', async () => {
    const result = await attemptAt(below(5000), { cases: 17 });
    expect([result.requests, samplesOf(result)]).toEqual([17, { 'WCI-LST-001': 17 }]);
  });

  test('fails with the smallest value that still fails, and with where it is found again', async () => {
    const { failed } = await attemptAt(below(100), { cases: 100 });
    expect(failed).toHaveLength(1);
    expect(failed[0]).toMatchObject({ name: 'numbers', generated: { value: 100, text: '100' } });
    expect(failed[0]?.generated?.path).toMatch(/^\d+(:\d+)*$/);
    expect(failed[0]?.exchanges).toHaveLength(1);
  });

  test('the same seed finds the same case, another seed another path', async () => {
    const found = async (seed: number) =>
      (await attemptAt(below(100), { cases: 100, seed })).failed[0]?.generated;
    expect(await found(1)).toEqual(await found(1));
    expect((await found(1))?.seed).not.toBe((await found(2))?.seed);
  });

  test.each([0, 1, 3])('shrinking costs at most %i requests', async (budget) => {
    let untilFailure = 0;
    const options = attemptOptions(checkOf(below(1)), {
      cases: 100,
      shrinkBudget: () => ((untilFailure = options.sent()), budget),
    });
    const { failed, requests } = await attempt(options);
    expect(failed).toHaveLength(1);
    expect(requests - untilFailure).toBeLessThanOrEqual(budget);
  });

  describe('whose cases wait for callbacks', () => {
    let now = 0;
    const told: string[] = [];
    const slow = (ms: number) => ({
      dialect: new Dialect(),
      monotonic: () => now,
      tell: (text: string) => void told.push(text),
      callbacks: { wait: () => done(() => void (now += ms)) },
    });
    const attemptWith = (ms: number, limit: number) => {
      [now, told.length] = [0, 0];
      const run = (t: CheckContext) =>
        t.forAll('numbers', fc.nat(1000), async (value) => {
          await t.callbacks.wait({} as CallbackAddress, () => true);
          t.judge(await t.send(anyRequest), { 'WCI-LST-001': value < limit ? holds : broken });
        });
      return attemptAt(run, { cases: 100, base: slow(ms) as unknown as ContextBase });
    };

    test('runs all of them where callbacks come at once', async () => {
      expect((await attemptWith(200, 5000)).requests).toBe(100);
      expect(told).toEqual([]);
    });

    test('begins no further one after half a minute of waiting, and says so', async () => {
      const result = await attemptWith(4000, 5000);
      expect([result.requests, samplesOf(result)]).toEqual([8, { 'WCI-LST-001': 8 }]);
      expect(told).toEqual(['wci.test ran 8 of 100 cases: it had waited 32 s for callbacks by then']);
    });

    test('runs one at least, and shrinks what it finds for half a minute more', async () => {
      expect((await attemptWith(90_000, 5000)).requests).toBe(1);
      const { failed, requests } = await attemptWith(4000, 1);
      expect([failed.length, requests]).toEqual([1, 9]);
    });
  });

  test('shrinking keeps to the rule that was broken first', async () => {
    const { failed } = await attemptAt(
      (t) =>
        t.forAll('numbers', fc.nat(1000), (value) =>
          done(() =>
            t.judge(
              [],
              value >= 200 ? { 'WCI-LST-001': broken } : { 'WCI-LST-002': value > 0 ? broken : holds },
            ),
          ),
        ),
      { cases: 1, seed: 3 },
    );
    const [first] = failed;
    const shrunkTo = first?.violations[0]?.requirement === 'WCI-LST-001' ? 200 : 1;
    expect(first?.generated?.value).toBe(shrunkTo);
  });

  test('that is tried again runs the value that failed, and nothing else', async () => {
    const { failed } = await attemptAt(below(100), { cases: 100 });
    const values: unknown[] = [];
    const again = await attemptAt(
      (t) => t.forAll('numbers', fc.nat(1000), (value) => done(() => void values.push(value))),
      { only: failed },
    );
    expect([values, again.failed, [...again.held]]).toEqual([[100], [], ['numbers', '']]);
  });

  test('whose cases are unclear goes on', async () => {
    const result = await attemptAt(
      (t) => t.forAll('p', fc.nat(), () => done(() => t.assume(false, 'lost'))),
      { cases: 4 },
    );
    expect([result.unclear.length, result.failed.length]).toEqual([4, 0]);
  });
});
