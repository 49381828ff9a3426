import { type AnswerAbout, type Exchange, type Judgement, indistinguishable } from '../checks.ts';

/** Asks once more about a foreign and about a missing record. */
interface AskedAgain {
  readonly foreign: () => Promise<AnswerAbout>;
  readonly missing: () => Promise<AnswerAbout>;
}

/** So often that a value of one bit is not the same by chance. */
const repeats = 3;

/**
 * Whether a foreign record is answered like a missing one. What differs between the first two answers may differ between
 * any two, as the number of a request does: only then both are asked for again, now the one first and now the other, since
 * two nodes may take turns.
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
