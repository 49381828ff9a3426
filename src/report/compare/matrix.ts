import type { RequirementResult, RunResult } from '../result.ts';
import { formatShare } from '../text/format.ts';
import { loadCatalogue } from '../../catalogue/loadCatalogue.ts';

/** What each row of the matrix has. */
interface MatrixRow<Cell> {
  readonly title: string;
  /** One cell per column; null if that result says nothing. */
  readonly cells: readonly (Cell | null)[];
  /** Whether the cells that are not null differ. */
  readonly differs: boolean;
}

/** A fact of each result, such as its number of requests. */
export interface FactRow extends MatrixRow<string> {
  readonly name: string;
}

/** What each result says about a requirement. */
export interface RequirementRow extends MatrixRow<RequirementResult> {
  readonly id: string;
  readonly level: RequirementResult['level'];
  /** The place of each cell in the report of its result; null where there is no report. */
  readonly links: readonly (string | null)[];
}

/** Several results side by side, one column each. */
export interface ResultMatrix {
  readonly columns: readonly string[];
  readonly facts: readonly FactRow[];
  readonly requirements: readonly RequirementRow[];
  readonly points: readonly FactRow[];
  readonly limiters: readonly FactRow[];
  readonly latencies: readonly FactRow[];
}

/** Puts results side by side, in the order in which they were given; `reports` are the addresses of their reports. */
export function makeMatrix(
  results: readonly RunResult[],
  reports: readonly (string | null)[] = [],
): ResultMatrix {
  return {
    columns: columnsOf(results),
    facts: factsOf(results),
    requirements: requirementsOf(results, reports),
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

/** Named by address if the addresses differ, else with the time of the run, and with a number if even that is the same. */
function columnsOf(results: readonly RunResult[]): readonly string[] {
  const addresses = results.map(
    ({ target }) => target.baseUrl ?? (Object.values(target.baseUrls).join(' + ') || target.kind),
  );
  if (new Set(addresses).size === addresses.length) return addresses;
  const dated = addresses.map(
    (address, index) => `${address} ${results[index]?.run.startedAt.slice(0, 16) ?? ''}`,
  );
  return dated.map((name, index) =>
    dated.indexOf(name) === dated.lastIndexOf(name) ? name : `${name} (${index + 1})`,
  );
}

function factsOf(results: readonly RunResult[]): readonly FactRow[] {
  const fact = (name: string, of: (result: RunResult) => string): FactRow => {
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

function requirementsOf(
  results: readonly RunResult[],
  reports: readonly (string | null)[],
): readonly RequirementRow[] {
  const maps = results.map(({ requirements }) => new Map(requirements.map((row) => [row.id, row])));
  const ids = [...new Set(results.flatMap(({ requirements }) => requirements.map(({ id }) => id)))].sort();
  return ids.flatMap((id) => {
    const cells = maps.map((map) => map.get(id) ?? null);
    const any = cells.find((cell) => cell !== null);
    if (!any || any.level === 'open') return [];
    const links = results.map(({ findings }, column) => {
      const report = reports[column] ?? null;
      const finding = findings.find(({ requirement }) => requirement === id);
      if (report === null || cells[column] === null) return null;
      return `${report}#${finding === undefined ? id : `finding-${finding.fingerprint}`}`;
    });
    return [{ id, title: any.title, level: any.level, cells, links, differs: isMixed(cells) }];
  });
}

/** A missing judgement is a difference only if the requirement is broken elsewhere. */
function isMixed(cells: readonly (RequirementResult | null)[]): boolean {
  const verdicts = new Set(cells.map((cell) => cell?.verdict ?? 'skipped'));
  return verdicts.size > 1 && (verdicts.has('fail') || verdicts.has('warn'));
}

function pointsOf(results: readonly RunResult[]): readonly FactRow[] {
  const rows = rowsBy(results, ({ openPoints }) =>
    openPoints.flatMap(({ id, title, observed }) =>
      observed === null ? [] : [[id, title, observed] as const],
    ),
  );
  return rows.map((row) => {
    const seen = row.cells.filter((cell) => cell !== null);
    return { ...row, differs: !isAnsweredAlike(row.name, seen) };
  });
}

/** A fact of one result: facts with the same name make a row. */
type Fact = readonly [name: string, title: string, cell: string];

function rowsBy(
  results: readonly RunResult[],
  of: (result: RunResult) => readonly Fact[],
): readonly FactRow[] {
  const columns = results.map((result) => new Map(of(result).map((fact) => [fact[0], fact])));
  const names = [...new Set(columns.flatMap((column) => [...column.keys()]))].sort();
  return names.map((name) => {
    const facts = columns.map((column) => column.get(name));
    const cells = facts.map((fact) => fact?.[2] ?? null);
    const title = facts.find((fact) => fact !== undefined)?.[1] ?? '';
    return { name, title, cells, differs: new Set(cells.filter((cell) => cell !== null)).size > 1 };
  });
}

/**
 * The variants in what was observed of an open point, without their measurements: `retries (after 1 s, 4 s)` is the class
 * `retries`, however long the pauses of this run were.
 */
export function variantsOf(observed: string): readonly string[] {
  let outside = observed.slice(0, longest);
  // Removes the innermost parentheses first, as long as there are any.
  for (let before = ''; before !== outside;)
    [before, outside] = [outside, outside.replace(/\([^()]*\)/g, '')];
  const names = outside.split(',');
  return [...new Set(names.map((name) => name.trim()).filter(Boolean))].sort();
}

/** No deployment needs more words; a result file may come from anywhere. */
const longest = 2000;

/**
 * Whether runs saw the same answers to an open point. The variant that only means that no other was met does not contradict
 * those that were: of two runs of a server, one may have looked at the right moment, or made the request that shows it.
 */
export function isAnsweredAlike(id: string, observed: readonly string[]): boolean {
  const unmet = unmetOf(id);
  const answers = observed
    .map((text) => variantsOf(text).filter((name) => name !== unmet))
    .filter((names) => names.length > 0);
  return new Set(answers.map((names) => names.join())).size <= 1;
}

function unmetOf(id: string): string | null {
  const { has, get } = loadCatalogue();
  const row = has(id) ? get(id) : null;
  return row?.level === 'open' ? row.unmet : null;
}
