import type { Level } from '../../catalogue/row.ts';

/** The heaviest first, for judgements and verdicts alike: broken, undecided, observed, kept, not applicable. */
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

/** The one place where the level of a requirement decides the weight of a violation. */
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
 * What a violation in a case of a check counts as once the case was repeated: undecided if it could not be repeated, a warning if it
 * did not show again.
 */
export function countsAs(
  level: Level,
  { shown, tries }: { readonly shown: number; readonly tries: number },
): 'fail' | 'warn' | 'observed' | 'inconclusive' {
  const severity = severityOf(level);
  if (severity === 'observed') return severity;
  if (tries === 1) return 'inconclusive';
  return shown > 1 ? severity : 'warn';
}

/**
 * Whether a verdict on a requirement of this level says that it was broken, and blocks a release or warns accordingly: a
 * must that only warns did not fail again when it was repeated, so the gate lets it pass.
 */
export function isBroken({ level, status }: { readonly level: Level; readonly status: string }): boolean {
  return status === 'fail' || (status === 'warn' && severityOf(level) === 'warn');
}

/**
 * The heaviest of several judgements or verdicts, the first of equal ones; undefined if there is none. What breaks
 * a requirement of the given level outweighs an undecided one. For a should that is a warning; a warning for a must is a violation that
 * was not repeated, which says less than a check that is still undecided.
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
