import type { VerdictStatus } from '../judge/kernel/verdict.ts';

/** The name of a verdict in counts, and its mark. */
interface StatusText {
  readonly mark: string;
  /** The member of the summary that counts it. */
  readonly count: 'passed' | 'failed' | 'warned' | 'observed' | 'notApplicable' | 'skipped' | 'inconclusive';
  readonly words: string;
}

/** Texts by verdict. */
export const statusTexts: Readonly<Record<VerdictStatus, StatusText>> = {
  pass: { mark: '✓', count: 'passed', words: 'passed' },
  fail: { mark: '✗', count: 'failed', words: 'failed' },
  warn: { mark: '!', count: 'warned', words: 'warned' },
  observed: { mark: '○', count: 'observed', words: 'observed' },
  'not-applicable': { mark: '·', count: 'notApplicable', words: 'not applicable' },
  skipped: { mark: '–', count: 'skipped', words: 'skipped' },
  inconclusive: { mark: '?', count: 'inconclusive', words: 'inconclusive' },
};
