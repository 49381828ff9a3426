import { CaseUnclear, CheckSkipped } from '../checks.ts';

/** What a preparation comes to; null where it stays unclear or lacks something, and the check can do without. */
export async function unlessUnclear<T>(prepared: Promise<T>): Promise<T | null> {
  return prepared.catch((error: unknown) => {
    if (error instanceof CaseUnclear || error instanceof CheckSkipped) return null;
    throw error;
  });
}
