import type { Caller } from '../shared/call.ts';
import { notFound, Refusal } from '../shared/refusal.ts';
import type { WebCheckinPolicy } from './policy.ts';
import type { Owner, Reading } from './policyTerms.ts';
import type { Attempt } from './records.ts';

/** The attempt if the enterprise may see it; a missing and a foreign record are refused alike (What the service does 2). */
export function visible(
  attempt: Attempt | undefined,
  reader: Owner,
  reading: Reading,
  policy: WebCheckinPolicy,
): Attempt {
  if (attempt && policy.sees(attempt, reader, reading)) return attempt;
  const answer = attempt ? policy.foreignRecord(reading) : 'missing';
  if (answer === 'forbidden') {
    throw new Refusal(403, 'FORBIDDEN', 'This check-in request belongs to another enterprise.');
  }
  if (answer === 'told') throw notFound('This check-in request is not yours.');
  throw notFound('No such check-in request.');
}

/** The caller as the reader or maker of records. */
export function ownerOf({ enterprise, key }: Caller): Owner {
  return { enterprise, apiKey: key.value };
}
