import type { Api } from '../core/operations.ts';
import { pacedLimits, type Settings } from '../core/settings.ts';
import { makesRoom } from './capabilities.ts';
import type { Capability } from './check.ts';
import type { Plan } from './plan.ts';

/** What the explorer may spend on an API once the checks of a plan are done. */
export interface ExplorerRoom {
  readonly api: Api;
  readonly requests: number;
  /** Of web check-in. */
  readonly units: number;
  readonly subscriptions: number;
  /** Milliseconds that it may wait for what a deployment does later. */
  readonly waitMs: number;
}

/** With `auto` it takes at most this share of what the checks take, and where keys have to be waited for, a minute of their pace. */
const usual = { share: 0.2, waitMs: 60_000 };
/** Fewer requests than this show next to nothing that the checks do not. */
const fewest = 20;

const needs = { webcheckin: 'quota', 'flight-alerts': 'subscriptions' } as const satisfies Record<
  Api,
  Capability
>;

/** How much the explorer adds to a plan for each API, within what the budgets leave; nothing where it is left out. */
export function explorerRooms(
  plan: Pick<Plan, 'total' | 'budgets' | 'keys'>,
  settings: Settings,
  capabilities: ReadonlySet<Capability>,
): readonly ExplorerRoom[] {
  if (!isWanted(settings) || !capabilities.has('writes')) return [];
  const { total, budgets } = plan;
  const isAuto = settings.explore === 'auto';
  const apis = settings.apis.filter((api) => capabilities.has(needs[api]));
  const most = mostRequests(plan, settings, capabilities) / apis.length;
  const requests = Math.floor(Math.min(most, (budgets.maxRequests - total.requests) / apis.length));
  if (requests < Math.min(fewest, most)) return [];
  const roomIn = (budget: number, taken: number) =>
    Math.floor(Math.min(isAuto ? budget * usual.share : budget, budget - taken));
  const granted = {
    webcheckin: { units: roomIn(budgets.maxQuota, total.quota), subscriptions: 0 },
    'flight-alerts': { units: 0, subscriptions: roomIn(budgets.maxSubscriptions, total.subscriptions) },
  };
  const waitMs = isAuto ? usual.waitMs : Math.max(usual.waitMs, requests * 1000);
  return apis
    .map((api) => ({ api, requests, ...granted[api], waitMs }))
    .filter(({ units, subscriptions }) => units + subscriptions >= 2);
}

function mostRequests(
  { keys, total }: Pick<Plan, 'keys' | 'total'>,
  settings: Settings,
  capabilities: ReadonlySet<Capability>,
): number {
  if (typeof settings.explore === 'number') return settings.explore;
  const share = total.requests * usual.share;
  return makesRoom(capabilities) ? share : Math.min(share, keys * pacedLimits(settings).perMinute);
}

/** A selection, a minute's run and a shard leave it out, unless it is asked for. */
function isWanted({ explore, profile, only, shard }: Settings): boolean {
  if (explore === 'off' || (shard !== null && shard.index > 1)) return false;
  return explore !== 'auto' || (profile !== 'smoke' && only.length === 0);
}
