import { z } from 'zod';
import { share, words } from '../forms.ts';
import { row } from '../row.ts';

/** What a run must have judged; otherwise it exits with 1. */
export const demandRows = {
  require: row({
    form: z.array(words),
    default: [],
    flag: '--require <capability>',
    help: 'exit 1 unless the target has this capability',
    example: ['second-key'],
  }),
  minMust: row({
    form: share,
    default: null,
    flag: '--min-must <percent>',
    help: 'exit 1 unless this share of the must-requirements was judged, such as 80%',
    example: '80%',
  }),
};
