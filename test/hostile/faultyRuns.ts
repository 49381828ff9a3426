import { loadCatalogue } from '../../src/catalogue/loadCatalogue.ts';
import { VirtualClock } from '../../src/core/virtualClock.ts';
import { createDeployment } from '../../src/reference/deployment.ts';
import { defaultEnterprises } from '../../src/reference/enterprises.ts';
import { buildResult, conductOf } from '../../src/report/buildResult.ts';
import { resultSchema, type RunResult } from '../../src/report/result.ts';
import { judgedRows } from '../../src/run/judgedRows.ts';
import type { Transport } from '../../src/send/transport.ts';
import { fuzzedMembers } from './fuzzedMembers.ts';
import { faultyTransport } from '../support/faultyTransport.ts';
import { virtualRun } from '../support/virtualRun.ts';

/** A smoke run over a bad network: its result, and how many requests met a fault. */
interface FaultyRun {
  readonly result: RunResult;
  readonly met: number;
}

/** Runs smoke against the reference, in virtual time, with this share of the requests disturbed. */
export async function faultyRun(share: number, seed: number): Promise<FaultyRun> {
  let met = () => 0;
  const result = await virtualSmoke(seed, {
    transport: (own, clock) => {
      const faulty = faultyTransport(own, { share, seed, clock });
      ({ met } = faulty);
      return faulty;
    },
  });
  return { result, met: met() };
}

/** Runs smoke against the reference, in virtual time, with extremes in the place of members of every second answer. */
export function fuzzedRun(seed: number): Promise<RunResult> {
  return virtualSmoke(seed, { change: fuzzedMembers(seed) });
}

/** What is wrong with a fuzzed run, whatever it came to. */
export function fuzzFaults(result: RunResult): readonly string[] {
  const text = JSON.stringify(result);
  return [
    ...(resultSchema.safeParse(JSON.parse(text)).success ? [] : ['the result is malformed']),
    ...(text.includes('a fault of Gatecheck') ? ['a fault of Gatecheck'] : []),
    ...(result.summary.requests > 60 ? [`${result.summary.requests} requests`] : []),
    ...(text.length > longestResult ? [`a result of ${text.length} characters`] : []),
  ];
}

/** Most of a result are its requirements; the cases of findings hold what was sent, which may hold a long id of an answer. */
const longestResult = 12_000_000;

interface Disturbance {
  readonly transport?: (own: Transport, clock: VirtualClock) => Transport;
  readonly change?: (response: Response) => Promise<Response>;
}

async function virtualSmoke(seed: number, { transport, change }: Disturbance): Promise<RunResult> {
  const clock = new VirtualClock(Date.parse('2026-11-22T09:00:00.000Z'));
  const { enterprises, keys } = defaultEnterprises(3);
  const deployment = createDeployment({
    clock,
    enterprises,
    deliver: () => Promise.resolve({ status: 200 }),
  });
  try {
    const { session, settings, checks } = await virtualRun({
      app: async (request) => {
        const response = await deployment.fetch(request);
        return change === undefined ? response : change(response);
      },
      clock,
      primary: keys.primary.slice(0, 2),
      config: { profile: 'smoke', seed, budgets: { maxQuota: 20, maxSubscriptions: 20 } },
      ...(transport === undefined ? {} : { transport: (own: Transport) => transport(own, clock) }),
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
    return result;
  } finally {
    await deployment.close();
  }
}
