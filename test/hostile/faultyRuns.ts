import { loadCatalogue } from '../../src/catalogue/loadCatalogue.ts';
import { VirtualClock } from '../../src/core/virtualClock.ts';
import { createDeployment } from '../../src/reference/deployment.ts';
import { defaultEnterprises } from '../../src/reference/enterprises.ts';
import { buildResult } from '../../src/report/buildResult.ts';
import { conductOf } from '../../src/report/conduct.ts';
import type { RunResult } from '../../src/report/result.ts';
import { judgedRows } from '../../src/run/judgedRows.ts';
import { faultyTransport } from '../support/faultyTransport.ts';
import { virtualRun } from '../support/virtualRun.ts';

/** A smoke run over a bad network: its result, and how many requests met a fault. */
interface FaultyRun {
  readonly result: RunResult;
  readonly met: number;
}

/** Runs smoke against the reference, in virtual time, with this share of the requests disturbed. */
export async function faultyRun(share: number, seed: number): Promise<FaultyRun> {
  const clock = new VirtualClock(Date.parse('2026-11-22T09:00:00.000Z'));
  const { enterprises, keys } = defaultEnterprises(3);
  const deployment = createDeployment({
    clock,
    enterprises,
    deliver: () => Promise.resolve({ status: 200 }),
  });
  let met = () => 0;
  try {
    const { session, settings, checks } = await virtualRun({
      app: (request) => deployment.fetch(request),
      clock,
      primary: keys.primary.slice(0, 2),
      config: { profile: 'smoke', seed, budgets: { maxQuota: 20, maxSubscriptions: 20 } },
      transport: (own) => {
        const faulty = faultyTransport(own, { share, seed, clock });
        ({ met } = faulty);
        return faulty;
      },
    });
    const { result } = buildResult({
      ...{
        runId: `faulty-${seed}`,
        command: '',
        startedAt: 0,
        durationMs: 0,
        version: '0',
        settings,
        checks,
      },
      ...{ callbacks: 0, capabilities: [], baseline: [], catalogue: loadCatalogue() },
      target: { kind: 'url', baseUrls: { webcheckin: '', 'flight-alerts': '' } },
      verdicts: judgedRows(settings, { checks, outcomes: session.outcomes, dialect: session.dialect }),
      conduct: conductOf(session),
    });
    return { result, met: met() };
  } finally {
    await deployment.close();
  }
}
