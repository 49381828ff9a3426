import { systemClock } from '../../core/clock.ts';
import type { SideEffect } from '../../engine/observe/ledger.ts';
import type { LoadPart, PartSetup } from './parts.ts';
import type { LoadMaterial } from '../plan/payloads.ts';
import type { Recorder } from '../send/recorder.ts';
import { exchangesOf, SeenInOrder, type SharedTime } from '../summary/seen.ts';
import type { Load } from '../load.ts';

/** What the senders of a load have in common. */
export function partSetupOf(
  { run, plan, options, command }: Load,
  { material, shares }: { readonly material: LoadMaterial; readonly shares: number },
): PartSetup {
  return {
    ...{ runId: run.id, plan, target: run.target.baseUrls, material, shares, command },
    maxInFlight: options.maxInFlight,
    judgeShare: options.judgeShare,
  };
}

/** Takes what the senders of a load report, part by part. */
export class PartInbox {
  readonly #load: Load;
  readonly #recorder: Recorder;
  readonly #shared: () => SharedTime;
  readonly #seen: SeenInOrder;

  constructor(load: Load, recorder: Recorder, shared: () => SharedTime) {
    [this.#load, this.#recorder, this.#shared] = [load, recorder, shared];
    this.#seen = new SeenInOrder((exchange) => load.judge.seeTogether(exchange));
  }

  take(sender: unknown, { snapshot, waits, failed, sideEffects, seen }: LoadPart): void {
    const { session, run } = this.#load;
    this.#recorder.add(snapshot);
    this.#recorder.waiting.tell(sender, waits);
    session.noteOutcomes(failed);
    session.noteEffects(sideEffects as unknown as readonly SideEffect[]);
    const epochMs = systemClock.now() - systemClock.monotonic();
    const { offsetMs } = this.#shared();
    this.#seen.add(exchangesOf(seen, { baseUrl: run.target.baseUrls.webcheckin, offsetMs, epochMs }));
  }

  /** A sender that reports no more. */
  close(sender: unknown): void {
    this.#recorder.waiting.tell(sender, []);
  }

  /** Called when nothing more comes. */
  end(): void {
    this.#seen.end();
  }
}
