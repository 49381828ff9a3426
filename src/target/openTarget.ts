import type { Clock } from '../core/clock.ts';
import { usageError } from '../core/errors.ts';
import type { Settings } from '../core/settings.ts';
import type { KeyRing } from '../send/keyRing.ts';
import { embeddedKeys, openEmbeddedTarget } from './embedded.ts';
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

/** Makes the deployment that the settings name ready to be judged. */
export function openTarget(settings: Settings, clock: Clock): Promise<Target> {
  switch (settings.target.kind) {
    case 'embedded':
      return openEmbeddedTarget({ settings, clock });
    case 'url':
      return openUrlTarget(settings, clock);
    case 'image':
      throw usageError(
        'IMAGE_TARGET',
        'Container images as targets are not supported yet.',
        'Start the image yourself and name its address with --target.',
      );
  }
}

/** The keys that a run will have: those of the settings, or the embedded reference's own. */
export function assumedKeys(settings: Settings): KeyRing {
  return settings.target.kind === 'embedded' ? embeddedKeys(settings.seed) : keyRingOf(settings);
}

/** The states that a plan may count on without asking: all of them where there is a state handler. */
export function assumedStates(settings: Settings): readonly string[] {
  return settings.target.kind === 'embedded' || settings.stateHandler !== null ? protocolStates : [];
}
