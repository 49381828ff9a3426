import type { Judgement } from '../../../src/judge/kernel/judgement.ts';
import { wordsOf } from '../../../src/spec/wording/words.ts';

/** A judgement with what people read of it. */
export function inWords<T extends Judgement | null | undefined>(judgement: T): object | T {
  return judgement?.status === 'violated' ? { ...judgement, ...wordsOf(judgement) } : judgement;
}
