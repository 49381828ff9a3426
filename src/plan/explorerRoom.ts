import { pacedLimits, type Settings } from '../core/settings.ts';
import { makesRoom } from './capabilities.ts';
import type { Capability } from './check.ts';
import type { Plan } from './plan.ts';

/** What the explorer may spend once the checks of a plan are done. */
export interface ExplorerRoom {
  readonly requests: number;
  readonly units: number;
  /** Milliseconds that it may wait for what a deployment does later. */
  readonly waitMs: number;
}

/** With `auto` it takes at most this share of what the checks take, and where keys have to be waited for, a minute of their pace. */
const usual = { share: 0.2, waitMs: 60_000 };
/** Fewer requests than this show next to nothing that the checks do not. */
const fewest = 20;
/** A unit for every second request is more than enough. */
const unitShare = 0.5;

/** How much the explorer adds to a plan, within what the budgets leave; null where it is left out. */
export function explorerRoom(
  plan: Pick<Plan, 'total' | 'budgets' | 'keys'>,
  settings: Settings,
  capabilities: ReadonlySet<Capability>,
): ExplorerRoom | null {
  if (!isWanted(settings) || !capabilities.has('writes') || !capabilities.has('quota')) return null;
  const { total, budgets } = plan;
  const isAuto = settings.explore === 'auto';
  const paced = makesRoom(capabilities)
    ? Number.POSITIVE_INFINITY
    : plan.keys * pacedLimits(settings).perMinute;
  const most =
    typeof settings.explore === 'number' ? settings.explore : Math.min(total.requests * usual.share, paced);
  const requests = Math.floor(Math.min(most, budgets.maxRequests - total.requests));
  const granted = isAuto ? budgets.maxQuota * usual.share : budgets.maxQuota;
  const units = Math.floor(Math.min(requests * unitShare, granted, budgets.maxQuota - total.quota));
  if (requests < Math.min(fewest, most) || units < 2) return null;
  return { requests, units, waitMs: isAuto ? usual.waitMs : Math.max(usual.waitMs, requests * 1000) };
}

/** A selection, a minute's run and a shard leave it out, unless it is asked for. */
function isWanted({ explore, apis, profile, only, shard }: Settings): boolean {
  if (explore === 'off' || !apis.includes('webcheckin') || (shard !== null && shard.index > 1)) return false;
  return explore !== 'auto' || (profile !== 'smoke' && only.length === 0);
}
