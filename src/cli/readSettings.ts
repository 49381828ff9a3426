import { accessSync, constants } from 'node:fs';
import { loadCatalogue } from '../catalogue/loadCatalogue.ts';
import { containerSecrets, startsOf, type Settings } from '../core/settings.ts';
import { readSuites } from '../engine/session/suites.ts';
import { validateSelection } from '../plan/selection.ts';
import { describeEarlier, isSameTarget, type EarlierTarget, describeTarget } from '../settings/target.ts';
import {
  isInCi,
  misspellingOf,
  renderEmptied,
  renderStray,
  strayVariables,
  variablesOf,
} from '../settings/environment.ts';
import { environmentProxyOf, proxyProblems, proxySecrets } from '../settings/environmentProxy.ts';
import { InvalidSettings, problemsError, refuseProblems, type Problem } from '../settings/problem.ts';
import { loadConfig } from '../settings/readConfig.ts';
import { readVariables, type Layer } from '../settings/readText.ts';
import { rowsOf } from '../settings/row.ts';
import { addSecrets } from '../settings/secrets.ts';
import { normalizeSettings } from '../settings/settings.ts';
import { settingsTable } from '../settings/table.ts';
import type { Call } from './command.ts';

type SettingsCall = Pick<Call, 'flags' | 'io' | 'variables'> & {
  /** The target of an earlier run that the command goes on with. */
  readonly earlier?: EarlierTarget | null;
  /** The command judges what others have sent: no target or key is needed. */
  readonly sendsNothing?: boolean;
};

/** The settings of a command: read from all three sources, merged, with their secrets added to the redactor. */
export async function readSettings(call: SettingsCall): Promise<Settings> {
  return load(call, () => Promise.resolve());
}

/** The same, after checking that everything they name exists. */
export async function readCheckedSettings(call: SettingsCall): Promise<Settings> {
  return load(call, async (settings) => validateSelection(settings, loadCatalogue(), await readSuites()));
}

async function load(call: SettingsCall, check: (settings: Settings) => Promise<void>): Promise<Settings> {
  const { folder, env } = call.io;
  const place = { folder, env, sendsNothing: call.sendsNothing ?? false };
  const config = await loadConfig(call.flags.given.config as string | undefined, place);
  const environment = readVariables(rowsOf(settingsTable), place);
  try {
    const settings = merge(call, config, environment);
    await check(settings);
    return settings;
  } catch (error) {
    if (!(error instanceof InvalidSettings)) throw error;
    const placed = error.problems.map(inFile(config, [call.flags, environment]));
    throw problemsError(placed, error.hint);
  }
}

/** A problem with a value of the config file is reported there, whichever option it belongs to. */
function inFile(config: Config, above: readonly Layer[]): (problem: Problem) => Problem {
  return (problem) => {
    const { where, fault } = problem;
    const row = rowsOf(settingsTable).find(
      ({ flag, field }) => flag?.split(' ', 1)[0] === where || field === where,
    );
    const field = row?.field ?? where;
    const isOverruled = row !== undefined && above.some(({ given }) => row.path in given);
    const place = isOverruled ? null : config.placeOf(field);
    return place === null ? problem : { where: `${place}: ${field}`, fault };
  };
}

type Config = Awaited<ReturnType<typeof loadConfig>>;

function merge(call: SettingsCall, config: Config, environment: Layer): Settings {
  const { flags, io, variables, earlier = null } = call;
  const stray = strayVariables(io.env, [...variables, ...config.variables]);
  const misspelt = stray.flatMap(misspellingOf(variablesOf(rowsOf(settingsTable))));
  const merged = normalizeSettings({
    flags,
    environment: { ...environment, problems: [...misspelt, ...environment.problems] },
    config,
    earlier,
    isInCi: isInCi(io.env),
  });
  const proxy = environmentProxyOf(io.env);
  if (proxy !== null && merged.http.proxy === null) refuseProblems(proxyProblems(proxy));
  const settings = proxy === null ? merged : { ...merged, http: { ...merged.http, environmentProxy: proxy } };
  if (proxy !== null) addSecrets(io.redactor, proxySecrets(proxy), 'proxy');
  const emptied = [...new Set([...(environment.emptied ?? []), ...(config.emptied ?? [])])];
  if (stray.length > 0) io.stderr.write(`Warning: ${renderStray(stray)}\n`);
  if (emptied.length > 0) io.stderr.write(`Warning: ${renderEmptied(emptied)}\n`);
  if (earlier !== null && !isSameTarget(earlier, settings.target))
    io.stderr.write(
      `Warning: the target is ${describeTarget(settings.target)}, not ${describeEarlier(earlier)}\n`,
    );
  addSecrets(io.redactor, secretsOf(settings), 'secret');
  refuseProblems(unreadableFiles(settings));
  return settings;
}

function secretsOf({ keys, stateHandler, target }: Settings): readonly string[] {
  const held = Object.values(keys) as readonly (readonly string[] | string | null)[];
  return [
    ...held.flatMap((keysOfRole) => keysOfRole ?? []),
    stateHandler?.auth?.value ?? '',
    ...containerSecrets(target),
  ];
}

function unreadableFiles({ baseline, updateBaseline, sink, target }: Settings): readonly Problem[] {
  const files = {
    '--baseline': updateBaseline ? null : baseline,
    '--sink-cert': sink.certFile,
    '--sink-key': sink.keyFile,
  };
  const copied = startsOf(target).flatMap((start) =>
    start.files.map(({ source }) => ['image.files', source] as const),
  );
  return [...Object.entries(files), ...copied]
    .filter((entry): entry is [string, string] => entry[1] !== null && !isReadable(entry[1]))
    .map(([where, path]) => ({
      where,
      fault: `expected a readable file; got ${path}${where === '--baseline' ? '. A run with --update-baseline writes it' : ''}`,
    }));
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
