import { problemsError, refuseProblems } from '../../settings/problem.ts';
import type { LoadOptions } from '../../load/loadOptions.ts';
import { suggest } from '../../core/suggest.ts';
import { loadJourneys } from '../../engine/journeyFiles.ts';
import type { ValuesOf } from '../../settings/row.ts';
import type { loadTable } from './table.ts';
import { workersOf } from './workers.ts';
import type { Journey } from '../../load/journeys/journey.ts';

type LoadValues = ValuesOf<typeof loadTable>;

/** The options of a load; throws one usage error for contradictions. */
export async function loadOptions(values: LoadValues, folder: string): Promise<LoadOptions> {
  const { workers, redis, yes, journeysFrom, listJourneys, dashboard, otlp, ...more } = values;
  const { quiet, verbose, json, ...rest } = more;
  refuseProblems(
    contradictions(values).map((where) => ({ where, fault: 'expected one of the two; got both' })),
  );
  const wanted = values.journeys.flat();
  const known = wanted.length === 0 && journeysFrom === null ? [] : await loadJourneys(journeysFrom, folder);
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

export function contradictions(values: LoadValues): readonly string[] {
  const { saturate, ratePerSecond, withinLimits, workers, stages: given, journeys, capacity } = values;
  const shaped = given.length > 0 && ratePerSecond !== null ? ['--stages, --rate'] : [];
  const twice = new Set(given.map(({ journey }) => journey)).size < given.length;
  const searches = {
    '--stages': given.length > 0,
    '--workers': workers !== null,
    '--within-limits': withinLimits,
    '--saturate': saturate,
  };
  const searched = Object.entries(searches).flatMap(([flag, isGiven]) =>
    capacity !== null && isGiven ? [`--find-capacity, ${flag}`] : [],
  );
  const afar = journeys.length > 0 && workers !== null ? ['--journeys, --workers'] : [];
  const unseen = {
    '--workers': workers !== null,
    '--saturate': saturate,
    '--processes': (values.processes ?? 1) > 1,
    '--quiet': values.quiet,
  };
  const silent = Object.entries(unseen).flatMap(([flag, isGiven]) =>
    values.verbose && isGiven ? [`--verbose, ${flag}`] : [],
  );
  if (!saturate)
    return [...shaped, ...searched, ...afar, ...silent, ...(twice ? ['--stages for the same journey'] : [])];
  return [
    ...shaped,
    ...searched,
    ...silent,
    ...(given.length > 0 ? ['--saturate, --stages'] : []),
    ...(journeys.length > 0 ? ['--saturate, --journeys'] : []),
    ...(ratePerSecond === null ? [] : ['--saturate, --rate']),
    ...(withinLimits ? ['--saturate, --within-limits'] : []),
    ...(workers === null ? [] : ['--saturate, --workers']),
  ];
}
