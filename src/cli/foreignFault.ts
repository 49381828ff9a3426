import { fileURLToPath } from 'node:url';
import { packageRoot } from '../catalogue/packageRoot.ts';

/**
 * Where an error that nobody caught was thrown, such as `/home/me/journeys.ts:12:9`, if that is code of the user's own (a journey, a
 * config file) and neither Gatecheck nor a package. Null otherwise.
 */
export function foreignPlace(error: unknown, root = packageRoot()): string | null {
  if (!(error instanceof Error)) return null;
  const places = (error.stack ?? '').split('\n').flatMap((line) => placeOf(line) ?? []);
  const [first] = places.filter((place) => !place.startsWith('node:'));
  if (first === undefined || first.startsWith(root) || first.includes('/node_modules/')) return null;
  return first;
}

/** The place that a line of a stack names. */
function placeOf(line: string): string | null {
  const [, place] = /^\s+at (?:.*\()?((?:file:|node:|\/|[A-Za-z]:\\).*:\d+:\d+)\)?$/.exec(line) ?? [];
  if (place === undefined) return null;
  const [, address = '', at = ''] = /^(.*)(:\d+:\d+)$/.exec(place) ?? [];
  return address.startsWith('file:') ? `${fileURLToPath(address.replace(/\?.*$/, ''))}${at}` : place;
}
