import { attempt } from '../../src/engine/attempt/attempt.ts';
import type { AttemptResult } from '../../src/engine/attempt/attemptResult.ts';
import type { CheckContext } from '../../src/engine/attempt/context.ts';
import { attemptOptions, checkOf, type AttemptSketch } from './engine.ts';

/** Runs a check of this function once. */
export function attemptAt(
  run: (t: CheckContext) => Promise<void>,
  sketch: AttemptSketch = {},
): Promise<AttemptResult> {
  return attempt(attemptOptions(checkOf(run), sketch));
}

/** How often each requirement was judged. */
export function samplesOf({ samples }: AttemptResult): Record<string, number> {
  return Object.fromEntries(samples);
}

/** Why cases stayed undecided. */
export function causesOf({ unclear: all }: AttemptResult): readonly string[] {
  return all.map(({ cause }) => cause);
}
