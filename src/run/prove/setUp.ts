import type { Sink } from '../../receive/sink.ts';
import { KeyRing, specialKeys } from '../../send/keyRing.ts';
import { noStateHandler, type StateHandler } from '../../target/stateHandler.ts';
import type { Target } from '../../target/target.ts';

/** What a user has in hand besides the address of a deployment. */
interface Means {
  /** Number of active keys of the first enterprise, and of another one. */
  readonly keys: { readonly primary: number; readonly other: number };
  /** Whether there are keys that are revoked, suspended and so on. */
  readonly special: boolean;
  readonly handler: 'all' | 'events' | 'none';
  /** Which callbacks can arrive: Flight Alerts requires a public HTTPS name, which a sink on this machine does not have. */
  readonly callbacks: 'all' | 'webcheckin' | 'none';
}

const every = { primary: Infinity, other: Infinity };
const some = { primary: 8, other: 2 };

const rows = {
  embedded: { keys: every, special: true, handler: 'all', callbacks: 'all' },
  'one-key': { keys: { primary: 1, other: 0 }, special: false, handler: 'none', callbacks: 'webcheckin' },
  production: { keys: { primary: 1, other: 1 }, special: false, handler: 'none', callbacks: 'none' },
  'three-keys': { keys: { primary: 3, other: 1 }, special: true, handler: 'none', callbacks: 'all' },
  'two-keys-and-handler': {
    keys: { primary: 2, other: 1 },
    special: false,
    handler: 'all',
    callbacks: 'all',
  },
  'events-only': { keys: some, special: true, handler: 'events', callbacks: 'all' },
  'no-callbacks': { keys: some, special: true, handler: 'all', callbacks: 'none' },
} as const satisfies Readonly<Record<string, Means>>;

export type SetUp = keyof typeof rows;

export const setUps = Object.keys(rows) as readonly SetUp[];

/** The target as a user with this set-up has it. */
export function targetFor(setUp: SetUp, target: Target): Target {
  const { keys, special, handler }: Means = rows[setUp];
  return {
    ...target,
    keys: keysOf(target.keys, keys, special),
    stateHandler: handlerOf(target.stateHandler, handler),
  };
}

/** The sink as a user with this set-up has it; null where nothing can arrive. */
export function sinkFor(setUp: SetUp, sink: Sink): Sink | null {
  const { callbacks }: Means = rows[setUp];
  if (callbacks === 'none') return null;
  return callbacks === 'all' ? sink : { ...sink, urls: { ...sink.urls, 'flight-alerts': null } };
}

/** A handler that offers fewer states, as other deployments do. */
export function withoutStates(handler: StateHandler, hidden: readonly string[]): StateHandler {
  return {
    ...handler,
    states: handler.states.filter((state) => !hidden.includes(state)),
    offers: (state) => !hidden.includes(state) && handler.offers(state),
  };
}

function keysOf(ring: KeyRing, { primary, other }: Means['keys'], isSpecial: boolean): KeyRing {
  const first = (keys: KeyRing['primary'], count: number) => keys.slice(0, count).map(({ value }) => value);
  return KeyRing.of({
    primary: first(ring.primary, primary),
    other: first(ring.other, other),
    special: Object.fromEntries(
      specialKeys.map((name) => [name, isSpecial ? (ring.special(name)?.value ?? null) : null]),
    ),
  });
}

function handlerOf(handler: StateHandler, offered: Means['handler']): StateHandler {
  if (offered === 'none') return noStateHandler;
  if (offered === 'all') return handler;
  return withoutStates(
    handler,
    handler.states.filter((state) => /^(clock|enterprise|keys)\./.test(state)),
  );
}
