import { createRandom, deriveSeed } from '../core/random.ts';
import type { EnterpriseSeed } from './shared/keys.ts';
import { randomToken } from './shared/tokens.ts';

export type { EnterpriseSeed } from './shared/keys.ts';

/** Keys of the default enterprises by what they are good for. */
export interface DefaultKeys {
  readonly primary: readonly string[];
  readonly other: readonly string[];
  readonly revoked: string;
  readonly disabled: string;
  readonly noEntitlement: string;
  readonly suspended: string;
  readonly exhausted: string;
}

interface DefaultEnterprises {
  readonly enterprises: readonly EnterpriseSeed[];
  readonly keys: DefaultKeys;
}

const ample = { status: 'active', included_units: 100_000, consumed_units: 0 } as const;

/** What a deployment holds without settings of its own: `acme` (64 keys), `globex` (16 keys) and one of each hindered kind. */
export function defaultEnterprises(seed: number): DefaultEnterprises {
  const keys = drawKeys(createRandom(deriveSeed(seed, 'api-keys')));
  return {
    keys,
    enterprises: [
      {
        name: 'acme',
        keys: keys.primary,
        revokedKeys: [keys.revoked],
        disabledKeys: [keys.disabled],
        entitlement: ample,
      },
      { name: 'globex', keys: keys.other, entitlement: ample },
      {
        name: 'initech',
        keys: [keys.noEntitlement],
        entitlement: { ...ample, status: 'none', included_units: 0 },
      },
      { name: 'umbrella', keys: [keys.suspended], entitlement: { ...ample, status: 'suspended' } },
      {
        name: 'hooli',
        keys: [keys.exhausted],
        entitlement: { status: 'active', included_units: 5, consumed_units: 5 },
      },
    ],
  };
}

function drawKeys(random: () => number): DefaultKeys {
  const draw = () => `gk_live_${randomToken(random, 32)}`;
  return {
    primary: Array.from({ length: 64 }, draw),
    other: Array.from({ length: 16 }, draw),
    revoked: draw(),
    disabled: draw(),
    noEntitlement: draw(),
    suspended: draw(),
    exhausted: draw(),
  };
}
