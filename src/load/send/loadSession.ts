import type { Exchange } from '../../core/evidence.ts';
import type { OperationId } from '../../core/operations.ts';
import { deriveSeed } from '../../core/random.ts';
import { createIdentities, type Identities } from '../../generate/kit/identity.ts';
import type { KeyDecision } from '../judge/accuracy.ts';
import type { LastStates } from '../journeys/lastStates.ts';
import { isWrite } from '../plan/mix.ts';
import { createPayloads, type LoadMaterial } from '../plan/payloads.ts';
import { rulingOf, Sender, type SenderOptions } from './sender.ts';
import { budgetsOf } from '../../plan/budgets.ts';
import { BudgetExhausted } from '../../send/allowance.ts';
import { KeyRing, type ApiKey } from '../../send/keyRing.ts';
import { status, type ApiRequest } from '../../send/request.ts';
import type { Transport } from '../../send/transport.ts';
import type { SessionEnd } from '../../engine/health/runEnd.ts';
import type { SideEffect } from '../../engine/observe/ledger.ts';
import { auditList } from '../judge/loadAudit.ts';
import type { LoadJudge } from '../judge/loadJudge.ts';
import { exchangeEvent } from '../../engine/observe/events.ts';
import { prepareMaterial, prepareProbe } from '../plan/loadMaterial.ts';
import type { OpenRun } from '../../engine/session/openRun.ts';
import { cheapRead } from '../../engine/health/probes.ts';
import { SecretWatch } from '../../engine/observe/secretWatch.ts';
import { ServerClock } from '../../engine/clock/serverClock.ts';
import { auditStates, spread } from '../judge/stateAudit.ts';
import { reach } from '../../engine/health/reach.ts';
import { openTraffic, type Traffic } from '../../engine/session/traffic.ts';
import { askTime } from '../../engine/clock/watchedState.ts';

interface LoadSessionOptions {
  /** Sends the load; the target's own transport is too narrow. */
  readonly transport: Transport;
  readonly keys: readonly ApiKey[];
  readonly maxRequests: number;
  /** Judges what is sent and answered; null for no judgement. */
  readonly judge?: LoadJudge | null;
  /** Also gets every exchange of the load. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
  /** Other loads use the target too: stopping does not close its connections. */
  readonly keepsTarget?: boolean;
  /** A deployment of somebody else's that only answers with server errors is left alone. */
  readonly isCareful?: boolean;
}

/** What webhooks told of the records, and whether surely none is still to come. */
interface Webhooks {
  readonly pushed: LastStates;
  readonly isQuiet: boolean;
}

/** Records that are read after the load, over all enterprises. */
const mostRead = 20;
/** How long a target may leave every request unanswered before it counts as lost. */
const patienceMs = 10_000;
const leastFailures = 20;
/** Clocks that differ by less than this agree. */
const agreementMs = 60_000;
const inTrouble = `the target answered ${leastFailures} requests in a row with a server error or not at all, and is left alone`;
/** Most enterprises whose lists are read after a load of many tenants. */
const mostAudited = 40;
/** Number of reads of each operation that are sent one by one before a load. */
const restReads = 2;

/** What one process of a load sends with, spends and learns: the client sends the set-up, senders send the load. */
export class LoadSession {
  readonly traffic: Traffic;
  /** The limiter's decisions about requests of earlier runs, which count as well, and of the set-up. */
  readonly decisions: KeyDecision[];
  readonly serverClock: ServerClock;
  readonly #run: OpenRun;
  readonly #options: LoadSessionOptions;
  readonly #identities: Identities;
  readonly #effects: SideEffect[] = [];
  #failures = 0;
  #failingSince = 0;

  constructor(run: OpenRun, options: LoadSessionOptions) {
    [this.#run, this.#options] = [run, options];
    const { settings, target } = run;
    this.serverClock = new ServerClock(run.clock, run.clockBook);
    this.#identities = createIdentities(run.id, deriveSeed(settings.seed, 'load'));
    this.decisions = decisionsBefore(run, options.keys);
    const secrets = new SecretWatch(run.redactor, target.keys, settings);
    this.traffic = openTraffic(run, {
      budgets: { ...budgetsOf(settings), maxRequests: options.maxRequests },
      // The set-up uses the keys of the load, so that it counts in their windows; with many tenants, those of the first.
      keys: KeyRing.ofKeys(
        options.keys.filter(({ enterprise }) => enterprise === options.keys[0]?.enterprise),
      ),
      expect: secrets.expect,
      see: (exchange) => {
        secrets.observe(exchange);
        this.serverClock.observe(exchange);
        this.#note(exchange);
        options.judge?.seeAlone(exchange);
        run.tell(exchangeEvent(exchange));
      },
      // Stops at once: requests under way are aborted.
      onStop: () => {
        void options.transport.close();
        if (this.end === 'not-this-api') options.judge?.disown();
        if (options.keepsTarget !== true) void target.transport.close();
      },
    });
  }

  get end(): SessionEnd {
    return this.traffic.ending.end;
  }

  get signal(): AbortSignal {
    return this.traffic.ending.signal;
  }

  /** Everything that the load left behind, here and on other machines. */
  get sideEffects(): readonly SideEffect[] {
    return [...this.traffic.ledger.sideEffects, ...this.#effects];
  }

  /** Side effects of a worker. */
  noteEffects(effects: readonly SideEffect[]): void {
    this.#effects.push(...effects);
  }

  /** Proves that the target answers and accepts the first key. */
  async reach(): Promise<SessionEnd> {
    const { settings, target } = this.#run;
    const [key] = this.#options.keys;
    const choice = key === undefined ? {} : { key: { kind: 'key', key } as const };
    const api = settings.apis.includes('webcheckin') ? 'webcheckin' : 'flight-alerts';
    await askTime(target.stateHandler, this.serverClock);
    await reach(this.#run, this.traffic, cheapRead(api, this.serverClock.now(), choice));
    return this.end;
  }

  async prepare(operations: ReadonlySet<OperationId>): Promise<LoadMaterial> {
    const quota = this.traffic.allowance.limits.maxQuota;
    const material = await prepareMaterial({ ...this.#material(), operations, quota });
    const isOfMany = new Set(this.#options.keys.map(({ enterprise }) => enterprise)).size > 1;
    const aheadMs = this.serverClock.now() - this.#run.clock.now();
    const { movedMs } = this.serverClock;
    return {
      ...material,
      ...(isOfMany ? { isOfMany } : {}),
      ...(Math.abs(aheadMs) > agreementMs ? { aheadMs } : {}),
      ...(movedMs === 0 ? {} : { movedMs }),
    };
  }

  /** A record whose changes are delivered to an address. */
  prepareProbe(callbackUrl: string): Promise<string> {
    return prepareProbe(this.#material(), callbackUrl);
  }

  /** Sends a few reads of each operation one after another, to see what holds at rest. */
  async rest(material: LoadMaterial, operations: ReadonlySet<OperationId>): Promise<void> {
    const { settings, clock } = this.#run;
    const [identities, seed] = [this.#identities, settings.seed];
    const payload = createPayloads({ material, identities, seed, now: clock.now() });
    for (const operation of operations) {
      if (isWrite(operation)) continue;
      for (let turn = 0; turn < restReads && !this.signal.aborted; turn += 1)
        await this.traffic.client.send(payload(operation, turn).request, 'load.rest');
    }
  }

  /** Checks, once everything is answered, that every record that was made is in its list. */
  async audit(webhooks: Webhooks): Promise<void> {
    const { judge } = this.#options;
    let looked = 0;
    for (const [enterprise, made] of judge?.made ?? []) {
      if (this.signal.aborted) return;
      looked += 1;
      if (looked > mostAudited || !(await this.#auditOne(enterprise, made))) judge?.leaveUnlisted(made.size);
    }
    await this.#auditStates(webhooks);
  }

  /** Reads some of the records that were made, as far as the keys have room for that at once. */
  async #auditStates({ pushed, isQuiet }: Webhooks): Promise<void> {
    const { clock, pacer } = this.#run;
    const { judge } = this.#options;
    const made = [...(judge?.made ?? [])].slice(0, mostRead);
    for (const [enterprise, ids] of made) {
      const keys = this.#keysOf(enterprise);
      const room = Math.min(pacer.room(keys), Math.ceil(mostRead / made.length));
      if (this.signal.aborted || room === 0) continue;
      const all = [...ids];
      const told = all.filter((id) => pushed.of(id) !== null);
      const records = spread(told.length > 0 ? told : all, room);
      const read = (id: string) => this.traffic.client.send(statusBy(id, this.#roomiest(keys)), 'load.audit');
      try {
        for (const sample of await auditStates({ records, pushed, isQuiet, clock, read })) judge?.add(sample);
      } catch (error) {
        if (error instanceof BudgetExhausted) return;
        throw error;
      }
    }
  }

  #keysOf(enterprise: string): readonly ApiKey[] {
    return [...this.#options.keys, ...this.#run.target.keys.other].filter(
      (one) => one.enterprise === enterprise,
    );
  }

  /** The key that may send most at once: a load may have used up the others for a while. */
  #roomiest(keys: readonly ApiKey[]): ApiKey | undefined {
    const { pacer } = this.#run;
    const rooms = new Map(keys.map((key) => [key, pacer.room([key])]));
    return keys.toSorted((one, other) => (rooms.get(other) ?? 0) - (rooms.get(one) ?? 0))[0];
  }

  /** Audits the list of one enterprise; resolves to whether it was readable. */
  async #auditOne(enterprise: string, made: ReadonlySet<string>): Promise<boolean> {
    const { clock } = this.#run;
    const { judge } = this.#options;
    const key = this.#roomiest(this.#keysOf(enterprise));
    if (!key) return false;
    const send = (request: ApiRequest) => this.traffic.client.send(request, 'load.audit');
    try {
      const sample = await auditList({ key, made, clock, send });
      if (sample !== null) judge?.add(sample);
      return true;
    } catch (error) {
      if (error instanceof BudgetExhausted) return false;
      throw error;
    }
  }

  /** Creates the sender of a load. `shared` is for the times of several machines. */
  sender(
    material: LoadMaterial,
    recorder: SenderOptions['recorder'],
    shared = { offsetMs: 0, errorMs: 0 },
  ): Sender {
    const { settings, target, clock, redactor } = this.#run;
    const { allowance, ledger } = this.traffic;
    const [identities, seed] = [this.#identities, settings.seed];
    const { isCareful = false } = this.#options;
    return new Sender({
      transport: this.#options.transport,
      baseUrls: target.baseUrls,
      extraHeaders: Object.entries(settings.http.headers),
      payload: createPayloads({ material, identities, seed, now: clock.now() }),
      recorder,
      allowance,
      spending: ledger,
      onExchange: (exchange) => {
        this.#options.judge?.see(exchange);
        this.#options.onExchange?.(exchange);
      },
      onOutcome: (status) => this.#noteOutcome(status !== null && !(isCareful && status >= 500)),
      redact: (text) => redactor.redact(text),
      shared,
    });
  }

  #material() {
    const { settings, target } = this.#run;
    const send = (request: ApiRequest, purpose: string) => this.traffic.client.send(request, purpose);
    return { settings, target, now: () => this.serverClock.now(), identities: this.#identities, send };
  }

  /** Consecutive requests without an answer. */
  get failures(): number {
    return this.#failures;
  }

  /** Notes consecutive requests of another process of this load that got no answer. */
  noteOutcomes(failed: number): void {
    this.#noteOutcome(failed === 0, failed);
  }

  #noteOutcome(answered: boolean, count = 1): void {
    if (answered) {
      this.#failures = 0;
      return;
    }
    const now = this.#run.clock.monotonic();
    if (this.#failures === 0) this.#failingSince = now;
    this.#failures += count;
    if (this.#failures >= leastFailures && now - this.#failingSince > patienceMs)
      this.traffic.health.lose(this.#options.isCareful === true ? inTrouble : null);
  }

  #note({ outcome, key, timings }: Exchange): void {
    const decision = rulingOf(outcome);
    if (key !== null && decision !== null)
      this.decisions.push([key, timings.sent, timings.received, decision]);
  }
}

function statusBy(checkinId: string, key: ApiKey | undefined): ApiRequest {
  const query = { checkin_id: checkinId };
  return key === undefined ? status(query) : status(query, { key: { kind: 'key', key } });
}

/** Requests of earlier runs are in the windows as well: the limiter may count them against this load. */
function decisionsBefore({ pacer, clock }: OpenRun, keys: readonly ApiKey[]): KeyDecision[] {
  return keys.flatMap((key) =>
    pacer
      .window(key)
      .recent(clock.monotonic())
      .map((at): KeyDecision => [key.label, at - 1, at, 'unknown']),
  );
}
