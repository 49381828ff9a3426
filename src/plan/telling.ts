import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../catalogue/packageRoot.ts';

/** The checks that one key can run without a state handler, those first that find most for a request; `npm run order` writes it. */
export function tellingFile(): string {
  return join(packageRoot(), 'fixtures', 'telling.txt');
}

let own: ReadonlyMap<string, number> | undefined;

function places(): ReadonlyMap<string, number> {
  own ??= new Map(
    readFileSync(tellingFile(), 'utf8')
      .split('\n')
      .map((id, index) => [id, index]),
  );
  return own;
}

/** The place of a check among them; infinite for those that it does not hold. Read once. */
export function tellingRank(check: string): number {
  return places().get(check) ?? Number.POSITIVE_INFINITY;
}

/** What a check that the order does not hold is worth beside its first. */
const leastWeight = 0.1;

/** What a check is worth beside the most telling one, which has 1. */
export function tellingWeight(check: string): number {
  return Math.max(leastWeight, 1 - tellingRank(check) / places().size);
}

/** Checks that come before all others; they send about sixty requests. */
const headLength = 30;

export function isTelling(check: string): boolean {
  return tellingRank(check) < headLength;
}

/** Sorts by it; those that the order does not hold stay as they are, behind. */
export function byTelling(one: string, other: string): number {
  const [a, b] = [tellingRank(one), tellingRank(other)];
  return a === b ? 0 : a - b;
}
