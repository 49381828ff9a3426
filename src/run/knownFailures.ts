import { existsSync } from 'node:fs';
import { loadCatalogue } from '../catalogue/loadCatalogue.ts';
import { systemClock } from '../core/clock.ts';
import { exitCodes, usageError } from '../core/errors.ts';
import { suggest } from '../core/suggest.ts';
import type { Settings } from '../core/settings.ts';
import { requirementOf } from '../engine/findings/finding.ts';
import {
  fingerprintsOf,
  readBaseline,
  renderBaseline,
  renewBaseline,
  type BaselineEntry,
} from '../report/baseline.ts';
import { findingState } from '../report/states.ts';
import { plural } from '../report/text/format.ts';
import type { RunResult } from '../report/result.ts';
import { writeText } from '../report/writeWhole.ts';

interface Built {
  readonly result: RunResult;
  readonly exitCode: number;
}

/** The known failures of a run; a file that the run is to write may not exist yet. */
export async function knownFailures({
  baseline,
  updateBaseline,
}: Settings): Promise<readonly BaselineEntry[]> {
  if (baseline === null || (updateBaseline && !existsSync(baseline))) return [];
  const entries = await readBaseline(baseline);
  refuseUnknown(entries, baseline);
  return entries;
}

/** An entry of a rule that does not exist would never go stale. */
function refuseUnknown(entries: readonly BaselineEntry[], path: string): void {
  const { requirements, openPoints } = loadCatalogue();
  const ids = [...requirements, ...openPoints].map(({ id }) => id);
  const unknown = entries
    .flatMap(fingerprintsOf)
    .map((one) => requirementOf(one))
    .filter((id) => !ids.includes(id));
  const [first] = unknown;
  if (first === undefined) return;
  throw usageError(
    'BASELINE',
    `Expected the baseline ${path} to name requirements; got ${[...new Set(unknown)].join(', ')}${suggest(first, ids)}.`,
    'Copy the fingerprint from result.json.',
  );
}

/** Builds the result with the known failures; if these are to be updated, writes them and builds it with the new ones. */
export async function withKnown(
  settings: Settings,
  known: readonly BaselineEntry[],
  build: (known: readonly BaselineEntry[]) => Built,
): Promise<Built> {
  const built = build(known);
  const { baseline, updateBaseline, baselineReason } = settings;
  // After an interrupt, what was not judged would look resolved.
  if (baseline === null || !updateBaseline || built.exitCode === exitCodes.interrupted) return built;
  const date = new Date(systemClock.now()).toISOString().slice(0, 10);
  const added = baselineReason === null ? null : { reason: baselineReason, date };
  const renewed = renewBaseline(known, built.result, added);
  await writeText(baseline, renderBaseline(renewed, baseline));
  return withNotAdded(build(renewed), added === null);
}

/** Says why what is new is not in the baseline. */
function withNotAdded({ result, exitCode }: Built, lacksReason: boolean): Built {
  const fresh = result.findings.filter((finding) => findingState(finding) !== 'known').length;
  if (!lacksReason || fresh === 0) return { result, exitCode };
  const sentence = `${plural(fresh, 'new finding')} not added to the baseline: --reason says why they are known.`;
  const reasons = [...(result.summary.reasons ?? []), sentence];
  return { result: { ...result, summary: { ...result.summary, reasons } }, exitCode };
}
