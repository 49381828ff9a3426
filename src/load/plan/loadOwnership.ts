import { usageError } from '../../core/errors.ts';
import type { Settings } from '../../core/settings.ts';
import { ownershipOf } from '../../plan/budgets.ts';
import { isWrite } from './mix.ts';
import type { LoadOptions } from './loadOptions.ts';

/** Whether a remote deployment may be loaded beyond its documented limits: only if the user says to own that very host. */
function isOwned({ ownedHost }: Pick<LoadOptions, 'ownedHost'>, settings: Settings): boolean {
  return ownershipOf(settings) !== 'foreign' || hostsOf(settings).every((host) => host === ownedHost);
}

export function refuseForeignHost(options: LoadOptions, settings: Settings): void {
  const { ownedHost, saturate } = options;
  const hosts = hostsOf(settings);
  if (ownedHost !== null && hosts.length > 0 && !hosts.includes(ownedHost)) {
    throw usageError(
      'NOT_OWNED',
      `--i-own-this-target: expected the host of the target, ${hosts.join(' or ')}; got ${ownedHost}. Nothing was sent.`,
    );
  }
  if (saturate && !isOwned(options, settings)) throw notOwned(settings, '--saturate goes beyond any limit');
}

export function isBeyond(options: LoadOptions, settings: Settings, most: number): boolean {
  const { ratePerSecond, withinLimits } = options;
  if (ratePerSecond === null) return false;
  if (ratePerSecond <= most) return !withinLimits && isOwned(options, settings);
  if (withinLimits) {
    throw usageError(
      'BEYOND_LIMITS',
      `--rate: expected at most ${most.toFixed(2)}/s, which is what the keys allow within the limits; got ${ratePerSecond}/s.`,
      'Leave out --rate to take the most that is allowed, use more keys, or leave out --within-limits.',
    );
  }
  if (!isOwned(options, settings))
    throw notOwned(settings, `${ratePerSecond}/s is more than the ${most.toFixed(2)}/s that the keys allow`);
  return true;
}

/** A search exceeds any limit, and how much it sends is unknown: only reads, and only to a deployment of one's own. */
export function refuseSearch(options: LoadOptions, settings: Settings): true {
  if (!isOwned(options, settings)) throw notOwned(settings, '--find-capacity goes beyond any limit');
  const write = options.mix?.find(({ operation }) => isWrite(operation));
  const what = options.journeys.length > 0 ? 'journeys' : write?.operation;
  if (what === undefined) return true;
  throw usageError(
    'CAPACITY',
    `--find-capacity: expected reads only, since the number of requests is not known in advance; got ${what}.`,
  );
}

function notOwned(settings: Settings, why: string) {
  const [host = ''] = hostsOf(settings);
  return usageError(
    'NOT_OWNED',
    `Expected a load within the documented limits, since the target is not on this machine; ${why}. Nothing was sent.`,
    `Use --within-limits, or say --i-own-this-target ${host} if it is yours to load.`,
  );
}

export function hostsOf({ target, apis }: Settings): readonly string[] {
  if (target.kind !== 'url') return [];
  return [...new Set(apis.map((api) => new URL(target.baseUrls[api]).hostname))];
}
