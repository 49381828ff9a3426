import { type AnswerAbout, type Exchange, type Judgement, indistinguishable } from '../checks.ts';

/** Asks again about a foreign and about a missing record. */
interface AskedAgain {
  readonly foreign: () => Promise<AnswerAbout>;
  readonly missing: () => Promise<AnswerAbout>;
}

/** Enough repetitions that even a one-bit value is not the same by coincidence. */
const repeats = 3;

/**
 * Whether a foreign record is answered like a missing one. What differs between the first two answers may differ between any
 * two, like a request number: only in that case both are requested again, in alternating order, since two nodes may take turns.
 */
export async function judgeAlike(
  foreign: AnswerAbout,
  missing: AnswerAbout,
  again: AskedAgain,
): Promise<{ readonly evidence: readonly Exchange[]; readonly judgement: Judgement }> {
  const [mine, theirs] = [[foreign], [missing]];
  if (indistinguishable(mine, theirs).status === 'violated') {
    for (let turn = 0; turn < repeats; turn += 1) {
      if (turn % 2 === 1) mine.push(await again.foreign());
      theirs.push(await again.missing());
      if (turn % 2 === 0) mine.push(await again.foreign());
    }
  }
  return { evidence: [...mine, ...theirs].map(({ x }) => x), judgement: indistinguishable(mine, theirs) };
}
