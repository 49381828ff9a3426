import type { Settings } from '../core/settings.ts';
import type { FullBudgets } from './budgets.ts';
import type { Capability } from './check.ts';
import type { SinkReach } from './sinkReach.ts';

/** How to supply a capability, as one sentence. */
export function hintFor(capability: Capability): string {
  if (capability.startsWith('state:')) return 'Name a state handler that offers it with --state-handler.';
  return hints[capability as keyof typeof hints];
}

const hints: Readonly<Record<Exclude<Capability, `state:${string}`>, string>> = {
  'second-key':
    'Give two keys of one enterprise, comma-separated, in GATECHECK_KEYS_PRIMARY, or a state handler that offers keys.issue.',
  'other-enterprise':
    'Give a key of another enterprise in GATECHECK_KEYS_OTHER, or a state handler that offers enterprise.create.',
  'revoked-key': 'Give a revoked key in GATECHECK_KEY_REVOKED.',
  'disabled-key': 'Give a disabled key in GATECHECK_KEY_DISABLED.',
  'no-entitlement-key': 'Give a key without entitlement in GATECHECK_KEY_NO_ENTITLEMENT.',
  'suspended-key': 'Give a key with a suspended entitlement in GATECHECK_KEY_SUSPENDED.',
  'exhausted-key': 'Give a key with used-up quota in GATECHECK_KEY_EXHAUSTED.',
  writes: 'Leave out --read-only.',
  quota: 'Grant quota units with --max-quota N.',
  subscriptions: 'Grant subscriptions, which cannot be undone, with --max-subscriptions N.',
  'known-flight': 'Name flights that the target serves as flights in the config.',
  sink: 'Make the callback sink reachable with --sink-public-url.',
  'public-sink':
    'Give the callback sink a public HTTPS address with --sink-public-url, or a state handler that offers callbacks.route.',
  'raw-http': 'Use a target that is reached over a socket.',
  'real-time':
    'Use --profile full, or a state handler that offers enterprise.create, and whose clock.advance moves rate-limits and callbacks.',
  watch: 'Follow real subscriptions for a while with --watch 30m.',
  'fillable-limits':
    'It fills a limit: leave out --share, where others use the keys as well, and give no limits that are too large for a run.',
  'limit-minute':
    'Use gatecheck limits or --profile full, or a state handler that offers clock.advance and enterprise.create.',
  'limit-hour': 'Use --profile full, or a state handler that offers clock.advance and enterprise.create.',
};

/** What capabilities depend on about the keys of a run. */
interface KeysAtHand {
  readonly primary: readonly unknown[];
  readonly other: readonly unknown[];
  special(name: 'revoked' | 'disabled' | 'noEntitlement' | 'suspended' | 'exhausted'): unknown;
}

/** What a run has in addition to its settings. */
export interface AtHand {
  /** States that the state handler offers. */
  readonly states: readonly string[];
  readonly keys: KeysAtHand;
  readonly reach: SinkReach;
  /** The user wants to test the limits and waits for a few one-minute windows. */
  readonly waitsForLimits?: boolean;
}

/** What a run can do with these settings. */
export function capabilitiesOf(
  settings: Settings,
  budgets: FullBudgets,
  { states, keys, reach, waitsForLimits = false }: AtHand,
): ReadonlySet<Capability> {
  const isFull = settings.profile === 'full';
  const makesEnterprises = states.includes('enterprise.create');
  const movesLimits = makesEnterprises && states.includes('clock.advance');
  const present: Readonly<Partial<Record<Capability, boolean>>> = {
    'second-key': keys.primary.length > 1 || states.includes('keys.issue') || makesEnterprises,
    'other-enterprise': keys.other.length > 0 || makesEnterprises,
    'revoked-key': keys.special('revoked') !== null,
    'disabled-key': keys.special('disabled') !== null,
    'no-entitlement-key': keys.special('noEntitlement') !== null,
    'suspended-key': keys.special('suspended') !== null,
    'exhausted-key': keys.special('exhausted') !== null,
    writes: !settings.readOnly,
    quota: !settings.readOnly && budgets.maxQuota > 0,
    subscriptions: !settings.readOnly && budgets.maxSubscriptions > 0,
    'known-flight': true,
    sink: reach.webcheckin,
    'public-sink': reach['flight-alerts'],
    'raw-http': true,
    'real-time': isFull,
    watch: settings.watchMs !== null,
    'fillable-limits': settings.share === 1 && isFillable(settings.limits),
    'limit-minute': settings.share === 1 && (movesLimits || isFull || waitsForLimits),
    'limit-hour': settings.share === 1 && (movesLimits || isFull),
  };
  const named = Object.entries(present).flatMap(([name, there]) => (there ? [name as Capability] : []));
  return new Set<Capability>([...named, ...states.map((state) => `state:${state}` as const)]);
}

/** Whether the state handler resets the rate limits, so that nothing has to wait for them. */
export function makesRoom(capabilities: ReadonlySet<Capability>): boolean {
  return makesKeys(capabilities) || capabilities.has('state:clock.advance');
}

/** Whether the state handler makes further keys, each with limits of its own. */
export function makesKeys(capabilities: ReadonlySet<Capability>): boolean {
  return capabilities.has('state:keys.issue') || capabilities.has('state:enterprise.create');
}

/** Checks that fill a window send as many requests as it allows. */
function isFillable({ perMinute, perHour }: Settings['limits']): boolean {
  return perMinute <= 300 && perHour <= 5000;
}
