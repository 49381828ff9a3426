import { withoutCommands } from '../core/ciCommands.ts';
import { systemClock } from '../core/clock.ts';
import { Redactor } from '../core/redact.ts';
import type { Settings } from '../core/settings.ts';
import type { JudgedPart } from '../engine/judgedPart.ts';
import type { LoadJudge } from '../engine/loadJudge.ts';
import { judgeLoad } from '../engine/loadJudging.ts';
import { createIdentities } from '../generate/kit/identity.ts';
import { arrivalsOf, slicesOf, type Arrival } from '../load/arrivals.ts';
import { drive } from '../load/drive.ts';
import type { Share } from '../load/dueBy.ts';
import { leasesInTurn } from '../load/leases.ts';
import { OwnWatch, type OwnReadings } from '../load/ownHealth.ts';
import { createPayloads, type LoadMaterial } from '../load/payloads.ts';
import { missAfterMs, type LoadPlan } from '../load/plan.ts';
import { Sender } from '../load/sender.ts';
import { SeenExchanges } from '../load/workers/seenExchanges.ts';
import { RateCurve, stagesOf } from '../load/shape.ts';
import { Allowance } from '../send/allowance.ts';
import { KeyRing, type ApiKey } from '../send/keyRing.ts';
import type { Transport } from '../send/transport.ts';
import { createUndiciTransport } from '../send/undiciTransport.ts';
import { machineOffsetMs } from './machineClock.ts';
import { ProcessParts, type ProcessPart } from './processParts.ts';

/** What the process that starts a load sends to each participating process; it stays on this machine. */
export interface ProcessJob extends Share {
  readonly settings: Settings;
  readonly plan: LoadPlan;
  readonly baseUrls: Readonly<Record<'webcheckin' | 'flight-alerts', string>>;
  readonly keys: readonly ApiKey[];
  readonly material: LoadMaterial;
  readonly maxInFlight: number;
  readonly judgeShare: number | null;
  readonly runId: string;
  readonly command: string;
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
  | ({ readonly kind: 'part' } & ProcessPart)
  /** All that it judged so far, from time to time: what it did not report is lost with it. */
  | { readonly kind: 'judged'; readonly judged: JudgedPart }
  | {
      readonly kind: 'done';
      readonly judged: JudgedPart;
      readonly own: OwnReadings;
      readonly elapsedMs: number;
    };

const everyMs = 1000;
const judgedEveryMs = 5000;

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
  const { plan, keys, share, of } = job;
  const timing = { startAt: 0 };
  const abort = new AbortController();
  process.on('message', (message) => {
    if (message === 'stop') abort.abort(new Error('the load was stopped'));
  });
  const redactor = new Redactor();
  const judge = judgeOf(job, redactor, timing);
  judge.begin();
  const seen = new SeenExchanges({
    name: `process ${share + 1}`,
    redact: (text) => redactor.redact(text),
    shared: () => machineClock(),
  });
  const parts = new ProcessParts(plan, seen, (part) => tell({ kind: 'part', ...part }));
  const transport = createUndiciTransport(job.settings.http, systemClock, job.maxInFlight);
  const sender = senderOf(job, { parts, judge, redactor, transport, seen });
  const started = startMessage();
  tell({ kind: 'ready' });
  timing.startAt = (await started).startAt - machineOffsetMs();
  const { startAt } = timing;
  const own = new OwnWatch(systemClock);
  const handing = [
    setInterval(() => parts.hand(), everyMs),
    setInterval(() => tell({ kind: 'judged', judged: judge.part(job.command) }), judgedEveryMs),
  ];
  await drive(ownArrivals(plan, share, of), {
    ...{ clock: systemClock, startAt, missAfterMs, maxInFlight: job.maxInFlight, signal: abort.signal },
    lease: leasesInTurn(keys),
    send: (lease, intended) => sender.send(lease, intended),
    miss: (arrival, reason) => parts.miss(arrival.atMs, reason),
  });
  if (abort.signal.aborted) await sender.cutOff(systemClock);
  handing.forEach((one) => clearInterval(one));
  const elapsedMs = Math.max(0, performance.now() - startAt);
  parts.hand();
  judge.end();
  const done: ProcessMessage = { kind: 'done', judged: judge.part(job.command), own: own.stop(), elapsedMs };
  // All that was told has to be on its way before the channel is closed.
  await new Promise((resolve) => process.send?.(done, resolve));
  process.off('disconnect', endAsOrphan);
  await transport.close();
  if (process.connected) process.disconnect();
}

function judgeOf(job: ProcessJob, redactor: Redactor, timing: { readonly startAt: number }): LoadJudge {
  const { plan, settings, keys } = job;
  const curve = new RateCurve(stagesOf(plan));
  const ring = KeyRing.of({ primary: keys.map(({ value }) => value), other: [], special: {} });
  return judgeLoad(
    { settings, clock: systemClock, redactor, target: { keys: ring } },
    {
      share: job.judgeShare,
      known: { movedMs: job.material.movedMs ?? 0 },
      rateAt: (at) => curve.rateAt(at - timing.startAt) || plan.ratePerSecond,
      ofWhole: false,
    },
  );
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
    ...{ transport, payload, baseUrls: job.baseUrls, recorder: parts },
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
