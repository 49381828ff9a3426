import { existsSync } from 'node:fs';
import { systemClock } from '../core/clock.ts';
import { exitCodes } from '../core/errors.ts';
import type { Settings } from '../core/settings.ts';
import { loadBaseline, renderBaseline, renewBaseline, type BaselineEntry } from '../report/baseline.ts';
import type { RunResult } from '../report/result.ts';
import { writeText } from '../report/writeWhole.ts';

interface Built {
  readonly result: RunResult;
  readonly exitCode: number;
}

/** The known failures of a run; a file that the run is to write may be missing yet. */
export async function knownFailures({
  baseline,
  updateBaseline,
}: Settings): Promise<readonly BaselineEntry[]> {
  if (baseline === null || (updateBaseline && !existsSync(baseline))) return [];
  return loadBaseline(baseline);
}

/** Builds the result with the known failures; where they are to be updated, writes them and builds it with the new ones. */
export async function withKnown(
  settings: Settings,
  known: readonly BaselineEntry[],
  build: (known: readonly BaselineEntry[]) => Built,
): Promise<Built> {
  const built = build(known);
  const { baseline, updateBaseline, baselineReason } = settings;
  // What an interrupt left undone would look as if it were settled.
  if (baseline === null || !updateBaseline || built.exitCode === exitCodes.interrupted) return built;
  const date = new Date(systemClock.now()).toISOString().slice(0, 10);
  const renewed = renewBaseline(known, built.result, { reason: baselineReason ?? noReason, date });
  await writeText(baseline, renderBaseline(renewed, baseline));
  return build(renewed);
}

/** For programs that call `run` themselves. */
const noReason = 'no reason given';
