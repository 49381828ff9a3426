import * as z from 'zod';
import type { Parts } from '../parts.ts';
import type { Enterprise, KeyState } from '../shared/keys.ts';
import { randomToken } from '../shared/tokens.ts';
import { defineState, keyOf, keyText, wholeNumber, type State } from './state.ts';

const keyCount = z.int().min(1).max(10_000);
const onlyKey = z.strictObject({ key: keyText });

/** States of enterprises, their keys and entitlements. */
export const enterpriseStates: Readonly<Record<string, State>> = {
  'enterprise.create': defineState(
    z.strictObject({ included_units: wholeNumber, keys: keyCount }),
    ({ included_units, keys }, parts) => {
      const entitlement = { status: 'active', included_units, consumed_units: 0 } as const;
      return { keys: issue(parts.keys.found('created', entitlement), keys, parts) };
    },
  ),
  'keys.issue': defineState(z.strictObject({ key: keyText, count: keyCount }), ({ key, count }, parts) => ({
    keys: issue(keyOf(key, parts).enterprise, count, parts),
  })),
  'keys.revoke': defineState(onlyKey, ({ key }, parts) => bar(key, 'revoked', parts)),
  'keys.disable': defineState(onlyKey, ({ key }, parts) => bar(key, 'disabled', parts)),
  'entitlement.set': defineState(
    z.strictObject({
      key: keyText,
      status: z.enum(['active', 'suspended', 'none']),
      included_units: wholeNumber,
      consumed_units: wholeNumber,
    }),
    ({ key, ...entitlement }, parts) => {
      Object.assign(keyOf(key, parts).enterprise.entitlement, entitlement);
      return {};
    },
  ),
  'entitlement.get': defineState(onlyKey, ({ key }, parts) => ({
    ...keyOf(key, parts).enterprise.entitlement,
  })),
};

function issue(enterprise: Enterprise, count: number, { keys, random }: Parts): readonly string[] {
  const values = Array.from({ length: count }, () => `gk_test_${randomToken(random, 32)}`);
  for (const value of values) keys.issue(enterprise, value);
  return values;
}

function bar(key: string, state: KeyState, parts: Parts): Record<string, never> {
  const record = keyOf(key, parts);
  record.state = state;
  record.changedAt = parts.clock.now();
  const { policy, attempts } = parts.webCheckin;
  if (state === 'revoked' && policy.revocationTakes !== 'the key')
    attempts.dropMadeWith(key, policy.revocationTakes);
  return {};
}
