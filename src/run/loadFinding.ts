import type { Finding, StoredCase } from '../engine/findings/finding.ts';
import { whyNotAgain } from './resentRequests.ts';

/** Whether a finding comes from a load: the oracles saw it among many requests, not a check in a case of its own. */
export function isOfLoad({ check }: Finding): boolean {
  return check === 'load';
}

/** Why nothing can be sent again for a finding of a load; null if something can. */
export function whyNotResent(finding: Finding): string | null {
  const { steps = [], deliveries = [] } = (finding.case ?? {}) as Partial<StoredCase>;
  if (finding.case === undefined) return 'it takes as many requests as fill the limit';
  if (deliveries.length > 0) return 'it takes callbacks, which come only while the load is sent';
  if (steps.length === 0) return 'no single request shows it';
  return steps.map(whyNotAgain).find((why) => why !== null) ?? null;
}

/** What is left for a finding that no sequence shows. */
export function sendLoadAgain({ reproduce }: Finding): string {
  return `send the load again: ${reproduce.command}`;
}
