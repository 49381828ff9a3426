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
    help: 'prove that the checks raise no false alarm: judge behind variations of the traffic that must not matter',
  }),
  variation: row({
    form: z.array(words),
    default: [],
    flag: '--variation <pattern>',
    help: 'with --wire: variations with these ids, * allowed',
    usual: 'all of them',
  }),
  rounds: row({
    form: whole(1),
    default: 1,
    flag: '--rounds <n>',
    help: 'with --wire: seeds that each variation is drawn from',
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
  /** What the user has in hand behind variations; null for all that the embedded target offers. */
  readonly setUp: SetUp | null;
}

/** The settings of a proof; throws one usage error for patterns that match nothing. */
export function wireProofOf({ seed, threads, variation, rounds, setUp }: WireSettings): WireSettings {
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
  return { seed, threads, variation, rounds, setUp };
}
