import type { DefectRow, KillMatrix } from './matrix.ts';

/** The totals of a proof. */
interface ProofSummary {
  readonly dialects: number;
  readonly clean: number;
  readonly defects: number;
  readonly killed: number;
  /** Defects of rules that no check verifies; they are counted separately. */
  readonly unchecked: number;
  readonly conditional: number;
  /** Defects of which the oracles saw something, without the assertions of the checks. */
  readonly watched: number;
  /** Defects of which the first cause starts with a row of `kills`. */
  readonly wellLed: number;
  /** Defects that come to one cause. */
  readonly oneCause: number;
  /** Number of defects of which something was found within this many requests. */
  readonly within: readonly { readonly requests: number; readonly defects: number }[];
  readonly areas: readonly { readonly api: string; readonly defects: number; readonly killed: number }[];
}

export function summarizeProof({ dialects, defects: all }: KillMatrix): ProofSummary {
  const defects = all.filter(({ status }) => status !== 'unchecked');
  return {
    dialects: dialects.length,
    clean: dialects.filter(({ clean }) => clean).length,
    defects: defects.length,
    killed: defects.filter(isKilled).length,
    unchecked: all.length - defects.length,
    conditional: defects.filter(({ conditional }) => conditional).length,
    watched: defects.filter(({ watched }) => watched.length > 0).length,
    wellLed: defects.filter(({ kills, leads: [first] }) => first !== undefined && kills.includes(first))
      .length,
    oneCause: defects.filter(({ leads }) => leads.length === 1).length,
    within: [60, 300].map((requests) => ({
      requests,
      defects: defects.filter((row) => isFoundWithin(row, requests)).length,
    })),
    areas: [...Map.groupBy(defects, ({ api }) => api)].map(([api, rows]) => ({
      api,
      defects: rows.length,
      killed: rows.filter(isKilled).length,
    })),
  };
}

function isKilled({ status }: DefectRow): boolean {
  return status === 'killed';
}

function isFoundWithin({ requestsToFirstFinding }: DefectRow, requests: number): boolean {
  return requestsToFirstFinding !== null && requestsToFirstFinding <= requests;
}
