import type { CatalogueRow } from '../../catalogue/row.ts';
import { addUp, passed, type Verdict } from '../../judge/kernel/verdict.ts';
import { describeObservation, type Dialect } from '../observe/dialect.ts';
import type { CheckOutcome } from './outcome.ts';
import type { EngineCheck } from '../suite.ts';

/** What the verdicts of a run are derived from. */
export interface VerdictSources {
  /** All checks, planned or not. */
  readonly checks: readonly EngineCheck[];
  readonly outcomes: readonly CheckOutcome[];
  readonly dialect: Dialect;
  /** The variant that an open point is pinned to, by its id. */
  readonly pins: Readonly<Record<string, string>>;
}

/** The verdict of a run on each row of the catalogue: what its checks established, added up. */
export function judgeRows(
  rows: readonly CatalogueRow[],
  sources: VerdictSources,
): ReadonlyMap<CatalogueRow, Verdict> {
  // Among equals, the first gives the reason: why a check that ran could not tell says more than why another did not run.
  const ranFirst = sources.outcomes.toSorted((one, other) => Number(ran(other)) - Number(ran(one)));
  const said = Map.groupBy(
    ranFirst.flatMap(({ verdicts }) => [...verdicts]),
    ([requirement]) => requirement,
  );
  return new Map(
    rows.map((row) => {
      const verdicts = (said.get(row.id) ?? []).map(([, verdict]) => verdict);
      return [row, verdictOf(row, verdicts, sources)];
    }),
  );
}

function ran({ requests }: CheckOutcome): boolean {
  return requests > 0;
}

function verdictOf(row: CatalogueRow, verdicts: readonly Verdict[], sources: VerdictSources): Verdict {
  const sum = addUp(exercised(verdicts), row.level);
  const verdict = row.level === 'open' ? openVerdict(row, sum, sources) : sum;
  return verdict ?? { status: 'skipped', samples: 0, reason: whySkipped(row, sources.checks) };
}

/** Without the checks that came to no case of a row which others passed with enough samples. */
function exercised(verdicts: readonly Verdict[]): readonly Verdict[] {
  if (!verdicts.some(({ status }) => status === 'pass')) return verdicts;
  return verdicts.filter((one) => one.status === 'pass' || one.isUnexercised !== true);
}

/** An open point is observed; a pinned one is a rule, which only the pinned variant satisfies. */
function openVerdict(
  { id }: CatalogueRow,
  sum: Verdict | null,
  { dialect, pins }: VerdictSources,
): Verdict | null {
  const pinned = pins[id] ?? null;
  const samples = sum?.samples ?? 0;
  const sightings = dialect.variants(id);
  if (sightings.length === 0) {
    if (sum === null || sum.status === 'pass') return null;
    return { status: pinned === null ? 'skipped' : 'inconclusive', samples, reason: sum.reason };
  }
  if (pinned === null)
    return { status: 'observed', samples, reason: sightings.map(describeObservation).join(', ') };
  const other = sightings.find(({ variant }) => variant !== pinned);
  if (!other) return passed(samples);
  return {
    status: 'fail',
    samples,
    reason: `pinned to ${pinned}, and the deployment shows ${other.variant}`,
  };
}

function whySkipped(row: CatalogueRow, checks: readonly EngineCheck[]): string {
  if (row.excused !== null) return row.excused;
  if (checks.some(({ verifies }) => verifies.includes(row.id))) return 'its checks were not part of this run';
  return row.level === 'may' ? 'it is a permission, which cannot be broken' : 'no check verifies it yet';
}
