import type { Exchange } from '../../src/core/evidence.ts';
import { objectOf } from '../../src/judge/kernel/body.ts';
import { reasonMember } from '../../src/spec/rules/rejectionReasons.ts';

/** Which member carries the reason of a rejection: a variant of the open point on its name. */
export function reasonVariant(exchange: Exchange): 'reason' | 'message' | 'details' {
  const member = reasonMember(objectOf(exchange) ?? {});
  if (member === 'reason') return 'reason';
  return member === null ? 'message' : 'details';
}
