import type { Finding } from '../engine/findings/finding.ts';
import type { VerdictStatus } from '../judge/kernel/verdict.ts';
import type { RequirementResult } from './result.ts';

/** What a requirement or a finding is in every report: its verdict, or `known` where the baseline lists it. */
export type State = VerdictStatus | 'known';

interface StateText {
  readonly mark: string;
  /** The word that follows a number. */
  readonly counted: string;
}

/** Every state has one mark and one word, its name, in all reports. */
export const stateTexts: Readonly<Record<State, StateText>> = {
  pass: { mark: '✓', counted: 'passed' },
  fail: { mark: '✗', counted: 'failed' },
  known: { mark: '=', counted: 'known' },
  warn: { mark: '!', counted: 'warned' },
  observed: { mark: '○', counted: 'observed' },
  'not-applicable': { mark: '·', counted: 'not applicable' },
  skipped: { mark: '–', counted: 'skipped' },
  inconclusive: { mark: '?', counted: 'inconclusive' },
};

/** In the order in which reports count them. */
export const states = Object.keys(stateTexts) as readonly State[];

/** The states of findings, in the order in which they are read. */
export const findingStates = ['fail', 'inconclusive', 'warn', 'known'] as const satisfies readonly State[];

export type FindingState = (typeof findingStates)[number];

/** `✗ fail` */
export function stateText(state: State): string {
  return `${stateTexts[state].mark} ${state}`;
}

/** The state of a requirement. */
export function stateOf({ verdict, baselined }: Pick<RequirementResult, 'verdict' | 'baselined'>): State {
  return baselined ? 'known' : verdict;
}

/** The state of a finding. */
export function findingState({
  baselined,
  severity = 'fail',
}: Pick<Finding, 'baselined' | 'severity'>): FindingState {
  return baselined === true ? 'known' : severity;
}

/** How many rows have each state, without those that none has. */
export function countStates(rows: readonly Pick<RequirementResult, 'verdict' | 'baselined'>[]) {
  const all = rows.map(stateOf);
  return states
    .map((state) => ({ state, count: all.filter((one) => one === state).length }))
    .filter(({ count }) => count > 0);
}

/** `389 passed · 2 failed`; empty if there are no rows. */
export function countsText(rows: Parameters<typeof countStates>[0]): string {
  return countStates(rows)
    .map(({ state, count }) => `${count} ${stateTexts[state].counted}`)
    .join(' · ');
}

/** The findings in the state of their requirement: what one check saw once is undecided where another one could not tell. */
export function inStateOfRows<T extends Finding>(
  findings: readonly T[],
  rows: readonly Pick<RequirementResult, 'id' | 'verdict'>[],
): T[] {
  const undecided = new Set(rows.filter(({ verdict }) => verdict === 'inconclusive').map(({ id }) => id));
  return findings.map((finding) =>
    finding.severity === 'warn' && undecided.has(finding.requirement)
      ? { ...finding, severity: 'inconclusive' }
      : finding,
  );
}

/** The requirements, those with findings with what somebody who repairs them wants to know. */
export function withAdvice(
  rows: readonly RequirementResult[],
  findings: readonly Pick<Finding, 'requirement'>[],
  { adviceOn }: { readonly adviceOn: (id: string) => NonNullable<RequirementResult['advice']> },
): RequirementResult[] {
  const broken = new Set(findings.map(({ requirement }) => requirement));
  return rows.map((row) => (broken.has(row.id) ? { ...row, advice: adviceOn(row.id) } : row));
}

/** The members of a summary, by verdict. */
const members = {
  pass: 'passed',
  fail: 'failed',
  warn: 'warned',
  observed: 'observed',
  'not-applicable': 'notApplicable',
  skipped: 'skipped',
  inconclusive: 'inconclusive',
} as const satisfies Record<VerdictStatus, string>;

/** How many rows have each verdict, under the names of the summary. */
export function countVerdicts(rows: readonly Pick<RequirementResult, 'verdict'>[]) {
  const counts = Object.entries(members).map(([status, member]) => [
    member,
    rows.filter(({ verdict }) => verdict === status).length,
  ]);
  return Object.fromEntries(counts) as Record<(typeof members)[VerdictStatus], number>;
}
