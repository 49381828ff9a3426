import type { CheckOutcome, FindingDraft } from '../engine/outcome.ts';
import type { ShownFinding, ShownOutcome } from './bridge.ts';

/** The outcome of a check as its test shows it. */
export function shownOutcome({ status, reason, contributions, findings }: CheckOutcome): ShownOutcome {
  return {
    status,
    reason,
    findings: findings.flatMap(shownFinding),
    requirements: contributions.map(
      (one) => `${one.requirement} ${one.status}${one.samples > 0 ? ` (${one.samples})` : ''}`,
    ),
  };
}

function shownFinding(draft: FindingDraft): readonly ShownFinding[] {
  const { requirement, severity, message, expected, actual, counterexample, confirmed, curl } = draft;
  if (severity === 'observed') return [];
  return [{ requirement, severity, message, expected, actual, counterexample, confirmed, curl }];
}
