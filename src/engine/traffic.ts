import type { Exchange } from '../core/evidence.ts';
import { responseOf } from '../judge/kernel/body.ts';
import { Allowance, BudgetExhausted, type AllowanceLimits } from '../send/allowance.ts';
import { Client } from '../send/client.ts';
import type { ApiKey, KeyRing, KeyRole } from '../send/keyRing.ts';
import type { Pause } from '../send/pause.ts';
import type { ApiRequest } from '../send/request.ts';
import type { Transport } from '../send/transport.ts';
import { isCutOff } from './cutOff.ts';
import { Ending, lockedOut } from './ending.ts';
import { KeyProof } from './keyProof.ts';
import { Ledger } from './ledger.ts';
import type { MoveLock } from './moveLock.ts';
import type { OpenRun } from './openRun.ts';
import { cheapRead, faultyRead, provingReads } from './probes.ts';
import { OperationOutages } from './operationOutages.ts';
import { isSameNotFound, mayBeUnknownPath } from './unknownPath.ts';
import { describeLateWrongServer, describeWrongServer, isOfTheApi } from './recognise.ts';
import { longestWaitMs } from './room.ts';
import { lowerPace, paceOf } from './sharedLimits.ts';
import { LeftAlone } from './signals.ts';
import { WrongServerWatch } from './wrongServerWatch.ts';

/** How the requests of a run are sent: within its limits and budgets, accounted for, and until it is stopped. */
export interface Traffic {
  readonly client: Client;
  readonly allowance: Allowance;
  readonly ledger: Ledger;
  readonly ending: Ending;
  readonly keyProof: KeyProof;
  readonly wrongServer: WrongServerWatch;
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
  const ending = endingOf(run, options, (read) => client.send(read, 'reach'));
  const onOutage = (text: string) => tell({ name: 'notice', text });
  const outages = new OperationOutages({ onOutage, provokesErrors: provokesErrors(run) });
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
      ending.see(exchange);
      outages.see(exchange);
    },
    onRetryAfter: (key, ms) => tell({ name: 'waiting', reason: 'retry-after', ms, key }),
    onRefused: () => ending.refused(),
    onShared: (limit) => tell({ name: 'notice', text: paceOf(limit) }),
    onLower: (limit) => tell({ name: 'notice', text: lowerPace(limit, settings.limits.perMinute) }),
    onLockedOut: (ms) => {
      if (options.canMakeRoom?.() !== true) ending.stop('target-lost', lockedOut(ms, pacer.shared));
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
          admit: admission(outages, ending),
          onAnswer: (key: ApiKey | null, exchange: Exchange) => seeAnswer(watches, key, exchange),
        }),
  });
  const watches = watchAnswers(run, ending, (request) => client.send(request, 'reach'));
  scope.defer(ending.listen());
  return { client, allowance, ledger, ending, ...watches };
}

function lockedBy(lock: MoveLock, transport: Transport): Transport {
  const burst = transport.burst?.bind(transport);
  return {
    send: (request) => lock.during(() => transport.send(request)),
    ...(burst && { burst: (requests) => lock.during(() => burst(requests)) }),
    close: () => transport.close(),
  };
}

function endingOf(run: OpenRun, options: TrafficOptions, ask: Ask): Ending {
  return new Ending({
    clock: run.clock,
    listener: run.tell,
    maxDurationMs: options.maxDurationMs ?? Number.POSITIVE_INFINITY,
    interrupt: run.signal,
    whyLost: run.target.whyLost,
    stillThere: async () => options.goesOn === true || (await isThere(run, ask)),
    provokesErrors: provokesErrors(run),
    onStop: options.onStop,
  });
}

function provokesErrors({ target }: OpenRun): boolean {
  return target.stateHandler.offers('provider.fail');
}

function readsOf({ settings, clock }: OpenRun): readonly ApiRequest[] {
  return provingReads(settings.apis, clock.now());
}

type Ask = (read: ApiRequest) => Promise<Exchange>;

/** What a request has to wait for; throws if its operation is left alone. */
function admission(outages: OperationOutages, ending: Ending) {
  return (request: ApiRequest, check: string): Promise<void> | null => {
    // What asks whether the target is still there does not wait for its own answer.
    if (check === 'reach') return null;
    const why = outages.of(request);
    if (why !== null) throw new LeftAlone(why);
    return ending.looking;
  };
}

/** What the sender of a request waits for; null for nothing. A key of null proves nothing of keys. */
function seeAnswer({ keyProof, wrongServer }: Watches, key: ApiKey | null, exchange: Exchange) {
  if (exchange.check === 'reach') return null;
  const proof = key === null ? null : keyProof.see(key, exchange);
  if (proof === null) return wrongServer.see(exchange);
  wrongServer.note(exchange);
  return proof;
}

type Watches = Pick<Traffic, 'keyProof' | 'wrongServer'>;

/** Ends the run if a key is refused, or something else answers instead of the API; both verify that by requests of their own. */
function watchAnswers(run: OpenRun, ending: Ending, ask: Ask): Watches {
  const wrongServer: WrongServerWatch = new WrongServerWatch({
    stillAnswers: (watch) => answersOneOf(readsOf(run), async (read) => watch.note(await ask(read))),
    onWrongServer: (exchange) => {
      const reason = describeLateWrongServer(exchange, exchange.request.baseUrl);
      ending.lose(run.redactor.redact(reason), () => wrongServer.strange);
    },
  });
  const keyProof = new KeyProof({
    apis: run.settings.apis,
    now: () => run.clock.now(),
    send: async (request) => {
      const exchange = await ask(request);
      wrongServer.note(exchange);
      return exchange;
    },
    onUnknown: (why) => ending.stop('key-refused', why),
  });
  return { keyProof, wrongServer };
}

/** Whether one of the APIs answers a read; if the budget ends after the first, that one decides. */
async function answersOneOf(
  reads: readonly ApiRequest[],
  isAnswered: (read: ApiRequest) => Promise<boolean>,
): Promise<boolean> {
  for (const [index, read] of reads.entries()) {
    try {
      if (await isAnswered(read)) return true;
    } catch (error) {
      if (index === 0 || !(error instanceof BudgetExhausted)) throw error;
      return false;
    }
  }
  return false;
}

/** Whether a read of one of the APIs is answered without a server error. */
async function isThere(run: OpenRun, send: Ask): Promise<boolean> {
  // All at once, and once: one after another, with repetitions, they would wait for minutes for answers that do not come.
  const answers = readsOf(run).map(async (read) => {
    return (responseOf(await send({ ...read, once: true }))?.status ?? 500) < 500;
  });
  const ended = await Promise.allSettled(answers);
  return ended.some((one) => one.status === 'fulfilled' && one.value);
}

/**
 * Proves that the target answers, is one of the APIs, and accepts the key. Returns the status of its answer, or null if the run
 * is stopped.
 */
export async function reach(
  run: OpenRun,
  { client, ending, keyProof }: Traffic,
  probe: ApiRequest,
): Promise<number | null> {
  let answered: number | null = null;
  try {
    const exchange = await client.send(probe, 'reach');
    answered = responseOf(exchange)?.status ?? null;
    if (answered === null) {
      if (!isCutOff(exchange) || !(await isElsewhereOfTheApi(run, client, probe))) ending.stop('target-lost');
    } else if (answered !== 429 && !isOfTheApi(exchange) && !(await isElsewhereOfTheApi(run, client, probe)))
      ending.stop('not-this-api', wrongServerAt(run, exchange));
    else if (await isUnknownPath(run, client, { probe, exchange }))
      ending.stop('not-this-api', wrongServerAt(run, exchange));
    else if (answered === 401) await keyProof.prove(keyOf(run, probe, exchange));
    return ending.isStopped ? null : answered;
  } catch (error) {
    if (answered === 401 && error instanceof BudgetExhausted) ending.stop('key-refused');
    if (!ending.isStopped) throw error;
    return null;
  }
}

function keyOf({ target }: OpenRun, { key }: ApiRequest, exchange: Exchange): ApiKey {
  const used = key.kind === 'key' ? key.key : target.keys.named(exchange.key);
  if (used === null) throw new Error('the first request carries a key of the run');
  return used;
}

/** A deployment that gets one answer quite wrong is judged for it: reads that it has to refuse show whether it is the API. */
async function isElsewhereOfTheApi(
  { settings: { apis } }: OpenRun,
  client: Client,
  { key }: ApiRequest,
): Promise<boolean> {
  for (const api of apis) {
    const exchange = await client.send(faultyRead(api, { key }), 'reach').catch((error: unknown) => {
      if (error instanceof BudgetExhausted) return null;
      throw error;
    });
    if (exchange !== null && isOfTheApi(exchange)) return true;
  }
  return false;
}

interface Probed {
  readonly probe: ApiRequest;
  readonly exchange: Exchange;
}

/** A 404 in the form of the API, from a server that answers that to whatever it is asked: a wrong path in the address. */
async function isUnknownPath(run: OpenRun, client: Client, { probe, exchange }: Probed): Promise<boolean> {
  if (!mayBeUnknownPath(exchange)) return false;
  const [, ...others] = readsOf(run);
  const seen = [exchange];
  for (const read of others) {
    const next = await client.send({ ...read, key: probe.key }, 'reach').catch((error: unknown) => {
      if (error instanceof BudgetExhausted) return null;
      throw error;
    });
    // If in doubt, assume the deployment is right.
    if (next === null || !isSameNotFound([...seen, next])) return false;
    seen.push(next);
  }
  return seen.length > 1;
}

function wrongServerAt({ redactor }: OpenRun, exchange: Exchange): string {
  return redactor.redact(describeWrongServer(exchange, exchange.request.baseUrl));
}

/** Whether the deployment accepts a key that was made during the run. */
export async function isTaken(run: OpenRun, traffic: Traffic, key: ApiKey): Promise<boolean> {
  const answered = await statusWith(run, traffic, key);
  return answered !== undefined && answered !== 401 && answered !== 403;
}

/** The status that a read with a key gets; undefined for no answer. */
export async function statusWith(
  { settings, clock }: OpenRun,
  { client }: Traffic,
  key: ApiKey,
): Promise<number | undefined> {
  const probe = cheapRead(settings.apis[0] ?? 'webcheckin', clock.now(), { key: { kind: 'key', key } });
  return responseOf(await client.send(probe, 'fixture.key'))?.status;
}
