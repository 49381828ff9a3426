import type { Api } from '../../core/operations.ts';
import type { LoadMaterial } from '../plan/payloads.ts';
import { stepMs, type LoadPlan } from '../plan/plan.ts';
import { Recorder, type RecorderSnapshot } from '../send/recorder.ts';
import type { SeenExchange } from '../summary/seen.ts';
import type { Wait } from '../send/waiting.ts';

// The protocol of parts: what the senders of a load get and report, be they processes of this machine or workers over Redis.

/** What all senders of a load have in common. It contains no key. */
export interface PartSetup {
  readonly runId: string;
  readonly plan: LoadPlan;
  readonly target: Readonly<Record<Api, string>>;
  readonly material: LoadMaterial;
  /** Most requests without an answer, for each sender. */
  readonly maxInFlight: number;
  /** Into how many parts the arrivals are divided. */
  readonly shares: number;
  /** Share of the answers to reads that is judged; null for all as long as there is time. */
  readonly judgeShare: number | null;
  /** The command line, which reproduces findings. */
  readonly command: string;
}

/** What a sender did in a part of a load. */
export interface LoadPart {
  readonly snapshot: RecorderSnapshot;
  /** What is not answered yet. */
  readonly waits: readonly Wait[];
  /** Consecutive requests without an answer. */
  readonly failed: number;
  /** Answers that matter for judging the whole load. */
  readonly seen: readonly SeenExchange[];
  readonly sideEffects: readonly Readonly<Record<string, string | null>>[];
}

/** How often a sender reports all that it judged so far: later judgements are lost with it. */
export const judgedEveryMs = 5000;

/** Records what a sender does in a part. */
export function partRecorder({ plan }: Pick<PartSetup, 'plan'>): Recorder {
  return new Recorder(stepMs(plan), plan.warmUpMs);
}
