import type { Violation } from '../judge/kernel/sample.ts';
import type { AttemptResult, FailedCase } from './attemptResult.ts';

/** A violation in a case of an active check, and how often the case showed it again. */
export interface Confirmation {
  readonly failed: FailedCase;
  readonly violation: Violation;
  /** In how many of the tries it showed, the first one included. */
  readonly shown: number;
  readonly tries: number;
  /** What kept the case from being tried again; null where nothing that is known did. */
  readonly hindrance: string | null;
}

/** Runs each failed case again with fresh data, and once more what did not show again. */
export async function confirm(
  { failed }: AttemptResult,
  run: (only: readonly FailedCase[]) => Promise<AttemptResult>,
): Promise<readonly Confirmation[]> {
  if (failed.length === 0) return [];
  const second = await run(failed);
  const open = failed.filter(
    (one) => !one.violations.every((violation) => showsAgain(one, violation, second)),
  );
  const repeats = open.length > 0 ? [second, await run(open)] : [second];
  return failed.flatMap((one) => one.violations.map((violation) => confirmationOf(one, violation, repeats)));
}

function confirmationOf(
  failed: FailedCase,
  violation: Violation,
  repeats: readonly AttemptResult[],
): Confirmation {
  const again = repeats.filter((repeat) => showsAgain(failed, violation, repeat)).length;
  const not = repeats.filter(
    (repeat) => isDecided(failed, repeat) && !showsAgain(failed, violation, repeat),
  ).length;
  const hindrance = repeats.map(hindranceOf).find((cause) => cause !== null) ?? null;
  return { failed, violation, shown: 1 + again, tries: 1 + again + not, hindrance };
}

function isDecided(failed: FailedCase, { held, failed: again }: AttemptResult): boolean {
  return held.has(failed.name) || again.some(({ name }) => name === failed.name);
}

function showsAgain(failed: FailedCase, violation: Violation, again: AttemptResult): boolean {
  return again.failed.some(
    (one) =>
      one.name === failed.name &&
      one.violations.some(({ requirement }) => requirement === violation.requirement),
  );
}

function hindranceOf({ cutShort, unclear }: AttemptResult): string | null {
  return cutShort?.reason ?? unclear[0]?.cause ?? null;
}
