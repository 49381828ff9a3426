import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../catalogue/packageRoot.ts';

/** The checks that one key can run without a state handler, those first that find most for a request; `npm run order` writes it. */
export function tellingFile(): string {
  return join(packageRoot(), 'fixtures', 'telling.txt');
}

let own: ReadonlyMap<string, number> | undefined;

/** The place of a check among them; infinite for those that it does not hold. Read once. */
export function tellingRank(check: string): number {
  own ??= new Map(
    readFileSync(tellingFile(), 'utf8')
      .split('\n')
      .map((id, index) => [id, index]),
  );
  return own.get(check) ?? Number.POSITIVE_INFINITY;
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
