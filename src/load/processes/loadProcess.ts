import { withoutCommands } from '../../core/ciCommands.ts';
import { systemClock } from '../../core/clock.ts';
import { Redactor } from '../../core/redact.ts';
import type { Settings } from '../../core/settings.ts';
import type { JudgedPart } from '../judge/judgeShare.ts';
import type { LoadJudge } from '../judge/loadJudge.ts';
import { judgePart } from '../judge/loadJudging.ts';
import { createIdentities } from '../../generate/kit/identity.ts';
import { arrivalsOf, slicesOf, type Arrival } from '../plan/arrivals.ts';
import { drive } from '../send/drive.ts';
import { leasesInTurn } from '../send/leases.ts';
import { OwnWatch, type OwnReadings } from '../summary/ownHealth.ts';
import { judgedEveryMs, partRecorder, type LoadPart, type PartSetup } from './parts.ts';
import { createPayloads } from '../plan/payloads.ts';
import { missAfterMs, type LoadPlan } from '../plan/plan.ts';
import { Sender } from '../send/sender.ts';
import type { Recorder } from '../send/recorder.ts';
import { SeenExchanges } from '../summary/seen.ts';
import { Waiting } from '../send/waiting.ts';
import { Allowance } from '../../send/allowance.ts';
import type { ApiKey } from '../../send/keyRing.ts';
import type { Transport } from '../../send/transport.ts';
import { createUndiciTransport } from '../../send/undiciTransport.ts';
import { machineOffsetMs } from './machineClock.ts';

/** What the process that starts a load sends to each participating process; it stays on this machine. */
export interface ProcessJob extends PartSetup {
  readonly settings: Settings;
  readonly keys: readonly ApiKey[];
  /** Which of the shares it sends. */
  readonly share: number;
}

/** The start of the load, on the clock that all processes of a machine share; sent once all are ready. */
export interface ProcessStart {
  readonly startAt: number;
}

export type ProcessMessage =
  /** The process is running, and accepts its job. */
  | { readonly kind: 'begun' }
  /** Everything that the load needs is ready. */
  | { readonly kind: 'ready' }
  /** What happened since the last message. */
  | ({ readonly kind: 'part' } & LoadPart)
  /** All that it judged so far, from time to time: what it did not report is lost with it. */
  | { readonly kind: 'judged'; readonly judged: JudgedPart }
  | {
      readonly kind: 'done';
      readonly judged: JudgedPart;
      readonly own: OwnReadings;
      readonly elapsedMs: number;
    };

const everyMs = 1000;

function machineClock() {
  return { offsetMs: machineOffsetMs(), errorMs: 0.1 };
}

// Only if it was started as a separate process, never if it is imported.
if (process.send !== undefined && process.argv[2] === 'load-process') {
  process.once('message', (job) => void work(job as ProcessJob).catch(fail));
  // A terminal sends Ctrl-C to all processes; the one that started the load says what to do then.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
  // The parent process is gone: nobody is left to report to.
  process.once('disconnect', endAsOrphan);
  tell({ kind: 'begun' });
}

function endAsOrphan(): void {
  process.exit(1);
}

function tell(message: ProcessMessage): void {
  // Where nobody listens any more, this process ends as soon as it hears of that.
  process.send?.(message, () => undefined);
}

function fail(error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${withoutCommands(text)}\n`);
  process.exit(1);
}

async function work(job: ProcessJob): Promise<void> {
  const { plan, keys, share, shares } = job;
  const timing = { startAt: 0 };
  const abort = new AbortController();
  process.on('message', (message) => {
    if (message === 'stop') abort.abort(new Error('the load was stopped'));
  });
  const redactor = new Redactor();
  const run = { settings: job.settings, clock: systemClock, redactor };
  const judge = judgePart(run, job, { keys, startedAt: () => timing.startAt });
  const seen = new SeenExchanges({
    name: `process ${share + 1}`,
    redact: (text) => redactor.redact(text),
    shared: () => machineClock(),
  });
  const parts = new ProcessParts(job, seen);
  const transport = createUndiciTransport(job.settings.http, systemClock, job.maxInFlight);
  const sender = senderOf(job, { parts, judge, redactor, transport, seen });
  const started = startMessage();
  tell({ kind: 'ready' });
  timing.startAt = (await started).startAt - machineOffsetMs();
  const { startAt } = timing;
  const own = new OwnWatch(systemClock);
  const handing = [
    setInterval(() => tell({ kind: 'part', ...parts.take() }), everyMs),
    setInterval(() => tell({ kind: 'judged', judged: judge.part(job.command) }), judgedEveryMs),
  ];
  await drive(ownArrivals(plan, share, shares), {
    ...{ clock: systemClock, startAt, missAfterMs, maxInFlight: job.maxInFlight, signal: abort.signal },
    lease: leasesInTurn(keys),
    send: (lease, intended) => sender.send(lease, intended),
    miss: (arrival, reason) => parts.miss(arrival.atMs, reason),
  });
  if (abort.signal.aborted) await sender.cutOff(systemClock);
  handing.forEach((one) => clearInterval(one));
  const elapsedMs = Math.max(0, performance.now() - startAt);
  tell({ kind: 'part', ...parts.take() });
  judge.end();
  const done: ProcessMessage = { kind: 'done', judged: judge.part(job.command), own: own.stop(), elapsedMs };
  // All that was told has to be on its way before the channel is closed.
  await new Promise((resolve) => process.send?.(done, resolve));
  process.off('disconnect', endAsOrphan);
  await transport.close();
  if (process.connected) process.disconnect();
}

/** Records what this process does, a part after the other. */
class ProcessParts {
  readonly waiting = new Waiting();
  readonly #job: ProcessJob;
  readonly #seen: SeenExchanges;
  #recorder: Recorder;
  #failed = 0;

  constructor(job: ProcessJob, seen: SeenExchanges) {
    [this.#job, this.#seen] = [job, seen];
    this.#recorder = partRecorder(job);
  }

  record(...args: Parameters<Recorder['record']>): void {
    this.#recorder.record(...args);
  }

  miss(...args: Parameters<Recorder['miss']>): void {
    this.#recorder.miss(...args);
  }

  lose(count: number): void {
    this.#recorder.lose(count);
  }

  outcome(answered: boolean): void {
    this.#failed = answered ? 0 : this.#failed + 1;
  }

  /** What happened since the last call. */
  take(): LoadPart {
    const snapshot = this.#recorder.snapshot();
    this.#recorder = partRecorder(this.#job);
    const waits = this.waiting.waits(performance.now());
    return { snapshot, waits, failed: this.#failed, seen: this.#seen.take(), sideEffects: [] };
  }
}

interface SenderParts {
  readonly parts: ProcessParts;
  readonly judge: LoadJudge;
  readonly redactor: Redactor;
  readonly transport: Transport;
  readonly seen: SeenExchanges;
}

function senderOf(job: ProcessJob, { parts, judge, redactor, transport, seen }: SenderParts): Sender {
  const { plan, settings, material, share } = job;
  const payload = createPayloads({
    ...{ material, seed: settings.seed, now: Date.now() },
    identities: createIdentities(`${job.runId}/${share}`, settings.seed),
  });
  // Payloads are made before the start, to be in time.
  for (const { operation } of plan.mix) payload(operation, 0);
  return new Sender({
    ...{ transport, payload, baseUrls: job.target, recorder: parts },
    extraHeaders: Object.entries(settings.http.headers),
    allowance: new Allowance({ maxRequests: plan.maxRequests, maxQuota: 0, maxSubscriptions: 0 }),
    spending: { kindOf: () => null, wasSpent: () => false, takeUnspent: () => 0, unproven: () => 0 },
    onExchange: (exchange) => {
      judge.see(exchange);
      seen.see(exchange);
    },
    onOutcome: (status) => parts.outcome(status !== null),
    redact: (text) => redactor.redact(text),
    shared: machineClock(),
  });
}

/** Waits for the parent process to say when to start. */
function startMessage(): Promise<ProcessStart> {
  return new Promise((resolve) =>
    process.on('message', (message) => {
      if (typeof message === 'object') resolve(message as ProcessStart);
    }),
  );
}

function* ownArrivals(plan: LoadPlan, share: number, of: number): Generator<Arrival> {
  for (const slice of slicesOf(plan))
    for (const arrival of arrivalsOf(plan, slice)) if (arrival.index % of === share) yield arrival;
}
