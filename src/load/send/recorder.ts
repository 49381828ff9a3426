import type { OperationId } from '../../core/operations.ts';
import { Durations } from '../summary/histogram.ts';
import type { MissReason } from './drive.ts';
import type { KeyDecision } from '../judge/accuracy.ts';
import type { LimiterAccuracy } from '../judge/limiterAccuracy.ts';
import { DecisionList, packDecisions, unpackDecisions, type PackedDecisions } from '../judge/decisionList.ts';
import { Waiting } from './waiting.ts';

/** The result of one request. All times in milliseconds. */
export interface RequestOutcome {
  readonly operation: OperationId;
  /** The HTTP status as text, or why no answer came (`timeout`, `reset`, …). */
  readonly status: string;
  readonly kind: SampleKind;
  /** Intended time, from the start of the load. */
  readonly atMs: number;
  /** From the intended time to the end of the answer. */
  readonly latencyMs: number;
  /** From sending to the end of the answer. */
  readonly serviceMs: number;
  /** From the intended time to sending. */
  readonly latenessMs: number;
  /** From sending until a connection took it; missing if none did, or nobody knows. */
  readonly socketMs?: number;
  /** An example of an error, for reading; stored for the first of a kind. */
  readonly example: string | null;
}

/** As expected; refused by the rate limit; or anything else: a server error, an unexpected answer, or none. */
export type SampleKind = 'ok' | 'refused' | 'error';

/** One step of the course of a load. */
interface Step {
  sent: number;
  ok: number;
  refused: number;
  errors: number;
  missed: number;
  /** The latest send time in it, in milliseconds behind schedule. */
  lateMs: number;
  readonly latency: Durations;
}

interface StatusRecord {
  readonly operation: OperationId;
  readonly status: string;
  readonly kind: SampleKind;
  readonly latency: Durations;
  readonly example: string | null;
}

/** A recorder as text to send between machines, with complete histograms. */
export interface RecorderSnapshot {
  readonly statuses: readonly (readonly [OperationId, string, SampleKind, string, string | null])[];
  readonly service: string;
  readonly lateness: string;
  readonly socketWaits: string;
  /** Step, sent, ok, refused, errors, missed, latency, latest send. */
  readonly steps: readonly (readonly [number, number, number, number, number, number, string, number])[];
  readonly missed: Readonly<Record<MissReason, number>>;
  readonly lost: number;
  readonly warmUp: number;
  readonly decisions: PackedDecisions;
}

/** Adds up the results of all requests. Recorders are merged by adding, so that parts make the same whole in any order. */
export class Recorder {
  readonly statuses = new Map<string, StatusRecord>();
  readonly service = new Durations();
  readonly lateness = new Durations();
  readonly socketWaits = new Durations();
  readonly steps = new Map<number, Step>();
  readonly missed: Record<MissReason, number> = { late: 0, 'in-flight': 0, limits: 0 };
  /** The limiter's decisions, to be sent to another machine; empty if a book judges them at once. */
  readonly decisions = new DecisionList();
  readonly accuracy: LimiterAccuracy | null;
  readonly waiting = new Waiting();
  readonly #stepMs: number;
  readonly #warmUpMs: number;
  /** Another recorder for the same samples, which only looks at the last seconds. */
  mirror: Recorder | null = null;
  #latest: StatusRecord | null = null;
  #lost = 0;
  #sent = 0;
  #warmUp = 0;
  #counts: Record<SampleKind, number> = { ok: 0, refused: 0, error: 0 };

  constructor(stepMs: number, warmUpMs = 0, accuracy: LimiterAccuracy | null = null) {
    this.#stepMs = stepMs;
    this.#warmUpMs = warmUpMs;
    this.accuracy = accuracy;
  }

  get sent(): number {
    return this.#sent;
  }

  get counts(): Readonly<Record<SampleKind, number>> {
    return this.#counts;
  }

  get missedCount(): number {
    return Object.values(this.missed).reduce((sum, count) => sum + count, 0);
  }

  /** Number of requests that a lost worker may have sent, with unknown answers. */
  get lost(): number {
    return this.#lost;
  }

  /** Number of requests that were sent but not answered yet. */
  get inFlight(): number {
    return this.waiting.count;
  }

  /** Planned requests of the warm-up, whatever their results: only the course counts them. */
  get warmUp(): number {
    return this.#warmUp;
  }

  record(sample: RequestOutcome, decision: KeyDecision | null): void {
    this.mirror?.record(sample, null);
    if (decision !== null) (this.accuracy ?? this.decisions).add(decision);
    const step = this.#step(Math.floor(sample.atMs / this.#stepMs));
    step.sent += 1;
    step.lateMs = Math.max(step.lateMs, sample.latenessMs);
    step[sample.kind === 'error' ? 'errors' : sample.kind] += 1;
    if (sample.kind !== 'refused') step.latency.record(sample.latencyMs);
    if (sample.atMs < this.#warmUpMs) {
      this.#warmUp += 1;
      return;
    }
    this.#status(sample).latency.record(sample.latencyMs);
    this.service.record(sample.serviceMs);
    this.lateness.record(sample.latenessMs);
    if (sample.socketMs !== undefined) this.socketWaits.record(sample.socketMs);
    this.#sent += 1;
    this.#counts[sample.kind] += 1;
  }

  miss(atMs: number, reason: MissReason): void {
    this.mirror?.miss(atMs, reason);
    if (atMs < this.#warmUpMs) this.#warmUp += 1;
    else this.missed[reason] += 1;
    this.#step(Math.floor(atMs / this.#stepMs)).missed += 1;
  }

  lose(count: number): void {
    this.#lost += count;
  }

  /** Latencies of an operation, or of all; without answers of the rate limiter, since they cost a target nothing. */
  latency(operation: OperationId | null): Durations {
    const whole = new Durations();
    for (const record of this.statuses.values()) {
      const isMeant = operation === null || record.operation === operation;
      if (isMeant && record.kind !== 'refused') whole.add(record.latency);
    }
    return whole;
  }

  /** Adds the totals of another recorder of this process, for a few seconds, without the course. */
  absorb(other: Recorder): void {
    for (const { latency, ...record } of other.statuses.values()) {
      this.#status(record).latency.add(latency);
      this.#sent += latency.count;
      this.#counts[record.kind] += latency.count;
    }
    this.service.add(other.service);
    this.lateness.add(other.lateness);
    this.socketWaits.add(other.socketWaits);
    for (const reason of Object.keys(this.missed) as MissReason[])
      this.missed[reason] += other.missed[reason];
    this.#lost += other.lost;
  }

  snapshot(): RecorderSnapshot {
    return {
      statuses: [...this.statuses.values()].map(
        ({ operation, status, kind, latency, example }) =>
          [operation, status, kind, latency.encode(), example] as const,
      ),
      service: this.service.encode(),
      lateness: this.lateness.encode(),
      socketWaits: this.socketWaits.encode(),
      steps: [...this.steps].map(
        ([index, { sent, ok, refused, errors, missed, latency, lateMs }]) =>
          [index, sent, ok, refused, errors, missed, latency.encode(), lateMs] as const,
      ),
      missed: { ...this.missed },
      lost: this.#lost,
      warmUp: this.#warmUp,
      decisions: packDecisions(this.decisions),
    };
  }

  add(snapshot: RecorderSnapshot): void {
    for (const [operation, status, kind, latency, example] of snapshot.statuses) {
      const durations = Durations.decode(latency);
      this.#status({ operation, status, kind, example }).latency.add(durations);
      this.#sent += durations.count;
      this.#counts[kind] += durations.count;
    }
    this.service.add(Durations.decode(snapshot.service));
    this.lateness.add(Durations.decode(snapshot.lateness));
    this.socketWaits.add(Durations.decode(snapshot.socketWaits));
    for (const [index, sent, ok, refused, errors, missed, latency, lateMs] of snapshot.steps) {
      const step = this.#step(index);
      step.sent += sent;
      step.ok += ok;
      step.refused += refused;
      step.errors += errors;
      step.missed += missed;
      step.lateMs = Math.max(step.lateMs, lateMs);
      step.latency.add(Durations.decode(latency, 2));
    }
    for (const reason of Object.keys(this.missed) as MissReason[]) {
      this.missed[reason] += snapshot.missed[reason];
    }
    this.#lost += snapshot.lost;
    this.#warmUp += snapshot.warmUp;
    this.mirror?.add(snapshot);
    for (const decision of unpackDecisions(snapshot.decisions)) {
      if (this.accuracy === null) this.decisions.add(decision);
      else this.accuracy.addInOrder(decision);
    }
  }

  /** Most samples are like the one before: no name is made and looked up for them. */
  #status({ operation, status, kind, example }: Omit<StatusRecord, 'latency'>): StatusRecord {
    const latest = this.#latest;
    if (latest?.status === status && latest.kind === kind && latest.operation === operation) return latest;
    const name = `${operation} ${status} ${kind}`;
    const record = this.statuses.get(name) ?? { operation, status, kind, example, latency: new Durations() };
    this.statuses.set(name, record);
    this.#latest = record;
    return record;
  }

  #step(index: number): Step {
    let step = this.steps.get(index);
    if (!step) {
      step = { sent: 0, ok: 0, refused: 0, errors: 0, missed: 0, lateMs: 0, latency: new Durations(2) };
      this.steps.set(index, step);
    }
    return step;
  }
}
