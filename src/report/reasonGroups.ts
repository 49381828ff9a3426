import { withoutCheck } from '../plan/budgetLack.ts';
import type { RequirementResult } from './result.ts';

/** Requirements with the same reason for not being judged. */
export interface ReasonGroup {
  readonly reason: string;
  readonly rows: readonly RequirementResult[];
  readonly ids: readonly string[];
  /** Fingerprints of the findings that caused it, if known. */
  readonly heldBackBy: readonly string[];
  /** Ids of exchanges that show it. */
  readonly evidence: readonly string[];
}

/** The largest group first. Reasons that differ only by the exchange, or by what one check needs of a budget, are one. */
export function groupByReason(rows: readonly RequirementResult[]): ReasonGroup[] {
  const groups = Map.groupBy(rows, ({ reason }) => kindOf(reason ?? unknown));
  return [...groups]
    .map(([kind, members]) => ({
      reason: sharedBy(members) ?? kind,
      rows: members,
      ids: members.map((row) => row.id),
      heldBackBy: [...new Set(members.flatMap(({ heldBackBy = [] }) => heldBackBy))],
      evidence: [...new Set(members.flatMap(({ evidence = [] }) => evidence))],
    }))
    .sort((left, right) => right.ids.length - left.ids.length);
}

const unknown = 'no reason given';

function kindOf(reason: string): string {
  return withoutCheck(reason) ?? reason.replace(/^[xc]\d+: /, '');
}

/** The reason of all of them, if it is one: it names the exchange, or what the only check needs. */
function sharedBy(rows: readonly RequirementResult[]): string | null {
  const [reason, ...others] = new Set(rows.map((row) => row.reason));
  return others.length === 0 ? (reason ?? null) : null;
}
