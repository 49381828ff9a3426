import type { Level } from '../../catalogue/row.ts';

export type VerdictStatus = 'pass' | 'fail' | 'warn' | 'observed' | 'skipped' | 'inconclusive';

/** What a run established about one requirement or by one check. */
export type Verdict =
  | { readonly status: 'pass'; readonly samples: number }
  | { readonly status: 'fail'; readonly samples: number; readonly reason: string }
  | { readonly status: 'warn'; readonly samples: number; readonly reason: string }
  | { readonly status: 'observed'; readonly samples: number; readonly value: string }
  | { readonly status: 'skipped'; readonly samples: 0; readonly reason: string }
  | { readonly status: 'inconclusive'; readonly samples: number; readonly reason: string };

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
 * The heaviest of what was said of one requirement; null of nothing. Of a must, a warning is a violation that did not come
 * back: it says less than a check that is still undecided.
 */
export function heaviest(level: Level, said: readonly VerdictStatus[]): VerdictStatus | null {
  const doubts = level === 'must' ? (['inconclusive', 'warn'] as const) : (['warn', 'inconclusive'] as const);
  const order = ['fail', ...doubts, 'observed', 'pass', 'skipped'] as const;
  return order.find((status) => said.includes(status)) ?? null;
}
