import { problemsError, refuseProblems, type Problem } from '../../settings/problem.ts';
import type { LoadOptions } from '../../load/plan/loadOptions.ts';
import { suggest } from '../../core/suggest.ts';
import { readJourneys } from '../../load/journeys/journeyFiles.ts';
import type { ValuesOf } from '../../settings/row.ts';
import type { loadTable } from './table.ts';
import { workersOf } from './workers.ts';
import type { Journey } from '../../load/journeys/journey.ts';

type LoadValues = ValuesOf<typeof loadTable>;

/** The options of a load; throws one usage error for contradictions. */
export async function loadOptions(
  values: LoadValues,
  given: ReadonlySet<string>,
  folder: string,
): Promise<LoadOptions> {
  const { workers, redis, yes, journeysFrom, listJourneys, dashboard, otlp, ...more } = values;
  const { quiet, verbose, json, ...rest } = more;
  const wanted = values.journeys.flat();
  const names = wanted.map(({ id }) => id);
  const isAlone = values.processes === 1;
  const told = isAlone ? new Set([...given].filter((flag) => flag !== '--processes')) : given;
  refuseProblems([...wrongCombinations(told), ...wrongNames(values, names)]);
  const known = wanted.length === 0 && journeysFrom === null ? [] : await readJourneys(journeysFrom, folder);
  const processes = verbose ? 1 : values.processes;
  return { ...rest, processes, journeys: chosen(wanted, known), workers: workersOf(values) };
}

type Wanted = LoadValues['journeys'][number][number];
export function chosen(wanted: readonly Wanted[], known: readonly Journey[]): LoadOptions['journeys'] {
  const where = '--journeys';
  return wanted.map(({ id, weight }, index) => {
    const journey = known.find((one) => one.id === id);
    const twice = wanted.findIndex((one) => one.id === id) < index;
    if (journey && !twice) return { journey, weight: weight ?? journey.weight ?? 1 };
    const ids = known.map((one) => one.id);
    const got = twice ? `${id} twice` : `${id}${suggest(id, ids)}`;
    throw problemsError([{ where, fault: `expected ${ids.join(', ')}, each once; got ${got}` }]);
  });
}

/** Two courses for one journey, and thresholds on journeys that are not sent. */
function wrongNames(
  { stages, thresholds, capacity }: LoadValues,
  chosen: readonly string[],
): readonly Problem[] {
  const courses = stages.map(({ journey }) => journey);
  const isTwice = new Set(courses).size < courses.length;
  const unsent = [...thresholds, ...(capacity ?? [])].filter(
    ({ scope }) => scope?.startsWith('journey.') === true && !chosen.includes(scope.slice('journey.'.length)),
  );
  return [
    ...(isTwice
      ? [{ where: '--stages for the same journey', fault: 'expected one of the two; got both' }]
      : []),
    ...unsent.map(({ text }) => ({
      where: thresholds.some((one) => one.text === text) ? '--threshold' : '--find-capacity',
      fault: `expected ${chosen.length === 0 ? 'no journey, since --journeys names none' : `a journey that --journeys names (${chosen.join(', ')})`}; got ${text}`,
    })),
  ];
}

/** Options of a load that contradict each other, pair by pair. */
const excluding: Readonly<Record<string, readonly string[]>> = {
  '--stages': ['--rate', '--duration'],
  '--find-capacity': ['--stages', '--workers', '--within-limits', '--saturate', '--duration', '--warm-up'],
  '--saturate': ['--stages', '--journeys', '--rate', '--within-limits', '--workers'],
  '--journeys': ['--workers'],
  '--verbose': ['--workers', '--saturate', '--processes', '--quiet'],
  '--tenants': ['--tenants-from'],
};

/** Options that do nothing without one of others. */
const needing: Readonly<Record<string, readonly string[]>> = {
  '--trial': ['--find-capacity'],
  '--connections': ['--saturate'],
  '--redis': ['--workers'],
  '--on-429': ['--journeys'],
  '--sink-manner': ['--journeys'],
  '--journeys-from': ['--journeys'],
};

/** What is wrong with the options that a command line gives: what contradicts another, and what would do nothing. */
export function wrongCombinations(given: ReadonlySet<string>): readonly Problem[] {
  const pairs = Object.entries(excluding).flatMap(([one, others]) =>
    others.filter((other) => given.has(one) && given.has(other)).map((other) => `${one}, ${other}`),
  );
  const idle = Object.entries(needing).filter(
    ([one, others]) => given.has(one) && !others.some((other) => given.has(other)),
  );
  return [
    ...pairs.map((where) => ({ where, fault: 'expected one of the two; got both' })),
    ...idle.map(([where, others]) => ({
      where,
      fault: `expected ${others.join(' or ')} as well, since it does nothing alone; got ${where} alone`,
    })),
  ];
}
