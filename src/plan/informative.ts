import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../catalogue/packageRoot.ts';

/**
 * The file of checks that run with one key and without a state handler, ordered by how much they find per request; `npm run
 * order` writes it.
 */
export function informativeFile(): string {
  return join(packageRoot(), 'fixtures', 'informative.txt');
}

let own: ReadonlyMap<string, number> | undefined;

function places(): ReadonlyMap<string, number> {
  own ??= new Map(
    readFileSync(informativeFile(), 'utf8')
      .split('\n')
      .map((id, index) => [id, index]),
  );
  return own;
}

/** The position of a check in that order; infinite if it is not listed. Read only once. */
export function informativeRank(check: string): number {
  return places().get(check) ?? Number.POSITIVE_INFINITY;
}

/** Weight of a check that is not listed; the first one has 1. */
const leastWeight = 0.1;

/** The weight of a check by its position; the first one has 1. */
export function informativeWeight(check: string): number {
  return Math.max(leastWeight, 1 - informativeRank(check) / places().size);
}

/** Checks that come before all others; they send about sixty requests. */
const headLength = 30;

export function isInformative(check: string): boolean {
  return informativeRank(check) < headLength;
}

/** Compares by that order; checks that are not listed stay in place, at the end. */
export function byInformative(one: string, other: string): number {
  const [a, b] = [informativeRank(one), informativeRank(other)];
  return a === b ? 0 : a - b;
}
