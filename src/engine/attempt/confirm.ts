import type { Violation } from '../../judge/kernel/sample.ts';
import type { AttemptResult, FailedCase } from './attemptResult.ts';

/** A violation in a case of an active check, and how often it showed again. */
export interface Confirmation {
  readonly failed: FailedCase;
  readonly violation: Violation;
  /** In how many of the tries it showed, including the first. */
  readonly shown: number;
  readonly tries: number;
  /** What kept the case from being repeated; null if nothing known did. */
  readonly hindrance: string | null;
}

interface Repeating {
  readonly run: (only: readonly FailedCase[]) => Promise<AttemptResult>;
  /** Whether any broken rule of a case confirms the others, as in a check whose rows are symptoms of one thing. */
  readonly isOneThing: boolean;
}

/**
 * Runs each failed case again with fresh data, and once more if it did not fail again. A rule that both repetitions find broken,
 * and the first run did not come to, has shown as often as it must.
 */
export async function confirm(
  { failed }: AttemptResult,
  { run, isOneThing }: Repeating,
): Promise<readonly Confirmation[]> {
  if (failed.length === 0) return [];
  const showsAgain: Comparison = (one, { requirement }, again) =>
    again.failed.some(
      ({ name, violations }) =>
        name === one.name && (isOneThing || violations.some((other) => other.requirement === requirement)),
    );
  const second = await run(failed);
  const open = failed.filter(
    (one) => !one.violations.every((violation) => showsAgain(one, violation, second)),
  );
  const repeats = open.length > 0 ? [second, await run(open)] : [second];
  const hindrance = repeats.map(hindranceOf).find((cause) => cause !== null) ?? null;
  const repeated = failed.flatMap((one) =>
    one.violations.map((violation) => {
      const again = repeats.filter((repeat) => showsAgain(one, violation, repeat)).length;
      const not = repeats.filter((repeat) => isDecided(one, repeat) && !showsAgain(one, violation, repeat));
      return { failed: one, violation, shown: 1 + again, tries: 1 + again + not.length, hindrance };
    }),
  );
  return [...repeated, ...shownInBoth(failed, repeats)];
}

/** What both repetitions of a case broke, and not the case itself: it may have ended before. */
function shownInBoth(
  failed: readonly FailedCase[],
  [second, third]: readonly AttemptResult[],
): readonly Confirmation[] {
  if (!second || !third) return [];
  const breaks = (cases: readonly FailedCase[], name: string, requirement: string) =>
    cases.some(
      (one) => one.name === name && one.violations.some((other) => other.requirement === requirement),
    );
  return second.failed.flatMap((one) =>
    one.violations
      .filter(
        ({ requirement }) =>
          !breaks(failed, one.name, requirement) && breaks(third.failed, one.name, requirement),
      )
      .map((violation) => ({ failed: one, violation, shown: 2, tries: 3, hindrance: null })),
  );
}

/** Whether a repeated case shows a violation again. */
type Comparison = (failed: FailedCase, violation: Violation, again: AttemptResult) => boolean;

function isDecided(failed: FailedCase, { held, failed: again }: AttemptResult): boolean {
  return held.has(failed.name) || again.some(({ name }) => name === failed.name);
}

function hindranceOf({ cutShort, unclear }: AttemptResult): string | null {
  return cutShort?.reason ?? unclear[0]?.cause ?? null;
}
