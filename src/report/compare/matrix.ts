import type { RequirementResult, RunResult } from '../result.ts';
import { formatShare } from '../text/format.ts';
import { variantsOf } from './variants.ts';

/** Several results side by side: a column each. */
export interface Matrix {
  readonly columns: readonly string[];
  readonly facts: readonly Row[];
  readonly requirements: readonly RequirementRow[];
  readonly points: readonly Row[];
  readonly limiters: readonly Row[];
  readonly latencies: readonly Row[];
}

/** Something that all results say something about; null where one does not. */
export interface Row {
  readonly name: string;
  readonly title: string;
  readonly cells: readonly (string | null)[];
  /** Whether those that say something say different things. */
  readonly differs: boolean;
}

export interface RequirementRow {
  readonly id: string;
  readonly title: string;
  readonly level: RequirementResult['level'];
  readonly cells: readonly (RequirementResult | null)[];
  readonly differs: boolean;
}

/** Puts results side by side, in the order in which they were given. */
export function makeMatrix(results: readonly RunResult[]): Matrix {
  return {
    columns: columnsOf(results),
    facts: factsOf(results),
    requirements: requirementsOf(results),
    points: pointsOf(results),
    limiters: rowsBy(results, ({ limits }) =>
      (limits?.limiters ?? []).map(({ title, name }) => [title, '', name]),
    ),
    latencies: rowsBy(results, ({ timings }) =>
      (timings ?? []).map(({ operation, p50Ms, p95Ms }) => [
        operation,
        '',
        `${p50Ms.toFixed(0)} / ${p95Ms.toFixed(0)} ms`,
      ]),
    ).map((row) => ({ ...row, differs: false })),
  };
}

/** By address where that tells them apart, else with the time of the run, and a number where even that is the same. */
function columnsOf(results: readonly RunResult[]): readonly string[] {
  const addresses = results.map(
    ({ target }) => target.baseUrl ?? (Object.values(target.baseUrls).join(' + ') || target.kind),
  );
  const isTold = new Set(addresses).size === addresses.length;
  if (isTold) return addresses;
  const dated = addresses.map(
    (address, index) => `${address} ${results[index]?.run.startedAt.slice(0, 16) ?? ''}`,
  );
  return dated.map((name, index) =>
    dated.indexOf(name) === dated.lastIndexOf(name) ? name : `${name} (${index + 1})`,
  );
}

function factsOf(results: readonly RunResult[]): readonly Row[] {
  const fact = (name: string, of: (result: RunResult) => string): Row => {
    const cells = results.map(of);
    return { name, title: '', cells, differs: new Set(cells).size > 1 };
  };
  return [
    fact('verdict', ({ summary }) => summary.verdict),
    fact('musts judged', ({ summary }) =>
      formatShare(summary.coverage.must.judged, summary.coverage.must.total),
    ),
    fact('failed', ({ summary }) => String(summary.failed)),
    fact('warned', ({ summary }) => String(summary.warned)),
    fact('passed', ({ summary }) => String(summary.passed)),
    fact('requests', ({ summary }) => String(summary.requests)),
    fact('profile', ({ run }) => run.profile),
    fact('catalogue', ({ tool }) => tool.catalogue),
    fact('started', ({ run }) => run.startedAt.slice(0, 16).replace('T', ' ')),
  ];
}

function requirementsOf(results: readonly RunResult[]): readonly RequirementRow[] {
  const maps = results.map(({ requirements }) => new Map(requirements.map((row) => [row.id, row])));
  const ids = [...new Set(results.flatMap(({ requirements }) => requirements.map(({ id }) => id)))].sort();
  return ids.flatMap((id) => {
    const cells = maps.map((map) => map.get(id) ?? null);
    const any = cells.find((cell) => cell !== null);
    if (!any || any.level === 'open') return [];
    return [{ id, title: any.title, level: any.level, cells, differs: isMixed(cells) }];
  });
}

/** What was not judged somewhere is a difference only where it is broken elsewhere. */
function isMixed(cells: readonly (RequirementResult | null)[]): boolean {
  const verdicts = new Set(cells.map((cell) => cell?.verdict ?? 'skipped'));
  return verdicts.size > 1 && (verdicts.has('fail') || verdicts.has('warn'));
}

function pointsOf(results: readonly RunResult[]): readonly Row[] {
  const rows = rowsBy(results, ({ openPoints }) =>
    openPoints.flatMap(({ id, title, observed }) =>
      observed === null ? [] : [[id, title, observed] as const],
    ),
  );
  return rows.map((row) => {
    const classes = row.cells.flatMap((cell) => (cell === null ? [] : [variantsOf(cell).join()]));
    return { ...row, differs: new Set(classes).size > 1 };
  });
}

type Told = readonly (readonly [name: string, title: string, cell: string])[];

function rowsBy(results: readonly RunResult[], of: (result: RunResult) => Told): readonly Row[] {
  const all = results.map((result) => new Map(of(result).map((told) => [told[0], told])));
  const names = [...new Set(all.flatMap((told) => [...told.keys()]))].sort();
  return names.map((name) => {
    const told = all.map((one) => one.get(name));
    const cells = told.map((one) => one?.[2] ?? null);
    const title = told.find((one) => one !== undefined)?.[1] ?? '';
    return { name, title, cells, differs: new Set(cells.filter((cell) => cell !== null)).size > 1 };
  });
}
