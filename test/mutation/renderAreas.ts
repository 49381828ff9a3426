import type { schema } from '@stryker-mutator/api/core';
import type { AcceptedGroup } from './accepted.ts';
import type { Survivor } from './survivors.ts';

/** What became of the mutants of one area. */
interface AreaCounts {
  readonly area: string;
  readonly mutants: number;
  readonly killed: number;
  readonly timedOut: number;
  /** Survivors that somebody accepted, with a reason. */
  readonly accepted: number;
  /** Survivors with which no row failed, and musts stayed undecided. */
  readonly undecided: number;
  readonly missed: number;
  /** Mutants that cannot even be loaded; they count nowhere. */
  readonly broken: number;
}

interface Judged {
  readonly survivor: Survivor;
  readonly accepted: AcceptedGroup | null;
  /** Musts that it left undecided: nobody approves such a deployment. */
  readonly undecided: readonly string[];
}

/** Counts by folder of the reference; files that stand in none count as `deployment`. */
export function countAreas(
  report: schema.MutationTestResult,
  judged: readonly Judged[],
): readonly AreaCounts[] {
  const areas = new Map<string, schema.MutantResult[]>();
  for (const [file, { mutants }] of Object.entries(report.files))
    areas.set(areaOf(file), [...(areas.get(areaOf(file)) ?? []), ...mutants]);
  return [...areas].map(([area, mutants]) => {
    const count = (...wanted: readonly schema.MutantStatus[]) =>
      mutants.filter(({ status }) => wanted.includes(status)).length;
    const survived = judged.filter(({ survivor }) => areaOf(survivor.file) === area);
    const sorted = Map.groupBy(survived, sortOf);
    return {
      area,
      mutants: count('Killed', 'Timeout', 'Survived', 'NoCoverage'),
      killed: count('Killed'),
      timedOut: count('Timeout'),
      accepted: sorted.get('accepted')?.length ?? 0,
      undecided: sorted.get('undecided')?.length ?? 0,
      missed: sorted.get('missed')?.length ?? 0,
      broken: count('RuntimeError', 'CompileError'),
    };
  });
}

/**
 * The scores as a Markdown table, of the mutants that are not accepted: those with which a row fails, and those that
 * nobody would approve, because musts stay undecided.
 */
export function renderScores(areas: readonly AreaCounts[]): string {
  const rows = [...areas, totalOf(areas)].map((area) => {
    const detected = area.killed + area.timedOut;
    return [
      area.area,
      area.mutants,
      area.killed,
      area.timedOut,
      area.undecided,
      area.missed,
      area.accepted,
      percent(detected, area.mutants - area.accepted),
      percent(detected + area.undecided, area.mutants - area.accepted),
    ];
  });
  const head = [
    'area',
    'mutants',
    'killed',
    'timed out',
    'undecided',
    'missed',
    'accepted',
    'failed',
    'not approved',
  ];
  const table = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const lines = table.map((row) => `| ${row.map((cell, column) => pad(cell, column, widths)).join(' | ')} |`);
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [lines[0], rule, ...lines.slice(1)].join('\n');
}

/** All survivors as Markdown: those that were missed first, by file; those that are accepted last, by reason. */
export function renderSurvivors(judged: readonly Judged[]): string {
  const sorted = Map.groupBy(judged, sortOf);
  const section = (sort: Sort, title: string, groupOf: (one: Judged) => string) => [
    `## ${title}`,
    ...[...Map.groupBy(sorted.get(sort) ?? [], groupOf)].map(
      ([name, all]) => `### ${name}\n\n${all.map(renderSurvivor).join('\n')}`,
    ),
  ];
  return [
    ...section('missed', 'Missed', ({ survivor }) => survivor.file),
    `## Missed, by requirement\n\n${renderByRow(sorted.get('missed') ?? [])}`,
    ...section('undecided', 'Left undecided', ({ survivor }) => survivor.file),
    ...section(
      'accepted',
      'Accepted',
      ({ accepted }) => `${accepted?.kind ?? ''}: ${accepted?.because ?? ''}`,
    ),
  ].join('\n\n');
}

/** Under the requirement whose checks come nearest to the code: those that reach the least of everything else. */
function renderByRow(missed: readonly Judged[]): string {
  const byRow = Map.groupBy(missed, ({ survivor }) => survivor.rows[0] ?? 'none');
  const lines = [...byRow].sort(([a], [b]) => (a < b ? -1 : 1));
  return lines.map(([row, all]) => `- ${row}: ${placesOf(all).join(', ')}`).join('\n');
}

function placesOf(all: readonly Judged[]): readonly string[] {
  const places = all.map(({ survivor: { file, line } }) => `${file.replace('src/reference/', '')}:${line}`);
  return [...new Set(places)];
}

type Sort = 'accepted' | 'undecided' | 'missed';

function sortOf({ accepted, undecided }: Judged): Sort {
  if (accepted !== null) return 'accepted';
  return undecided.length > 0 ? 'undecided' : 'missed';
}

function renderSurvivor({ survivor, undecided }: Judged): string {
  const { file, line, mutator, original, replacement, reached, rows } = survivor;
  const reach = reached
    ? `reached by ${rows.slice(0, 4).join(', ') || 'oracles only'}`
    : 'reached by no check';
  const hint = undecided.length === 0 ? '' : `; leaves undecided: ${undecided.slice(0, 4).join(', ')}`;
  return `- ${file}:${line} ${mutator}: \`${short(original)}\` → \`${short(replacement)}\`; ${reach}${hint}`;
}

function areaOf(file: string): string {
  const [, area] = /^src\/reference\/([^/]+)\//.exec(file) ?? [];
  return area ?? 'deployment';
}

function totalOf(areas: readonly AreaCounts[]): AreaCounts {
  const sum = (name: Exclude<keyof AreaCounts, 'area'>) =>
    areas.reduce((total, area) => total + area[name], 0);
  return {
    area: 'all',
    mutants: sum('mutants'),
    killed: sum('killed'),
    timedOut: sum('timedOut'),
    accepted: sum('accepted'),
    undecided: sum('undecided'),
    missed: sum('missed'),
    broken: sum('broken'),
  };
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;
}

function pad(cell: string, column: number, widths: readonly number[]): string {
  const width = widths[column] ?? 0;
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}

function short(code: string): string {
  const line = code.replace(/\s+/g, ' ').replaceAll('`', "'");
  return line.length <= 100 ? line : `${line.slice(0, 99)}…`;
}
