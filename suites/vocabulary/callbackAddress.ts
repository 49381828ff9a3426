import type { Delivery } from '../../src/core/evidence.ts';
import { addressFault } from '../../src/spec/rules/deliveries.ts';
import { judgementOf, type Judgement } from '../../src/judge/kernel/judgement.ts';

/** Whether a delivery went to one of these addresses, as it was registered, path and query included. */
export function isAtAddress(delivery: Delivery, registered: readonly string[]): Judgement {
  return judgementOf(addressFault(delivery, registered));
}
