import type { Settings } from '../core/settings.ts';
import type { LoadOptions } from '../load/planLoad.ts';
import type { LoadPlan } from '../load/plan.ts';
import type { ApiKey } from '../send/keyRing.ts';
import type { Target } from '../target/target.ts';
import type { LoadSession } from '../engine/loadSession.ts';
import type { Redactor } from '../core/redact.ts';
import type { Recorder } from '../load/recorder.ts';

/** A load with all that it takes. */
export interface Load {
  readonly runId: string;
  readonly settings: Settings;
  readonly options: LoadOptions;
  readonly plan: LoadPlan;
  readonly keys: readonly ApiKey[];
  readonly target: Target;
  readonly session: LoadSession;
  readonly given: LoadRunOptions;
}

export interface LoadRunOptions {
  readonly signal?: AbortSignal;
  /** The command line, for the reports; without secrets. */
  readonly command?: string;
  /** Folder that report directories and the memory of the pace are made in. */
  readonly root?: string;
  readonly redactor?: Redactor;
  /** Sees the load as soon as it begins; whoever draws it reads the recorder. */
  readonly onStart?: (view: LoadView) => void;
  readonly notice?: (text: string) => void;
}

/** A load while it goes on. */
export interface LoadView {
  readonly runId: string;
  readonly target: string;
  readonly plan: LoadPlan;
  readonly planned: number;
  /** Connections of a saturation; null for an open load. */
  readonly connections: number | null;
  readonly keys: number;
  readonly recorder: Recorder;
  /** Monotonic. */
  readonly startedAt: number;
}
