import { appliesTo } from '../catalogue/appliesTo.ts';
import { loadCatalogue } from '../catalogue/loadCatalogue.ts';
import type { CatalogueRow } from '../catalogue/row.ts';
import type { Settings } from '../core/settings.ts';
import { judgeRows, type VerdictSources } from '../engine/findings/verdicts.ts';
import type { Verdict } from '../judge/kernel/verdict.ts';

/** The verdict on each row of the catalogue that applies to a deployment with these APIs. */
export function judgedRows(
  { apis, openPoints }: Pick<Settings, 'apis' | 'openPoints'>,
  sources: Omit<VerdictSources, 'pins'>,
): ReadonlyMap<CatalogueRow, Verdict> {
  const { requirements, openPoints: open } = loadCatalogue();
  const rows = [...requirements, ...open].filter((row) => appliesTo(apis)(row) && row.level !== 'consumer');
  return judgeRows(rows, { ...sources, pins: openPoints });
}
