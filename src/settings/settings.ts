import { randomInt } from 'node:crypto';
import { apis } from '../core/operations.ts';
import type { KeySettings, Settings } from '../core/settings.ts';
import { conflicts } from './conflicts.ts';
import { problemsError } from './problem.ts';
import type { Layer, SettingsInput } from './settingsInput.ts';
import { resolveTarget } from './target.ts';
import { unassignedAirline } from '../generate/kit/places.ts';
import { largestSeed } from './values/number.ts';

/**
 * Merges the three sources, command line over environment over file, and fills every default.
 * Throws one usage error that names all that is wrong.
 */
export function normalizeSettings(
  options: Layer,
  environment: Layer,
  config: Layer,
  randomSeed: () => number = () => randomInt(largestSeed),
): Settings {
  const layers = [config, environment, options];
  const unread = layers.flatMap(({ problems }) => problems);
  if (unread.length > 0) throw problemsError(unread);
  const input = merge(layers.map((layer) => layer.input));
  const settings = withDefaults(input, randomSeed);
  const found = conflicts(settings, input);
  if (found.length > 0) throw problemsError(found);
  return settings;
}

function merge(inputs: readonly SettingsInput[]): SettingsInput {
  const group = <K extends keyof SettingsInput>(name: K): SettingsInput[K] =>
    Object.assign({}, ...inputs.map((input) => input[name])) as SettingsInput[K];
  const flat = Object.assign({}, ...inputs) as SettingsInput;
  return {
    ...flat,
    budgets: group('budgets') ?? {},
    sink: group('sink') ?? {},
    keys: group('keys') ?? {},
    itineraries: group('itineraries') ?? {},
    limits: group('limits') ?? {},
    http: group('http') ?? {},
    stateHandler: group('stateHandler') ?? {},
  };
}

const noKeys: KeySettings = {
  primary: [],
  other: [],
  revoked: null,
  disabled: null,
  noEntitlement: null,
  suspended: null,
  exhausted: null,
};

/** A table of every default, and so longer than other functions. */
function withDefaults(input: SettingsInput, randomSeed: () => number): Settings {
  const { stateHandler = {} } = input;
  const target = resolveTarget(input);
  return {
    target,
    apis: input.apis ?? apis,
    profile: input.profile ?? 'standard',
    seed: input.seed ?? randomSeed(),
    only: input.only ?? [],
    budgets: {
      maxRequests: null,
      maxQuota: null,
      maxSubscriptions: null,
      maxDurationMs: null,
      ...input.budgets,
    },
    readOnly: input.readOnly ?? false,
    require: input.require ?? [],
    minMust: input.minMust ?? null,
    stateHandler:
      stateHandler.url === undefined ? null : { url: stateHandler.url, auth: stateHandler.auth ?? null },
    sink: {
      listen: { host: '127.0.0.1', port: 0 },
      publicUrl: null,
      certFile: null,
      keyFile: null,
      ...input.sink,
    },
    watchMs: input.watchMs ?? null,
    reportDir: input.reportDir ?? null,
    baseline: input.baseline ?? null,
    strict: input.strict ?? false,
    shard: input.shard ?? null,
    keys: { ...noKeys, ...input.keys },
    itineraries: {
      domestic: null,
      international: null,
      twoLeg: null,
      // Ours supports none that has no airline; of another deployment nobody knows but the user.
      unsupportedAirline: target.kind === 'embedded' ? unassignedAirline.iata : null,
      ...input.itineraries,
    },
    flights: input.flights ?? [],
    limits: { perMinute: 60, perHour: 1000, ...input.limits },
    openPoints: input.openPoints ?? {},
    http: {
      connectTimeoutMs: 10_000,
      responseTimeoutMs: 30_000,
      maxBodyBytes: 4 * 1024 * 1024,
      proxy: null,
      extraCa: null,
      headers: {},
      ...input.http,
    },
  };
}
