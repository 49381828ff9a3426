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
 * Whether a verdict on a requirement of this level says that it was broken, and holds a release back or warns as it has to: a
 * must that merely warns did not show again when it was tried again, so that the gate lets it pass.
 */
export function isBroken({ level, status }: { readonly level: Level; readonly status: string }): boolean {
  return status === 'fail' || (status === 'warn' && severityOf(level) === 'warn');
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
