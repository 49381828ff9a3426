import { randomInt } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { Settings, KeySettings } from '../core/settings.ts';
import {
  withEarlier,
  type EarlierTarget,
  resolveTarget,
  targetProblems,
  namesTarget,
  unnamedHosts,
} from './target.ts';
import { largestSeed } from './forms.ts';
import { refuseProblems, type Problem } from './problem.ts';
import type { Layer } from './readText.ts';
import { fillIn, rowsOf, type GivenValues, type PlacedRow } from './row.ts';
import { settingsTable } from './table.ts';
import { isLoopback } from '../core/loopback.ts';
import { showUrl } from './addressForms.ts';
import { checkOptions } from '../core/knownOptions.ts';
import type { Environment } from '../core/io.ts';
import type { Config } from './configSchema.ts';
import { isInCi } from './environment.ts';
import { noConfig, readConfig } from './readConfig.ts';

/** The three sources of settings. */
interface Sources {
  readonly flags: Layer;
  readonly environment: Layer;
  readonly config: Layer;
  /** The target of an earlier run that the command names; by default none. */
  readonly earlier?: EarlierTarget | null;
  /** By default false. */
  readonly isInCi?: boolean;
  /** No target is needed; by default it is. */
  readonly sendsNothing?: boolean;
}

/**
 * Merges the sources, command line over environment over file, and fills in every default. Throws one usage error that lists all
 * problems.
 */
export function normalizeSettings(
  { flags, environment, config, earlier = null, isInCi = false, sendsNothing = false }: Sources,
  randomSeed: () => number = () => randomInt(largestSeed),
): Settings {
  const layers = [config, environment, flags];
  refuseProblems([
    ...layers.flatMap(({ problems }) => problems),
    ...targetProblems(flags.given, '--target, --image'),
    ...targetProblems(config.given, 'image'),
  ]);
  const given = Object.assign({}, ...layers.map((layer) => layer.given)) as Layer['given'];
  const { sources, problems } = withEarlier([flags.given, environment.given, config.given], earlier);
  refuseProblems(problems);
  const { target, image, baseUrls, ...values } = fillIn(settingsTable, given);
  const { url, auth } = values.stateHandler;
  const settings: Settings = {
    ...values,
    seed: values.seed ?? randomSeed(),
    target: resolveTarget(sources),
    stateHandler: url === null ? null : { url, auth },
  };
  const unnamed = sendsNothing ? [] : unnamedTarget(sources, isInCi);
  refuseProblems([...unnamed, ...conflicts(settings, sources)]);
  return settings;
}

/** How each source names a setting, in the order of the sources. */
const namesOf: readonly ((row: PlacedRow) => string | null | undefined)[] = [
  ({ flag }) => flag?.split(' ', 1)[0],
  ({ variable }) => variable,
  ({ field }) => field,
];

/**
 * Where no source names a target, the embedded reference is judged. That is a mistake where a setting is meant for another
 * deployment, and in CI, where nobody would notice it.
 */
function unnamedTarget(sources: readonly GivenValues[], isInCi: boolean): readonly Problem[] {
  if (sources.some(namesTarget)) return [];
  const meant = namesOf.flatMap((nameOf, index) =>
    ofDeployment
      .filter(({ path }) => path in (sources[index] ?? {}))
      .map((row) => ({ path: row.path, name: nameOf(row) ?? row.path })),
  );
  if (meant.length === 0 && !isInCi) return [];
  const names = meant.map(({ name }) => name);
  const what = meant.every(({ path }) => isKey(path)) ? 'keys' : 'settings';
  const why =
    names.length > 0 ? `a target for these ${what} (${names.join(', ')})` : 'a target, since CI is set';
  const fault = `expected ${why}, got none; for the embedded reference say --target embedded (or GATECHECK_TARGET=embedded)`;
  return [{ where: '--target', fault }];
}

/** What only makes sense for a deployment of one's own. */
const others = ['stateHandler.url', 'stateHandler.auth', 'sink.publicUrl', 'image', 'baseline'];
const ofDeployment = rowsOf(settingsTable).filter(({ path }) => isKey(path) || others.includes(path));

function isKey(path: string): boolean {
  return path.startsWith('keys.');
}

/** Problems that no single source shows: values that contradict or require each other. */
function conflicts(settings: Settings, sources: readonly GivenValues[]): readonly Problem[] {
  return [
    ...missingPrimaryKey(settings),
    ...missingHost(settings, sources),
    ...keysGivenTwice(settings.keys),
    ...halfCertificate(settings),
    ...halfClientCertificate(settings),
    ...baselineWithoutFile(settings),
    ...stateHandlerInClear(settings),
  ];
}

function halfClientCertificate({ http }: Settings): readonly Problem[] {
  if (http.clientCert !== null && http.clientKey !== null)
    return strangersOf(http.clientCert, http.clientKey);
  if (http.clientCert === null && http.clientKey === null) return [];
  const [given, missing] =
    http.clientCert === null ? ['clientKey', 'clientCert'] : ['clientCert', 'clientKey'];
  return [{ where: `http.${missing}`, fault: `expected it together with http.${given}; got none` }];
}

/** Every connection would fail, as if the server were to blame. */
function strangersOf(cert: string, key: string): readonly Problem[] {
  try {
    createSecureContext({ cert, key });
    return [];
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    const got = /key values mismatch/i.test(said) ? 'the key of another one' : `what TLS refuses (${said})`;
    return [{ where: 'http.clientKey', fault: `expected the private key of http.clientCert; got ${got}` }];
  }
}

function missingPrimaryKey({ target, keys }: Settings): readonly Problem[] {
  if (target.kind === 'embedded' || keys.primary.length > 0) return [];
  return [
    {
      where: 'GATECHECK_KEYS_PRIMARY',
      fault:
        'expected at least one active key, since the target is not the embedded one; got none. ' +
        'Set it in the environment, or write keys: { primary: "env:NAME" } in the config file',
    },
  ];
}

function missingHost({ apis }: Settings, sources: readonly GivenValues[]): readonly Problem[] {
  return unnamedHosts(sources)
    .filter((api) => apis.includes(api))
    .map((api) => ({
      where: `baseUrls.${api}`,
      fault: 'expected an address, since this API is to be checked and there is no target; got none',
    }));
}

function keysGivenTwice(keys: KeySettings): readonly Problem[] {
  const seen = new Map<string, string>();
  return namedKeys(keys).flatMap(([label, key]) => {
    const earlier = seen.get(key);
    seen.set(key, label);
    if (earlier === undefined) return [];
    const fault = `expected every key once, in one role; got the same key as ${earlier} and as ${label} (not shown)`;
    return [{ where: 'keys', fault }];
  });
}

function namedKeys(keys: KeySettings): readonly (readonly [label: string, key: string])[] {
  return Object.entries(keys).flatMap(([role, held]: [string, readonly string[] | string | null]) => {
    if (typeof held === 'string') return [[role, held] as const];
    return (held ?? []).map((key, index) => [`${role}#${index + 1}`, key] as const);
  });
}

function halfCertificate({ sink }: Settings): readonly Problem[] {
  if ((sink.certFile === null) === (sink.keyFile === null)) return [];
  const missing = sink.certFile === null ? '--sink-cert' : '--sink-key';
  return [{ where: missing, fault: 'expected a certificate and its private key together; got only one' }];
}

function baselineWithoutFile({ baseline, updateBaseline }: Settings): readonly Problem[] {
  if (!updateBaseline || baseline !== null) return [];
  return [{ where: '--update-baseline', fault: 'expected --baseline FILE, the file to write; got none' }];
}

/** Keys are sent to the state handler, and must never cross the network in clear text. */
function stateHandlerInClear({ stateHandler }: Settings): readonly Problem[] {
  if (stateHandler === null || stateHandler.url.startsWith('https:') || isLoopback(stateHandler.url))
    return [];
  const got = showUrl(stateHandler.url);
  return [
    {
      where: '--state-handler',
      fault: `expected https, or http to this machine, since keys go there; got ${got}`,
    },
  ];
}

interface ResolveOptions {
  readonly env?: Environment;
  readonly folder?: string;
  /** The settings are for recorded traffic; by default for a run. */
  readonly sendsNothing?: boolean;
}

/**
 * Settings from a config alone, for programs that call `run` themselves: `env:NAME` is looked up in `env`, no other variable
 * counts, and relative paths start at `folder`. Without a target it is the embedded reference, except in CI and with keys, a state
 * handler or a public address of the sink: then `target: 'embedded'` has to say so. With `sendsNothing`, for `judgeRecorded`, it need not, and keys may be empty. Throws one usage error that lists all problems.
 */
export function resolveSettings(config: Config, options: ResolveOptions = {}): Settings {
  checkOptions('resolveSettings', options, { env: true, folder: true, sendsNothing: true });
  const { env = process.env, folder = process.cwd(), sendsNothing = false } = options;
  return normalizeSettings({
    flags: noConfig,
    environment: noConfig,
    config: readConfig(config, `${folder}/config`, { folder, env, sendsNothing }),
    isInCi: isInCi(env),
    sendsNothing,
  });
}
