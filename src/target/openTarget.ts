import type { Clock } from '../core/clock.ts';
import { importing } from '../core/optionalPackage.ts';
import type { Settings } from '../core/settings.ts';
import type { KeyRing } from '../send/keyRing.ts';
import { embeddedKeys, openEmbeddedTarget } from './embedded.ts';
import { queryStates } from './stateHandler.ts';
import type { Target } from './target.ts';
import { keyRingOf, openUrlTarget } from './url.ts';

/** The states of the protocol. */
export const protocolStates = [
  'capabilities',
  'clock.advance',
  'enterprise.create',
  'keys.issue',
  'keys.revoke',
  'keys.disable',
  'entitlement.set',
  'entitlement.get',
  'automation.set',
  'checkin.progress',
  'checkin.rejectResume',
  'flights.put',
  'flights.change',
  'provider.fail',
  'callbacks.route',
  'callbacks.pending',
  'reset',
] as const;

/** What opening a target may need besides the settings. */
export interface OpenOptions {
  /** Aborts what takes long. */
  readonly signal?: AbortSignal;
  /** Tells the user what takes time, or failed on the way. */
  readonly notice?: (text: string) => void;
}

/** Opens the deployment that the settings name, ready to be judged. */
export async function openTarget(
  settings: Settings,
  clock: Clock,
  { signal = new AbortController().signal, notice = () => undefined }: OpenOptions = {},
): Promise<Target> {
  switch (settings.target.kind) {
    case 'embedded':
      return openEmbeddedTarget({ settings, clock });
    case 'url':
      return openUrlTarget(settings, clock, notice);
    case 'image': {
      // The engine's client is large, and only this kind of target needs it.
      const { openImageTarget } = await importing('a container image as target', () => import('./image.ts'));
      return openImageTarget({ settings, clock, signal, notice });
    }
  }
}

/** The keys that a run will have: those of the settings, or the embedded reference's own. */
export function assumedKeys(settings: Settings): KeyRing {
  return settings.target.kind === 'embedded' ? embeddedKeys(settings.seed) : keyRingOf(settings);
}

/** The states that a plan may assume without asking: all of them if there is a state handler that may set them. */
export function assumedStates(settings: Settings): readonly string[] {
  const { target, stateHandler } = settings;
  const isThere =
    target.kind === 'embedded' ||
    stateHandler !== null ||
    (target.kind === 'image' && target.container.stateHandler !== null);
  if (!isThere) return [];
  // What a run makes for itself alone it may change as well.
  const isTold = target.kind === 'url' && settings.readOnly;
  return isTold ? protocolStates.filter((state) => queryStates.has(state)) : protocolStates;
}
