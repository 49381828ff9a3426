import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../core/evidence.ts';
import { explorerCheck, explorerReserve } from '../../../engine/session/explorer.ts';
import { budgetFor } from '../../../plan/room.ts';
import { callOf } from '../../../trace/call.ts';
import { readForms } from '../../../spec/grammar/readForms.ts';
import { checkinOperations } from '../../../core/operations.ts';
import { readSuites } from '../../../engine/session/suites.ts';
import { judgeReference } from '../judgeReference.ts';
import { runExploreJob, type ExploreJob } from './exploreJob.ts';

const passive = (await readSuites()).filter(({ kind }) => kind === 'passive');

async function traffic(requests: number, seed: number): Promise<readonly Exchange[]> {
  const seen: Exchange[] = [];
  await judgeReference({
    ...{ seed, apis: ['webcheckin'], maxRequests: budgetFor(requests + explorerReserve) },
    checks: [explorerCheck({ requests })],
    onExchange: (exchange) => seen.push(exchange),
  });
  return seen;
}

const job = (more: Partial<ExploreJob>): ExploreJob => ({
  ...{
    id: 'test',
    dialect: {},
    defect: null,
    seed: 5,
    setUp: 'embedded',
    apis: ['webcheckin'],
    budgets: [300],
  },
  ...more,
});

describe('the explorer', () => {
  it('sends the same requests for the same seed, and as many as it may', async () => {
    const targets = async () =>
      (await traffic(120, 3)).map(({ request: { target, body } }) => `${target} ${body?.length ?? 0}`);
    const first = await targets();
    expect(first).toEqual(await targets());
    expect(first.length).toBeGreaterThan(110);
    expect(first.length).toBeLessThanOrEqual(120 + explorerReserve);
  });

  it('puts at most one fault of the payload and one of the journey into a request with a good key', async () => {
    for (const exchange of await traffic(300, 4)) {
      const call = callOf(exchange);
      if (!call?.body || exchange.enterprise === null) continue;
      const { op: operation, carrier } = call;
      if (!checkinOperations.includes(operation) || (carrier !== 'json' && carrier !== 'multipart')) continue;
      const faults = readForms(call.body, { operation, carrier }).filter(({ kind }) => kind === 'fault');
      const count = (refusal: string) => faults.filter((fault) => fault.refusal === refusal).length;
      expect([count('payload') < 2, count('journey') < 2], JSON.stringify(call.body)).toEqual([true, true]);
    }
  });

  it.each([
    ['a subscribe', 'phone-required'],
    ['a list', 'limit-ignored-on-page'],
    ['an update', 'update-passengers-empty'],
    ['readiness', 'ready-without-place-of-issue'],
    ['a key', 'key-unknown-accepted'],
    ['a webhook', 'webhook-failure-as-progress'],
  ])('notices a mistake of %s: %s', async (_what, defect) => {
    const { within, fault } = await runExploreJob(job({ defect, budgets: [1000] }), passive);
    expect({ isNoticed: within !== null, fault }).toEqual({ isNoticed: true, fault: null });
  });

  it.each([
    ['a lookup', 'lookup-zero-offset-lost'],
    ['a subscribe', 'subscribe-ambiguous-first'],
    ['a conflict', 'conflict-url-ignored'],
    ['upstream', 'lookup-tracks'],
    ['a notice', 'changes-cleared-stopover-dropped'],
    ['a fid', 'notify-fid-trimmed'],
  ])('notices a mistake of %s of flights: %s', async (_what, defect) => {
    const asked = job({ defect, apis: ['flight-alerts'], budgets: [300, 1000] });
    const { within, fault } = await runExploreJob(asked, passive);
    expect({ isNoticed: within !== null, fault }).toEqual({ isNoticed: true, fault: null });
  });

  it.each(['embedded', 'one-key', 'production'] as const)(
    'blames nothing that conforms (%s)',
    async (setUp) => {
      const { rows, fault } = await runExploreJob(
        job({ setUp, apis: ['webcheckin', 'flight-alerts'] }),
        passive,
      );
      expect({ rows, fault }).toEqual({ rows: [], fault: null });
    },
  );
});
