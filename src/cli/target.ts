import type { TargetSettings } from '../core/settings.ts';
import type { TargetInput } from './settingsInput.ts';

/** The target with an address for both APIs: one that is not named has the other's, and conflicts tell if it is used. */
export function resolveTarget(input: TargetInput | undefined): TargetSettings {
  if (input?.kind !== 'url') return input ?? { kind: 'embedded' };
  const { url, baseUrls } = input;
  const webcheckin = baseUrls.webcheckin ?? url ?? baseUrls['flight-alerts'] ?? '';
  const flightAlerts = baseUrls['flight-alerts'] ?? url ?? webcheckin;
  return { kind: 'url', baseUrls: { webcheckin, 'flight-alerts': flightAlerts } };
}
