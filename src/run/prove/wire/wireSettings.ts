import { z } from 'zod';
import { matches } from '../../../catalogue/pattern.ts';
import { suggest } from '../../../core/suggest.ts';
import { whole, words } from '../../../settings/forms.ts';
import { problemsError } from '../../../settings/problem.ts';
import { row } from '../../../settings/row.ts';
import { variations } from '../../../wire/variations.ts';
import type { SetUp } from '../setUp.ts';

/** The options of `prove --wire`. */
export const wireTable = {
  wire: row({
    form: z.boolean(),
    default: false,
    flag: '--wire',
    help: 'prove the checks by changing the traffic: variations must not matter, mutants must be noticed',
  }),
  variation: row({
    form: z.array(words),
    default: [],
    flag: '--variation <pattern>',
    help: 'with --wire: variations with these ids, * allowed',
    usual: 'all of them; with --mutant none',
  }),
  rounds: row({
    form: whole(1),
    default: 1,
    flag: '--rounds <n>',
    help: 'with --wire: seeds that each variation is drawn from',
  }),
  mutant: row({
    form: z.array(words),
    default: [],
    flag: '--mutant <pattern>',
    help: 'with --wire: mutants with these ids, * allowed',
    usual: 'all of them; with --variation none',
  }),
  sample: row({
    form: whole(1),
    default: null,
    flag: '--sample <n>',
    help: 'with --wire: how many of the mutants to try, drawn by the seed',
    usual: 'all of them; with --target 60',
    example: 300,
  }),
  leastScore: row({
    form: whole(1),
    default: 97,
    flag: '--least-score <n>',
    help: 'with --wire: percentage of the mutants that must be noticed, not counting accepted ones',
  }),
};

/** What a proof of the wire covers. */
export interface WireSettings {
  readonly seed: number;
  readonly threads: number | null;
  /** Patterns of variations; empty for all. */
  readonly variation: readonly string[];
  /** Number of seeds for each variation. */
  readonly rounds: number;
  /** Patterns of mutants; empty for all, or for none if only variations were requested. */
  readonly mutant: readonly string[];
  /** Number of mutants; null for all. */
  readonly sample: number | null;
  /** Percentage of them that has to be noticed. */
  readonly leastScore: number;
  /** What the user has in hand behind variations; null for all that the embedded target offers. */
  readonly setUp: SetUp | null;
}

/** The settings of a proof; throws one usage error for patterns that match nothing. */
export function wireProofOf({
  seed,
  threads,
  variation,
  rounds,
  mutant,
  sample,
  leastScore,
  setUp,
}: WireSettings): WireSettings {
  const ids = variations.map(({ id }) => id);
  const stray = variation.filter((pattern) => !ids.some((id) => matches(pattern, id)));
  if (stray.length > 0) {
    throw problemsError(
      stray.map((pattern) => ({
        where: '--variation',
        fault: `no variation has an id like ${pattern}${suggest(pattern, ids)}`,
      })),
    );
  }
  return { seed, threads, variation, rounds, mutant, sample, leastScore, setUp };
}
