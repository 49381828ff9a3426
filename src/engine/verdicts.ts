import type { CatalogueRow, Level } from '../catalogue/row.ts';
import { heaviest, type VerdictStatus } from '../judge/kernel/verdict.ts';
import { describeSighting, type Dialect } from './dialect.ts';
import type { CheckOutcome, Contribution } from './outcome.ts';
import type { EngineCheck } from './suite.ts';

/** The verdict of a run on one row of the catalogue. */
export interface RowVerdict {
  readonly row: CatalogueRow;
  readonly status: VerdictStatus;
  readonly samples: number;
  /** Checks that verify it, planned or not. */
  readonly checks: readonly string[];
  readonly reason: string | null;
  /** The variant that an open point is pinned to. */
  readonly pinned: string | null;
}

export interface VerdictSources {
  readonly checks: readonly EngineCheck[];
  readonly outcomes: readonly CheckOutcome[];
  readonly dialect: Dialect;
  readonly pins: Readonly<Record<string, string>>;
}

/** Adds up what the checks established about each row. */
export function judgeRows(rows: readonly CatalogueRow[], sources: VerdictSources): readonly RowVerdict[] {
  const contributions = new Map<string, Contribution[]>();
  for (const outcome of sources.outcomes) {
    for (const one of outcome.contributions) {
      contributions.set(one.requirement, [...(contributions.get(one.requirement) ?? []), one]);
    }
  }
  return rows.map((row) => judgeRow(row, contributions.get(row.id) ?? [], sources));
}

function judgeRow(
  row: CatalogueRow,
  contributions: readonly Contribution[],
  sources: VerdictSources,
): RowVerdict {
  const checks = sources.checks.filter((check) => check.verifies.includes(row.id)).map((check) => check.id);
  const samples = contributions.reduce((sum, one) => sum + one.samples, 0);
  const pinned = sources.pins[row.id] ?? null;
  const verdict =
    row.level === 'open'
      ? openVerdict(row, contributions, sources, pinned)
      : ruleVerdict(row.level, contributions);
  return {
    row,
    samples,
    checks,
    pinned,
    ...(verdict ?? { status: 'skipped', reason: whySkipped(row, checks) }),
  };
}

type Said = Pick<RowVerdict, 'status' | 'reason'>;

/** The heaviest word counts; a pass needs a check that exercised it and none that could not tell. */
function ruleVerdict(level: Level, contributions: readonly Contribution[]): Said | null {
  const status = heaviest(
    level,
    contributions.map((one) => one.status),
  );
  const decisive = contributions.find((one) => one.status === status);
  return decisive ? { status: decisive.status, reason: decisive.reason } : null;
}

/** An open point is observed; one that is pinned is a rule, which only the pinned variant keeps. */
function openVerdict(
  row: CatalogueRow,
  contributions: readonly Contribution[],
  { dialect }: VerdictSources,
  pinned: string | null,
): Said | null {
  const sightings = dialect.variants(row.id);
  const seen = sightings.map(({ variant }) => variant);
  if (seen.length === 0) {
    const reason = contributions.find((one) => one.reason !== null)?.reason ?? null;
    return reason === null ? null : { status: pinned === null ? 'skipped' : 'inconclusive', reason };
  }
  if (pinned === null) return { status: 'observed', reason: sightings.map(describeSighting).join(', ') };
  const other = seen.find((variant) => variant !== pinned);
  return other === undefined
    ? { status: 'pass', reason: null }
    : { status: 'fail', reason: `pinned to ${pinned}, and the deployment shows ${other}` };
}

function whySkipped(row: CatalogueRow, checks: readonly string[]): string {
  if (row.excused !== null) return row.excused;
  if (checks.length > 0) return 'its checks were not part of this run';
  return row.level === 'may' ? 'it is a permission, which nobody can break' : 'no check verifies it yet';
}
