import type { ContainerSettings, TargetSettings } from '../core/settings.ts';
import type { SettingsInput } from './settingsInput.ts';

/** The target with an address for both APIs: one that is not named has the other's, and conflicts tell if it is used. */
export function resolveTarget(given: SettingsInput): TargetSettings {
  const { target } = given;
  switch (target?.kind) {
    case undefined:
    case 'embedded':
      return { kind: 'embedded' };
    case 'image':
      return { ...target, container: containerOf(given) };
    case 'url': {
      const { url, baseUrls } = target;
      const webcheckin = baseUrls.webcheckin ?? url ?? baseUrls['flight-alerts'] ?? '';
      const flightAlerts = baseUrls['flight-alerts'] ?? url ?? webcheckin;
      return { kind: 'url', baseUrls: { webcheckin, 'flight-alerts': flightAlerts } };
    }
  }
}

/** The header for the state handler may come from the environment, also where the container holds the handler. */
function containerOf({ container = defaultContainer, stateHandler }: SettingsInput): ContainerSettings {
  const own = container.stateHandler;
  return {
    ...container,
    stateHandler: own && { ...own, auth: stateHandler?.auth ?? own.auth },
  };
}

export const defaultPort = 8080;
export const defaultStartupTimeoutMs = 60_000;

/** What `--image` means without a config file. */
const defaultContainer: ContainerSettings = {
  environment: {},
  command: null,
  port: defaultPort,
  waitFor: { kind: 'http', port: defaultPort, path: '/', status: null },
  startupTimeoutMs: defaultStartupTimeoutMs,
  files: [],
  secrets: [],
  networks: [],
  dependencies: [],
  stateHandler: null,
  pull: 'missing',
};
