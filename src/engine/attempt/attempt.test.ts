import type { Fixtures, OwnRecord } from '../fixtures/fixtures.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../core/evidence.ts';
import { answered, ok } from '../../judge/kernel/answer.ts';
import { holds, unclear, differs, type Judgement } from '../../judge/kernel/judgement.ts';
import { StateHandlerError } from '../../target/stateHandler.ts';
import { attempt } from './attempt.ts';
import type { AttemptResult, FailedCase } from './attemptResult.ts';
import type { CheckContext } from './context.ts';
import type { Ear } from '../observe/observer.ts';
import type { ApiRequest } from '../../send/request.ts';
import { attemptAt, causesOf, samplesOf } from '../../../test/support/attempts.ts';
import { anyRequest, attemptOptions, checkOf, done } from '../../../test/support/engine.ts';

const broken = differs('code', 'member', 'this', 'that');

describe('a check without tables', () => {
  test('counts what it judged, and the requests that it sent', async () => {
    const result = await attemptAt(async (t) => {
      const first = await t.send(anyRequest);
      t.judge(first, { 'WCI-LST-001': answered(first, ok), 'WCI-LST-002': holds });
      t.judge(first, { 'WCI-LST-001': holds });
    });
    expect(samplesOf(result)).toEqual({ 'WCI-LST-001': 2, 'WCI-LST-002': 1 });
    expect(result).toMatchObject({ requests: 1, failed: [], unclear: [], skipped: null, cutShort: null });
  });

  test('fails with all exchanges of the case, and keeps what it had judged before', async () => {
    const result = await attemptAt(async (t) => {
      const first = await t.send(anyRequest);
      t.judge(first, { 'WCI-LST-002': holds });
      const second = await t.send(anyRequest);
      t.judge(second, { 'WCI-LST-001': broken });
      throw new Error('never reached');
    });
    expect(result.failed).toHaveLength(1);
    expect(result.failed[0]).toMatchObject({ name: '', violations: [{ requirement: 'WCI-LST-001' }] });
    expect(result.failed[0]?.exchanges).toHaveLength(2);
    expect(samplesOf(result)).toEqual({ 'WCI-LST-001': 1, 'WCI-LST-002': 1 });
  });

  test('is undecided where nothing can be said, and where what it assumes does not hold', async () => {
    const one = await attemptAt((t) => done(() => t.judge([], { 'WCI-LST-001': unclear('no response') })));
    expect(one.unclear).toEqual([{ cause: 'no response', requirements: ['WCI-LST-001'], evidence: [] }]);
    const two = await attemptAt(async (t) => {
      await t.send(anyRequest);
      t.assume(false, 'it moved');
    });
    expect(two.unclear).toEqual([
      { cause: 'it moved', requirements: [], evidence: [expect.stringMatching(/^x\d+$/)] },
    ]);
  });

  test('is undecided for the loss of an answer, whatever that would have shown', async () => {
    const failure = { reason: 'reset', message: 'read ECONNRESET', maybeDelivered: true };
    const lost = { id: 'x9', outcome: { kind: 'failure', failure } } as unknown as Exchange;
    const one = await attemptAt((t) =>
      done(() => t.judge([lost], { 'WCI-LST-001': unclear('missing_info is no array') })),
    );
    expect(one.unclear[0]?.cause).toBe('no response to x9: read ECONNRESET');
  });

  test('that breaks one rule and is unclear of another has broken it', async () => {
    const result = await attemptAt((t) =>
      done(() => t.judge([], { 'WCI-LST-002': unclear('?'), 'WCI-LST-001': broken })),
    );
    expect([result.failed.length, result.unclear.length]).toEqual([1, 0]);
  });

  describe('that breaks a should', () => {
    const isMust = (requirement: string) => requirement !== 'WCI-LST-002';
    const warns = (t: CheckContext) => t.judge([], { 'WCI-LST-002': broken });
    const brokenBy = ({ failed }: AttemptResult) =>
      failed.map(({ violations }) => violations.map(({ requirement }) => requirement));

    test('goes on, so that the musts behind it are judged', async () => {
      const result = await attemptAt(
        (t) =>
          done(() => {
            warns(t);
            warns(t);
            t.judge([], { 'WCI-LST-001': holds });
          }),
        { isMust },
      );
      expect(brokenBy(result)).toEqual([['WCI-LST-002']]);
      expect(samplesOf(result)).toEqual({ 'WCI-LST-001': 1, 'WCI-LST-002': 2 });
      expect(result.held).toEqual(new Set());
    });

    test.each<[what: string, end: (t: CheckContext) => void, broken: readonly string[], unclear: number]>([
      ['a must is broken', (t) => t.judge([], { 'WCI-LST-001': broken }), ['WCI-LST-001', 'WCI-LST-002'], 0],
      ['something cannot be told', (t) => t.assume(false, 'it moved'), ['WCI-LST-002'], 1],
    ])('has broken it also where later %s', async (_what, end, expected, undecided) => {
      const run = (t: CheckContext) =>
        done(() => {
          warns(t);
          end(t);
        });
      const result = await attemptAt(run, { isMust });
      expect(brokenBy(result)).toEqual([expected]);
      expect([result.unclear.length, result.skipped]).toEqual([undecided, null]);
    });

    test('has broken it also where the check ends before its end', async () => {
      const skipped = await attemptAt(
        (t) =>
          done(() => {
            warns(t);
            t.skip('no legs');
          }),
        { isMust },
      );
      expect([brokenBy(skipped), skipped.skipped]).toEqual([[['WCI-LST-002']], 'no legs']);
      const cut = await attemptAt(
        async (t) => {
          warns(t);
          await t.send(anyRequest);
          await t.send(anyRequest);
        },
        { isMust, budget: 1 },
      );
      expect([brokenBy(cut), cut.cutShort?.by]).toEqual([[['WCI-LST-002']], 'budget']);
    });

    test('in one row, leaves the next row and what comes after the table alone', async () => {
      const result = await attemptAt(
        async (t) => {
          await t.each(['one', 'two'], (row) => done(() => row === 'one' && warns(t)));
          t.judge([], { 'WCI-LST-001': broken });
        },
        { isMust },
      );
      expect(result.failed.map(({ name }) => name)).toEqual(['one', '']);
      expect(brokenBy(result)).toEqual([['WCI-LST-002'], ['WCI-LST-001']]);
    });
  });

  test('may end itself, for this deployment gives it nothing to check', async () => {
    expect(await attemptAt((t) => done(() => t.skip('no legs')))).toMatchObject({ skipped: 'no legs' });
  });
});

test.each<[what: string, run: (t: CheckContext) => Promise<void>, cause: RegExp]>([
  [
    'a check that throws',
    () => Promise.reject(new TypeError('x is undefined')),
    /a fault of Gatecheck: TypeError: x is/,
  ],
  // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a check may reject with anything
  ['one that throws no error', () => Promise.reject('text'), /a fault of Gatecheck: text/],
  [
    'one that judges what it does not verify',
    (t) => done(() => t.judge([], { 'FLA-1': broken })),
    /does not claim/,
  ],
  [
    'a state handler that fails',
    () => Promise.reject(new StateHandlerError('reset', 'HTTP 500')),
    /did not set reset/,
  ],
  [
    'an arbitrary that throws',
    (t) =>
      t.forAll(
        'p',
        fc.nat().map(() => {
          throw new Error('bad');
        }),
        () => Promise.resolve(),
      ),
    /a fault of Gatecheck/,
  ],
])('%s says nothing of the deployment', async (_what, run, cause) => {
  const result = await attemptAt(run);
  expect(result.failed).toEqual([]);
  expect(causesOf(result)).toEqual([expect.stringMatching(cause)]);
});

describe('what is cut short', () => {
  const rows = (t: CheckContext) =>
    t.each(['1', '2', '3', '4'], async (row) => {
      const one = await t.send(anyRequest);
      t.judge(one, { 'WCI-LST-001': row === '1' ? broken : holds });
    });

  test('by a budget keeps what it found, and says so', async () => {
    const result = await attemptAt(rows, { budget: 2 });
    expect(result.cutShort).toEqual({
      by: 'budget',
      reason: 'the budget of 2 requests is used up (--max-requests grants more)',
    });
    expect([result.failed.length, result.requests]).toEqual([1, 3]);
  });

  test('by a budget of which nothing was granted is left out, and what was judged before stands', async () => {
    const result = await attemptAt(rows, { budget: 0 });
    expect([result.cutShort, result.failed.length]).toEqual([null, 0]);
    expect(result.skipped).toMatch(/none are granted \(--max-requests grants some\)/);
  });

  test('by an interrupt as well', async () => {
    const controller = new AbortController();
    const result = await attemptAt(
      async (t) => {
        await t.each(['1'], () => done(() => t.judge([], { 'WCI-LST-001': broken })));
        controller.abort(new Error('the run was interrupted'));
        await t.send(anyRequest);
      },
      { signal: controller.signal },
    );
    expect(result.cutShort).toEqual({ by: 'stop', reason: 'the run was interrupted' });
    expect([result.failed.length, result.unclear.length]).toEqual([1, 0]);
  });

  test('in the middle of shrinking keeps the smallest case so far', async () => {
    const result = await attemptAt(
      (t) =>
        t.forAll('p', fc.integer({ min: 1000, max: 100_000 }), async (value) => {
          t.judge(await t.send(anyRequest), { 'WCI-LST-001': value > 1000 ? broken : holds });
        }),
      { budget: 3, seed: 5 },
    );
    expect(result.cutShort?.by).toBe('budget');
    expect(result.failed.map(({ name }) => name)).toEqual(['p']);
  });
});

test('a record that a case makes for itself is one of its exchanges', async () => {
  const booking = { pnr: 'ABC123' };
  const options = attemptOptions(
    checkOf(async (t) => {
      const record = await t.fixtures.subscribed();
      t.judge(record.subscribed, { 'WCI-LST-001': broken });
    }),
  );
  const fixtures = () => ({ booking: () => Promise.resolve(booking) }) as unknown as Fixtures;
  const { failed, unclear: undecided } = await attempt({ ...options, fixtures });
  // The answers of this test are not records: that leaves the case undecided, after one request.
  expect([failed, undecided.length, options.sent()]).toEqual([[] as FailedCase[], 1, 1]);
});

describe('what the oracles say about its own exchanges', () => {
  /** Oracles that judge each exchange of the check at once. */
  function heard(...said: readonly Judgement[]) {
    let ear: Ear | null = null;
    const [first = holds, ...later] = said;
    const verifies = ['WCI-LST-001'];
    const check = checkOf((t) => t.send(anyRequest).then(() => undefined), { verifies });
    const options = attemptOptions(check);
    const send = async (request: ApiRequest) => {
      const exchange = await options.send(request);
      for (const requirement of ['WCI-LST-001', 'WCI-LST-002'])
        for (const judgement of [first, ...later]) ear?.(exchange, { requirement, judgement });
      return exchange;
    };
    return attempt({ ...options, send, hear: (_, one) => (ear = one) });
  }

  test('is counted as what it judges itself, for the requirements that it verifies', async () => {
    const result = await heard(holds);
    expect(samplesOf(result)).toEqual({ 'WCI-LST-001': 1 });
    expect(result.failed).toEqual([]);
  });

  test('includes what the making of a shared record kept, once', async () => {
    const verifies = ['WCI-LST-001'];
    const check = checkOf(
      async (t) => {
        await t.fixtures.completeRecord();
        await t.fixtures.freshRecord();
      },
      { verifies },
    );
    const options = attemptOptions(check);
    const subscribed = await options.send(anyRequest);
    const record = () => Promise.resolve({ subscribed } as OwnRecord);
    const fixtures = () => ({ completeRecord: record, freshRecord: record }) as unknown as Fixtures;
    const keptBy = () => ['WCI-LST-001', 'WCI-LST-002'];
    expect(samplesOf(await attempt({ ...options, fixtures, keptBy }))).toEqual({ 'WCI-LST-001': 1 });
  });

  test('fails its case', async () => {
    const { failed } = await heard(holds, broken);
    expect(failed).toHaveLength(1);
    expect(failed[0]).toMatchObject({ violations: [{ requirement: 'WCI-LST-001' }] });
    expect(failed[0]?.exchanges).toHaveLength(1);
  });
});
