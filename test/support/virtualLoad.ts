import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '../../src/core/random.ts';
import { VirtualClock } from '../../src/core/virtualClock.ts';
import type { LoadOptions } from '../../src/load/plan/loadOptions.ts';
import { Inbox, tokensFrom } from '../../src/receive/inbox.ts';
import { defaultEnterprises } from '../../src/reference/enterprises.ts';
import { loadOptions } from './loadOptions.ts';
import { createBusyDeployment, type LoadDefect } from './loadDefects.ts';
import type { RunResult } from '../../src/report/result.ts';
import { runLoad } from '../../src/run/loadRun.ts';
import { createInProcessTransport } from '../../src/send/inProcessTransport.ts';
import { KeyRing } from '../../src/send/keyRing.ts';
import { resolveSettings, type Config } from '../../src/index.ts';
import { deliverTo, inProcessSink, postInProcess } from '../../src/target/embedded.ts';
import { connectStateHandler } from '../../src/target/stateHandler.ts';

interface VirtualLoad {
  readonly defect?: LoadDefect | null;
  readonly options?: Partial<LoadOptions>;
  readonly config?: Config;
  /** Quota units of the primary enterprise. */
  readonly units?: number;
  /** How long the deployment takes before and after each request; up to 20 ms by chance where left out. */
  readonly workMs?: (inFlight: number) => number;
  /** What stands before the deployment. */
  readonly around?: (
    request: Request,
    answer: () => Promise<Response>,
    clock: VirtualClock,
  ) => Promise<Response>;
  /** How many connections the sink closed by itself. */
  readonly turnedAway?: number;
  /** Of the deployment. */
  readonly limits?: { readonly perMinute: number; readonly perHour: number };
}

/** A whole load against a deployment without a socket, in virtual time; its reports are thrown away. */
export async function virtualLoad(given: VirtualLoad): Promise<RunResult> {
  const clock = new VirtualClock(Date.parse('2026-03-01T12:00:00Z'));
  const limits = given.limits ?? { perMinute: 1e6, perHour: 1e6 };
  const random = createRandom(5);
  const { enterprises, keys } = defaultEnterprises(1);
  const [first, ...rest] = enterprises;
  const entitlement = {
    status: 'active',
    included_units: given.units ?? 100_000,
    consumed_units: 0,
  } as const;
  const inbox = new Inbox({ clock, newToken: tokensFrom('test') });
  let inFlight = 0;
  const deployment = createBusyDeployment(given.defect ?? null, {
    ...{ clock, limits, seed: 1, deliver: deliverTo(inbox, clock) },
    enterprises: first === undefined ? rest : [{ ...first, entitlement }, ...rest],
    work: async () => {
      inFlight += 1;
      await clock.sleep(given.workMs?.(inFlight) ?? random() * 20);
      inFlight -= 1;
    },
  });
  const settings = resolveSettings(
    {
      target: 'http://127.0.0.1:1',
      seed: 1,
      limits,
      budgets: { maxQuota: 100_000 },
      ...given.config,
      keys: { primary: 'env:KEYS' },
    },
    { env: { KEYS: keys.primary.join(',') } },
  );
  const answered = async (request: Request, answer: () => Response | Promise<Response>) =>
    given.around?.(request, async () => answer(), clock) ?? answer();
  // A clock that can be held would keep requests from ever being under way at once.
  const { now, monotonic, sleep, timer } = bound(clock);
  const transport = createInProcessTransport(
    (request, info) => answered(request, () => deployment.fetch(request, info)),
    {
      now,
      monotonic,
      sleep,
      timer,
    },
  );
  const root = mkdtempSync(join(tmpdir(), 'gatecheck-load-'));
  try {
    const { result } = await runLoad(
      settings,
      loadOptions({
        ratePerSecond: 50,
        durationMs: 10_000,
        arrivals: 'poisson',
        judgeShare: 1,
        ...given.options,
      }),
      {
        root,
        ports: {
          ...{ clock, transport },
          openSink: () =>
            Promise.resolve({ ...inProcessSink(inbox), turnedAway: () => given.turnedAway ?? 0 }),
          openTarget: async () => ({
            kind: 'embedded',
            baseUrls: { webcheckin: 'http://127.0.0.1:1', 'flight-alerts': 'http://127.0.0.1:1' },
            ...{ transport, keys: KeyRing.of({ primary: keys.primary, other: keys.other, special: {} }) },
            stateHandler: await connectStateHandler(postInProcess(deployment)),
            close: () => deployment.close(),
          }),
        },
      },
    );
    return result;
  } finally {
    rmSync(root, { recursive: true });
  }
}

function bound(clock: VirtualClock) {
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    sleep: (ms: number, signal?: AbortSignal) => clock.sleep(ms, signal),
    timer: (ms: number, task: () => void) => clock.timer(ms, task),
  };
}
