import type { ParsedConfig } from './schema.ts';
import type { Environment } from '../../core/io.ts';
import { defined, type Layer, type TargetInput } from '../settingsInput.ts';
import { FieldReader } from '../problem.ts';
import type { Resolving } from './resolving.ts';
import { valueOf } from '../environment.ts';
import { parsePath } from '../values/path.ts';
import { containerOf } from './container.ts';
import { parseSecretHeader } from '../values/header.ts';
import { httpOf } from './http.ts';
import type { Api } from '../../core/operations.ts';
import { parseApiKey, parseApiKeys } from '../values/apiKey.ts';

/** Where a config was read, as error messages name it, and where its relative paths count from. */
export interface ConfigPlace {
  readonly name: string;
  readonly folder: string;
}

/** Turns a validated config into a layer of settings: secrets from the environment, paths from the file's folder. */
export function resolveConfig(config: ParsedConfig, { name, folder }: ConfigPlace, env: Environment): Layer {
  const reader = new FieldReader();
  const at = (field: string) => `${name}: ${field}`;
  const secret: Resolving['secret'] = (field, variable, parse) => {
    if (variable === undefined) return undefined;
    const text = valueOf(env, variable);
    if (text !== undefined) return reader.read(`${at(field)} (from ${variable})`, text, parse);
    reader.refuse(at(field), `expected the environment variable ${variable} to be set; it is unset or empty`);
    return undefined;
  };
  const resolving = { reader, at, secret };
  const path = (field: string, text: string | undefined) => reader.read(at(field), text, parsePath(folder));
  const { budgets = {}, sink = {}, stateHandler } = config;
  const input = {
    ...defined({
      target: targetOf(config, resolving),
      apis: config.apis,
      profile: config.profile,
      seed: config.seed,
      only: config.only,
      readOnly: config.readOnly,
      require: config.require,
      minMust: config.minMust,
      reportDir: path('reportDir', config.reportDir),
      baseline: path('baseline', config.baseline),
      strict: config.strict,
      flights: config.flights,
      openPoints: config.openPoints,
      container: containerOf(config, resolving, folder),
    }),
    budgets: defined({
      maxRequests: budgets.maxRequests,
      maxQuota: budgets.maxQuota,
      maxSubscriptions: budgets.maxSubscriptions,
      maxDurationMs: budgets.maxDuration,
    }),
    stateHandler: defined({
      url: stateHandler?.url,
      auth: secret('stateHandler.auth', stateHandler?.auth, parseSecretHeader),
    }),
    sink: defined({
      listen: sink.listen,
      publicUrl: sink.publicUrl,
      certFile: path('sink.cert', sink.cert),
      keyFile: path('sink.key', sink.key),
    }),
    keys: keysOf(config, resolving),
    itineraries: defined(config.itineraries ?? {}),
    limits: defined(config.limits ?? {}),
    http: httpOf(config, resolving, folder),
  };
  return { input, problems: reader.problems };
}

function targetOf(config: ParsedConfig, { reader, at }: Resolving): TargetInput | undefined {
  const { target } = config;
  const image = typeof config.image === 'string' ? config.image : config.image?.reference;
  const baseUrls: Partial<Record<Api, string>> = defined(config.baseUrls ?? {});
  const hosts = Object.keys(baseUrls).length > 0;
  if (image !== undefined && (target !== undefined || hosts)) {
    reader.refuse(at('image'), 'expected either an image or a target; got both');
    return undefined;
  }
  if (image !== undefined) return { kind: 'image', reference: image };
  if (!hosts) return target;
  return { kind: 'url', url: target?.kind === 'url' ? target.url : null, baseUrls };
}

function keysOf({ keys = {} }: ParsedConfig, { secret }: Resolving) {
  const several = (field: string, names: string | readonly string[] | undefined) =>
    names === undefined
      ? undefined
      : [names].flat().flatMap((name) => secret(`keys.${field}`, name, parseApiKeys) ?? []);
  const one = (field: 'revoked' | 'disabled' | 'noEntitlement' | 'suspended' | 'exhausted') =>
    secret(`keys.${field}`, keys[field], parseApiKey);
  return defined({
    primary: several('primary', keys.primary),
    other: several('other', keys.other),
    revoked: one('revoked'),
    disabled: one('disabled'),
    noEntitlement: one('noEntitlement'),
    suspended: one('suspended'),
    exhausted: one('exhausted'),
  });
}
