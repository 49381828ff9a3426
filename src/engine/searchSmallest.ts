import fc from 'fast-check';
import type { Violation } from '../judge/kernel/sample.ts';
import type { FailedCase } from './attemptResult.ts';
import type { PropertyBounds } from './propertyBounds.ts';

/** What a case broke, without its name and value. */
export type Failure = Omit<FailedCase, 'name' | 'generated'>;

/** How a property is generated. */
export type Generation<T> = fc.Parameters<[T]> & { readonly seed: number };

interface Search<T> {
  readonly arbitrary: fc.Arbitrary<T>;
  readonly parameters: Generation<T>;
  readonly bounds: PropertyBounds;
  /** Runs one case; resolves to what it broke, or null. */
  readonly runCase: (value: T, isShrinking: boolean) => Promise<Failure | null>;
}

/** What a property came to. */
interface Found {
  /** The smallest failure that was found; null without one. */
  readonly failed: Omit<FailedCase, 'name'> | null;
  /** An interrupt, a budget or an error of the harness: no counterexample, but the end of the property. */
  readonly stopped: Error | null;
}

/** Runs a property and shrinks its first failure. Never rejects. */
export async function searchSmallest<T>(search: Search<T>): Promise<Found> {
  const { arbitrary, parameters, bounds, runCase } = search;
  let smallest: Failure | null = null;
  let stopped: Error | null = null;
  const predicate = async (value: T): Promise<boolean> => {
    if (stopped !== null || !bounds.admits()) return true;
    try {
      const failure = await runCase(value, smallest !== null);
      if (!failure || !isAbout(smallest?.violations, failure)) return true;
      if (!smallest) bounds.beginShrinking();
      smallest = failure;
      return false;
    } catch (error) {
      stopped = error instanceof Error ? error : new Error(String(error));
      return true;
    }
  };
  const details = await fc.check(fc.asyncProperty(arbitrary, predicate), parameters);
  return { failed: failedOf(smallest, details), stopped };
}

function failedOf<T>(failure: Failure | null, details: fc.RunDetails<[T]>): Found['failed'] {
  if (!failure || !details.counterexample) return null;
  const { counterexample, counterexamplePath: path, seed } = details;
  const [value] = counterexample;
  return { generated: { value, seed, path, text: fc.stringify(value) }, ...failure };
}

/** Shrinking stays with the rules that the first failure broke, so that a smaller failure is about the same thing. */
function isAbout(earlier: readonly Violation[] | undefined, { violations }: Failure): boolean {
  const broken = earlier?.map(({ requirement }) => requirement);
  return broken === undefined || violations.some(({ requirement }) => broken.includes(requirement));
}
