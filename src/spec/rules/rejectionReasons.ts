import { isObject, type Json, type JsonObject } from '../../trace/body.ts';
import type { Call } from '../../trace/call.ts';
import { isMissing } from '../grammar/form.ts';
import { only, type Blame } from '../kernel/blame.ts';
import * as is from '../kernel/value.ts';
import { isRejection } from './journeys.ts';

/** Members of every rejection, which contain no reason. */
const frame: ReadonlySet<string> = new Set(['success', 'error', 'message']);

/** A rejection says why: in `reason`, in a message that is more than the code, or in any other member. */
export function judgeReason(call: Call, blame: Blame): void {
  const { answer, body, exchange } = call;
  // Without callbackData it can only be the journey that is rejected.
  if (!isRejection(call) || !isObject(answer) || !body || !isMissing(body.callbackData)) return;
  if (namesReason(answer)) {
    blame.show('WCI-JRN-013');
    return;
  }
  const { error = null, message = null } = answer;
  blame.accuse(only('WCI-JRN-013'), 'reason', {
    ...{ code: 'reason', at: 'body', want: is.pattern('an object with a reason') },
    ...{ got: is.value({ error, message }), because: [exchange] },
  });
}

export function namesReason(rejection: JsonObject): boolean {
  const { message, error } = rejection;
  const speaks = isFilled(message) && ![plain(error), 'rejected'].includes(plain(message));
  return speaks || reasonMember(rejection) !== null;
}

/** The member besides the message that gives a reason. */
export function reasonMember(rejection: JsonObject): string | null {
  if (isFilled(rejection.reason)) return 'reason';
  const others = Object.entries(rejection).filter(
    ([name]) => !frame.has(name) && /reason|detail|cause|error|code/i.test(name),
  );
  return others.find(([, value]) => isFilled(value))?.[0] ?? null;
}

/** The letters of a text: `Rejected.` says the same as the code REJECTED. */
function plain(text: Json | undefined): string {
  return typeof text === 'string' ? text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '') : '';
}

function isFilled(value: Json | undefined): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}
