import type { Exchange } from '../../core/evidence.ts';
import { Allowance, type AllowanceLimits } from '../../send/allowance.ts';
import { Client } from '../../send/client.ts';
import type { ApiKey, KeyRing, KeyRole } from '../../send/keyRing.ts';
import type { Pause } from '../../send/pause.ts';
import type { ApiRequest } from '../../send/request.ts';
import type { Transport } from '../../send/transport.ts';
import { KeyProof } from '../health/keyProof.ts';
import { provingReads } from '../health/probes.ts';
import { RunEnd } from '../health/runEnd.ts';
import { TargetHealth } from '../health/targetHealth.ts';
import { Ledger } from '../observe/ledger.ts';
import type { MoveLock } from '../keys/moveLock.ts';
import type { OpenRun } from './openRun.ts';
import { longestWaitMs } from '../keys/room.ts';
import { lowerPace, paceOf } from '../keys/sharedLimits.ts';

/** The purpose of requests that ask whether the target is there. */
export const asking = 'reach';

/** How the requests of a run are sent: within its limits and budgets, accounted for, and until it is stopped. */
export interface Traffic {
  readonly client: Client;
  readonly allowance: Allowance;
  readonly ledger: Ledger;
  readonly ending: RunEnd;
  readonly health: TargetHealth;
  readonly keyProof: KeyProof;
}

interface TrafficOptions {
  readonly budgets: AllowanceLimits;
  /** Milliseconds after which the run is stopped; by default never. */
  readonly maxDurationMs?: number;
  /** The keys; by default those of the target. */
  readonly keys?: KeyRing;
  /** Longest wait that a 429 may impose, in milliseconds; by default two minutes. */
  readonly longestRetryAfterMs?: number;
  /** True if no answer is a reason to stop, not even a strange one or a refused key, because each of few is to be described. */
  readonly goesOn?: boolean;
  /** Called if no key of an enterprise has room; resolves to whether there are further keys now. */
  readonly moreKeys?: (role: KeyRole) => Promise<boolean>;
  /** Whether the clock can be moved once nothing is under way, so that no wait is too long. By default it cannot. */
  readonly canMakeRoom?: () => boolean;
  /** How what has to be waited for is waited for; by default nothing else happens. */
  readonly pause?: Pause;
  /** Held by each request while it is under way. */
  readonly lock?: MoveLock;
  /** Learns the secrets of a request before it is recorded. */
  readonly expect: (sent: Pick<Exchange, 'key' | 'request'>) => void;
  /** Gets every exchange first. */
  readonly see: (exchange: Exchange) => void;
  /** Called once, if the run is stopped before its plan is done. */
  readonly onStop: () => void;
}

/** Opens the way for requests; it follows the interrupt until the run is closed. */
export function openTraffic(run: OpenRun, options: TrafficOptions): Traffic {
  const { settings, clock, target, pacer, tell, journal, scope } = run;
  const redact = (text: string) => run.redactor.redact(text);
  const ledger = new Ledger(redact);
  const allowance = new Allowance(options.budgets);
  const ask = (read: ApiRequest) => client.send(read, asking);
  const notice = (text: string) => tell({ name: 'notice', text });
  const ending: RunEnd = new RunEnd({
    ...{ clock, listener: tell, interrupt: run.signal, onStop: options.onStop },
    maxDurationMs: options.maxDurationMs ?? Number.POSITIVE_INFINITY,
    whyLost: () => target.whyLost?.() ?? health.lastFailure,
  });
  const health = new TargetHealth({
    ...{ end: ending, ask, redact, tell: notice, goesOn: options.goesOn === true },
    reads: () => provingReads(settings.apis, clock.now()),
    provokesErrors: target.stateHandler.offers('provider.fail'),
  });
  const keyProof = new KeyProof({
    ...{ apis: settings.apis, now: () => clock.now(), send: ask },
    onUnknown: (why) => ending.stop('key-refused', why),
  });
  const client: Client = new Client({
    transport: options.lock ? lockedBy(options.lock, target.transport) : target.transport,
    baseUrls: target.baseUrls,
    keys: options.keys ?? target.keys,
    pacer,
    allowance,
    clock,
    extraHeaders: Object.entries(settings.http.headers),
    numberedBefore: run.earlier?.exchanges ?? 0,
    longestRetryAfterMs: options.longestRetryAfterMs ?? longestWaitMs,
    signal: ending.signal,
    spending: ledger,
    redact,
    onExchange: (exchange) => {
      options.see(exchange);
      health.see(exchange);
    },
    onRetryAfter: (key, ms) => tell({ name: 'waiting', reason: 'retry-after', ms, key }),
    onRefused: () => health.refused(),
    onShared: (limit) => notice(paceOf(limit)),
    onLower: (limit) => notice(lowerPace(limit, settings.limits.perMinute)),
    onLockedOut: (ms) => {
      if (options.canMakeRoom?.() !== true) health.lockOut(ms, pacer.shared);
    },
    ...(options.moreKeys === undefined ? {} : { moreKeys: options.moreKeys }),
    ...(options.pause === undefined ? {} : { pause: options.pause }),
    beforeEffect: (intent) => {
      options.expect(intent);
      return journal.sending(clock.now(), intent);
    },
    ready: () => journal.drained(),
    ...(options.goesOn === true
      ? {}
      : {
          // What asks whether the target is still there does not wait for its own answer.
          admit: (request: ApiRequest, check: string) => (check === asking ? null : health.admit(request)),
          onAnswer: (key: ApiKey | null, exchange: Exchange) =>
            exchange.check === asking
              ? null
              : ((key === null ? null : keyProof.see(key, exchange)) ?? health.answered()),
        }),
  });
  scope.defer(ending.listen());
  return { client, allowance, ledger, ending, health, keyProof };
}

function lockedBy(lock: MoveLock, transport: Transport): Transport {
  const burst = transport.burst?.bind(transport);
  return {
    send: (request) => lock.during(() => transport.send(request)),
    ...(burst && { burst: (requests) => lock.during(() => burst(requests)) }),
    close: () => transport.close(),
  };
}
