import { accessSync, constants } from 'node:fs';
import { loadCatalogue } from '../catalogue/loadCatalogue.ts';
import { containerSecrets, startsOf, type Settings } from '../core/settings.ts';
import { loadSuites } from '../engine/suites.ts';
import { addSecrets } from '../settings/addSecrets.ts';
import { loadConfig } from '../settings/config.ts';
import { readEnvironment } from '../settings/environment.ts';
import type { Io } from '../core/io.ts';
import { type RawOptions, readOptions } from './options.ts';
import { type Problem, problemsError } from '../settings/problem.ts';
import { validateSelection } from '../settings/selection.ts';
import { normalizeSettings } from '../settings/settings.ts';

/** The settings of a command: read from all three sources, merged, and known to the redactor. */
export async function loadSettings(raw: RawOptions, io: Io): Promise<Settings> {
  const config = await loadConfig(raw.config, io);
  const settings = normalizeSettings(readOptions(raw, io.folder), readEnvironment(io.env), config);
  addSecrets(io.redactor, secretsOf(settings), 'secret');
  const missing = unreadableFiles(settings);
  if (missing.length > 0) throw problemsError(missing);
  return settings;
}

/** The same, once it is sure that everything that they name exists. */
export async function loadCheckedSettings(raw: RawOptions, io: Io): Promise<Settings> {
  const settings = await loadSettings(raw, io);
  validateSelection(settings, loadCatalogue(), await loadSuites());
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

function unreadableFiles({ baseline, sink, target }: Settings): readonly Problem[] {
  const files = { '--baseline': baseline, '--sink-cert': sink.certFile, '--sink-key': sink.keyFile };
  const copied = startsOf(target).flatMap((start) =>
    start.files.map(({ source }) => ['image.files', source] as const),
  );
  return [...Object.entries(files), ...copied]
    .filter((entry): entry is [string, string] => entry[1] !== null && !isReadable(entry[1]))
    .map(([where, path]) => ({ where, fault: `expected a readable file; got ${path}` }));
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
