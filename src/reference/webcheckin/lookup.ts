import type { Enterprise } from '../shared/keys.ts';
import { notFound, Refusal } from '../shared/refusal.ts';
import type { Reading, WebCheckinPolicy } from './policy.ts';
import type { Attempt } from './records.ts';

/** The attempt if the enterprise may see it; a missing and a foreign record are refused alike (What the service does 2). */
export function visible(
  attempt: Attempt | undefined,
  enterprise: Enterprise,
  reading: Reading,
  policy: WebCheckinPolicy,
): Attempt {
  if (attempt && policy.sees(attempt, enterprise, reading)) return attempt;
  if (attempt && policy.foreignRecord === 'forbidden') {
    throw new Refusal(403, 'FORBIDDEN', 'This check-in request belongs to another enterprise.');
  }
  throw notFound('No such check-in request.');
}
