import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { usageError } from '../../core/errors.ts';
import { settlesWithin } from '../../core/settlesWithin.ts';
import { defineJourney, type Journey } from './journey.ts';
import { suitesFolder } from '../../engine/session/suites.ts';

/** Gatecheck's own journeys, and those of a file of the user's. */
export async function readJourneys(file: string | null, folder: string): Promise<readonly Journey[]> {
  const own = join(suitesFolder, 'journeys');
  const names = (await readdir(own)).filter((name) => /\.journey\.[jt]s$/.test(name)).sort();
  const builtIn = (await Promise.all(names.map((name) => journeysOfFile(join(own, name))))).flat();
  const further = file === null ? [] : await readOwn(resolve(folder, file));
  const twice = further.find(({ id }) => builtIn.some((one) => one.id === id));
  if (twice) throw badFile(file ?? '', `the journey ${twice.id} is built into Gatecheck`);
  const same = further.find(({ id }, index) => further.findIndex((one) => one.id === id) < index);
  if (same) throw badFile(file ?? '', `two journeys have the id ${same.id}`);
  return [...builtIn, ...further];
}

/** A module may wait for something that never comes. */
const loadWithinMs = 10_000;
const longestWhy = 300;

async function readOwn(path: string): Promise<readonly Journey[]> {
  const reading = journeysOfFile(path);
  const isRead = await settlesWithin(reading, loadWithinMs).catch((error: unknown) => {
    throw badFile(path, (error instanceof Error ? error.message : String(error)).slice(0, longestWhy));
  });
  if (!isRead) throw badFile(path, `it is not loaded within ${loadWithinMs / 1000} s`);
  const journeys = await reading;
  if (journeys.length === 0) throw badFile(path, 'it exports no journey');
  return journeys;
}

/** The exports of a module that were made by `defineJourney`, or look like it. */
async function journeysOfFile(path: string): Promise<readonly Journey[]> {
  const module = (await import(pathToFileURL(path).href)) as Readonly<Record<string, unknown>>;
  const exported = Object.values(module).flatMap((one): unknown[] => (Array.isArray(one) ? one : [one]));
  return [...new Set(exported.filter(isJourney))].map((one) =>
    Object.isFrozen(one) ? one : defineJourney(one),
  );
}

function isJourney(value: unknown): value is Journey {
  return typeof value === 'object' && value !== null && 'id' in value && 'run' in value && 'cost' in value;
}

function badFile(file: string, why: string) {
  return usageError(
    'JOURNEY_FILE',
    `--journeys-from: expected a module that exports journeys made by defineJourney; ${file}: ${why}.`,
    'docs/load.md has an example.',
  );
}
