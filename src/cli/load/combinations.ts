import type { Problem } from '../../settings/problem.ts';

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
