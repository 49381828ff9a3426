import * as is from '../../src/spec/kernel/value.ts';
import type { Exchange } from '../../src/core/evidence.ts';
import { objectOf, type Json } from '../../src/judge/kernel/body.ts';
import { holds, unclear, type Judgement, differs } from '../../src/judge/kernel/judgement.ts';

/** Members of every rejection, which contain no reason. */
const frame: ReadonlySet<string> = new Set(['success', 'error', 'message']);

/** A rejection that says why: in `reason`, in a message that is more than the code, or in any other member. */
export function namesReason(exchange: Exchange): Judgement {
  const body = objectOf(exchange);
  if (!body) return unclear(`${exchange.id} has no JSON object`);
  const { message, error } = body;
  const speaks = isFilled(message) && ![plain(error), 'rejected'].includes(plain(message));
  if (speaks || reasonMember(exchange) !== null) return holds;
  return differs('reason', 'body', is.pattern('an object with a reason'), is.value({ error, message }));
}

/** Which member carries the reason: a variant of the open point on its name. */
export function reasonVariant(exchange: Exchange): 'reason' | 'message' | 'details' {
  const member = reasonMember(exchange);
  if (member === 'reason') return 'reason';
  return member === null ? 'message' : 'details';
}

/** The letters of a text: `Rejected.` says the same as the code REJECTED. */
function plain(text: Json | undefined): string {
  return typeof text === 'string' ? text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '') : '';
}

function reasonMember(exchange: Exchange): string | null {
  const body = objectOf(exchange) ?? {};
  if (isFilled(body.reason)) return 'reason';
  const others = Object.entries(body).filter(
    ([name]) => !frame.has(name) && /reason|detail|cause|error|code/i.test(name),
  );
  return others.find(([, value]) => isFilled(value))?.[0] ?? null;
}

function isFilled(value: Json | undefined): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}
