import type { Level } from '../../catalogue/row.ts';

/** What weighs more stands first, for judgements and verdicts alike: broken, in doubt, seen, kept, without an occasion. */
const order = [
  'violated',
  'fail',
  'unclear',
  'inconclusive',
  'warn',
  'observed',
  'holds',
  'pass',
  'not-applicable',
  'skipped',
] as const;

/** The one place where the level of a requirement decides how heavy a violation weighs. */
export function severityOf(level: Level): 'fail' | 'warn' | 'observed' {
  switch (level) {
    case 'must':
      return 'fail';
    case 'should':
      return 'warn';
    case 'may':
    case 'open':
    case 'consumer':
      return 'observed';
  }
}

/**
 * The heaviest of several judgements or verdicts, the first of those that weigh the same; undefined of none. What breaks
 * a requirement of the given level outweighs a doubt. So a warning does for a should; of a must it is a violation that
 * did not come back, which says less than a check that is still undecided.
 */
export function heaviestOf<T extends { readonly status: (typeof order)[number] }>(
  all: readonly T[],
  level: Level = 'must',
): T | undefined {
  const ranks: readonly string[] = ['violated', 'fail', severityOf(level), ...order];
  const rankOf = ({ status }: T) => ranks.indexOf(status);
  const [first, ...rest] = all;
  return rest.reduce((heaviest, one) => {
    return heaviest === undefined || rankOf(one) < rankOf(heaviest) ? one : heaviest;
  }, first);
}
