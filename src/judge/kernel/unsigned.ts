import type { Delivery } from '../../core/evidence.ts';
import { holds, violated, type Judgement } from './judgement.ts';
import { deliveredObject } from '../../trace/delivered.ts';
import * as is from '../../spec/kernel/value.ts';

/** Only headers with such names are signatures: tracing headers and user agents are not. */
const signature = /signature|hmac/i;

/** Whether a delivery carries no signature, neither as a header nor in its body. */
export function isUnsigned(delivery: Delivery): Judgement {
  const header = delivery.headers.find(([name]) => signature.test(name));
  if (header)
    return violated('header', { at: `header ${header[0]}`, want: is.absent, got: is.value(header[1]) });
  const member = Object.keys(deliveredObject(delivery) ?? {}).find((name) => signature.test(name));
  if (member === undefined) return holds;
  return violated('body', {
    at: member,
    want: is.absent,
    got: is.value(deliveredObject(delivery)?.[member]),
  });
}
