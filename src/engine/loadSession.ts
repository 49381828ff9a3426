import type { Clock } from '../core/clock.ts';
import type { Exchange } from '../core/evidence.ts';
import type { OperationId } from '../core/operations.ts';
import { deriveSeed } from '../core/random.ts';
import type { Redactor } from '../core/redact.ts';
import type { Settings } from '../core/settings.ts';
import { createIdentities, type Identities } from '../generate/kit/identity.ts';
import { responseOf } from '../judge/kernel/body.ts';
import type { KeyDecision } from '../load/accuracy.ts';
import { createPayloads, type LoadMaterial } from '../load/payloads.ts';
import type { Recorder } from '../load/recorder.ts';
import { decisionOf, Sender } from '../load/sender.ts';
import { budgetsOf } from '../plan/budgets.ts';
import { Allowance } from '../send/allowance.ts';
import { Client } from '../send/client.ts';
import { KeyRing, type ApiKey } from '../send/keyRing.ts';
import { keepPace, recallPace } from '../send/paceMemory.ts';
import { Pacer } from '../send/pacer.ts';
import { list, lookup, type ApiRequest } from '../send/request.ts';
import type { Transport } from '../send/transport.ts';
import type { Target } from '../target/target.ts';
import { Ending, type SessionEnd } from './ending.ts';
import { Ledger, type SideEffect } from './ledger.ts';
import { prepareMaterial, prepareProbe } from './loadMaterial.ts';
import { utcDate } from '../generate/kit/localTime.ts';

export interface LoadSessionOptions {
  readonly runId: string;
  readonly settings: Settings;
  readonly target: Target;
  /** Carries the load; the target's own is too narrow for it. */
  readonly transport: Transport;
  readonly keys: readonly ApiKey[];
  readonly maxRequests: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly notice: (text: string) => void;
  readonly redactor: Redactor;
  /** File in which the pace of the keys is kept from run to run; null for keys that no other run uses. */
  readonly paceFile: string | null;
  /** Other loads use the target as well: a stop leaves its connections alone. */
  readonly keepsTarget?: boolean;
}

/** How long a target may leave every request without an answer before it counts as lost. */
const patienceMs = 10_000;
const leastFailures = 20;

/** What one process of a load sends with, spends and learns: setting up goes by the client, the load by senders. */
export class LoadSession {
  readonly pacer: Pacer;
  readonly allowance: Allowance;
  readonly ledger = new Ledger();
  /** What the limiter decided about the requests of the set-up. */
  readonly decisions: KeyDecision[] = [];
  readonly #options: LoadSessionOptions;
  readonly #identities: Identities;
  readonly #client: Client;
  readonly #ending: Ending;
  readonly #effects: SideEffect[] = [];
  #failures = 0;
  #failingSince = 0;

  constructor(options: LoadSessionOptions) {
    this.#options = options;
    const { settings, clock, notice } = options;
    const { perMinute, perHour } = settings.limits;
    this.#identities = createIdentities(options.runId, deriveSeed(settings.seed, 'load'));
    this.pacer = new Pacer({
      clock,
      limits: [
        { limit: perMinute, windowMs: 60_000 },
        { limit: perHour, windowMs: 3_600_000 },
      ],
    });
    this.allowance = new Allowance({ ...budgetsOf(settings), maxRequests: options.maxRequests });
    this.#ending = new Ending({
      clock,
      listener: (event) => {
        if (event.name === 'notice') notice(event.text);
      },
      maxDurationMs: Number.POSITIVE_INFINITY,
      interrupt: options.signal,
      // At once: what is under way is broken off.
      onStop: () => {
        void options.transport.close();
        if (options.keepsTarget !== true) void options.target.transport.close();
      },
    });
    this.#client = this.#createClient();
  }

  get end(): SessionEnd {
    return this.#ending.end;
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** All that the load left behind, here and on other machines. */
  get sideEffects(): readonly SideEffect[] {
    return [...this.ledger.sideEffects, ...this.#effects];
  }

  /** Side effects of a worker. */
  noteEffects(effects: readonly SideEffect[]): void {
    this.#effects.push(...effects);
  }

  stop(end: SessionEnd, reason?: string): void {
    this.#ending.stop(end, reason);
  }

  /** Follows the interrupt; returns its end. */
  listen(): () => void {
    return this.#ending.listen();
  }

  /** Does something while the interrupt is listened to and the pace of the keys is kept. */
  async hold<T>(task: () => Promise<T>): Promise<T> {
    const { paceFile, keys, clock } = this.#options;
    const stopListening = this.listen();
    try {
      if (paceFile !== null) await this.#recall(paceFile);
      return await task();
    } finally {
      stopListening();
      if (paceFile !== null) await keepPace(paceFile, this.pacer, keys, clock);
    }
  }

  /** Proves that the target answers and takes the first key. */
  async reach(): Promise<SessionEnd> {
    const { settings, keys, clock } = this.#options;
    const [key] = keys;
    const choice = key === undefined ? {} : { key: { kind: 'key', key } as const };
    const probe = settings.apis.includes('webcheckin')
      ? list({ limit: '1' }, choice)
      : lookup({ flightNumber: 'EK3', departureDate: utcDate(clock.now(), 1) }, choice);
    try {
      const status = responseOf(await this.#client.send(probe, 'reach'))?.status;
      if (status === undefined) this.stop('target-lost');
      else if (status === 401) this.stop('key-refused');
    } catch (error) {
      if (!this.signal.aborted) throw error;
    }
    return this.end;
  }

  prepare(operations: ReadonlySet<OperationId>): Promise<LoadMaterial> {
    const { settings, target, clock } = this.#options;
    return prepareMaterial({
      settings,
      target,
      clock,
      operations,
      identities: this.#identities,
      quota: this.allowance.limits.maxQuota,
      send: (request, purpose) => this.#client.send(request, purpose),
    });
  }

  /** A record whose changes are delivered to an address. */
  prepareProbe(callbackUrl: string): Promise<string> {
    const { settings, target, clock } = this.#options;
    const send = (request: ApiRequest, purpose: string) => this.#client.send(request, purpose);
    return prepareProbe({ settings, target, clock, identities: this.#identities, send }, callbackUrl);
  }

  /** Sends what a load is made of. `shared` is for the times of several machines. */
  sender(material: LoadMaterial, recorder: Recorder, shared = { offsetMs: 0, errorMs: 0 }): Sender {
    const { settings, target, transport, clock, redactor } = this.#options;
    return new Sender({
      transport,
      baseUrls: target.baseUrls,
      extraHeaders: Object.entries(settings.http.headers),
      payload: createPayloads({
        material,
        identities: this.#identities,
        seed: settings.seed,
        now: clock.now(),
      }),
      recorder,
      allowance: this.allowance,
      spending: this.ledger,
      onOutcome: (answered) => this.#noteOutcome(answered),

      redact: (text) => redactor.redact(text),
      shared,
    });
  }

  #noteOutcome(answered: boolean): void {
    if (answered) {
      this.#failures = 0;
      return;
    }
    const now = this.#options.clock.monotonic();
    if (this.#failures === 0) this.#failingSince = now;
    this.#failures += 1;
    if (this.#failures >= leastFailures && now - this.#failingSince > patienceMs) this.stop('target-lost');
  }

  /** Requests of earlier runs stand in the windows as well: the limiter may hold them against this load. */
  async #recall(paceFile: string): Promise<void> {
    const { keys, clock } = this.#options;
    await recallPace(paceFile, this.pacer, keys, clock);
    for (const key of keys) {
      for (const at of this.pacer.window(key).recent(clock.monotonic()))
        this.decisions.push([key.label, at - 1, at, 'unknown']);
    }
  }

  #createClient(): Client {
    const { settings, target, clock, keys } = this.#options;
    return new Client({
      transport: target.transport,
      baseUrls: target.baseUrls,
      // The set-up goes by the keys of the load as well, so that it counts in their windows.
      keys: KeyRing.of({ primary: keys.map(({ value }) => value), other: [], special: {} }),
      pacer: this.pacer,
      allowance: this.allowance,
      clock,
      extraHeaders: Object.entries(settings.http.headers),
      longestRetryAfterMs: 120_000,
      signal: this.#ending.signal,
      onExchange: (exchange) => this.#noteExchange(exchange),
      onRetryAfter: (key, ms) =>
        this.#options.notice(`Waiting ${Math.round(ms / 1000)} s for the limit of ${key}.`),
      onRefused: () => undefined,
      spending: this.ledger,
      ready: () => Promise.resolve(),
    });
  }

  #noteExchange({ outcome, key, timings }: Exchange): void {
    const decision = decisionOf(outcome);
    if (key !== null && decision !== null)
      this.decisions.push([key, timings.sent, timings.received, decision]);
  }
}
