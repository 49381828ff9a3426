import type { CatalogueRow } from '../catalogue/row.ts';
import type { Finding } from '../engine/findings/finding.ts';
import type { Verdict } from '../judge/kernel/verdict.ts';
import type { Check } from '../plan/check.ts';
import { isAskedFor } from '../plan/makePlan.ts';
import type { Outside } from './verdictRules.ts';

export type JudgedRow = readonly [row: CatalogueRow, verdict: Verdict];

/** What a run established, and which part was asked for. */
interface Established {
  readonly verdicts: ReadonlyMap<CatalogueRow, Verdict>;
  readonly findings: readonly Finding[];
  /** All checks, planned or not. */
  readonly checks: readonly Check[];
  /** Patterns of `--only`; none for everything. */
  readonly only: readonly string[];
}

/** The part that counts. */
interface Selection {
  readonly rows: readonly JudgedRow[];
  readonly findings: readonly Finding[];
  /** The part that does not; null if everything was asked for. */
  readonly outside: Outside | null;
}

/** Leaves out what was not selected: its checks only ran partly, for other requirements. */
export function select({ verdicts, findings, checks, only }: Established): Selection {
  const rows = [...verdicts];
  if (only.length === 0) return { rows, findings, outside: null };
  const asked = new Set(rows.map(([{ id }]) => id).filter((id) => isAskedFor(id, checks, only)));
  const broken = rows.filter(
    ([{ id }, { status }]) => !asked.has(id) && (status === 'fail' || status === 'warn'),
  );
  return {
    rows: rows.filter(([{ id }]) => asked.has(id)),
    findings: findings.filter(({ requirement }) => asked.has(requirement)),
    outside: { total: rows.length, broken: broken.map(([{ id }]) => id) },
  };
}
