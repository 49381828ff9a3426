import type { Catalogue } from './loadCatalogue.ts';

/** One line for each thing that others refer to by name: the ids of all rows, and the variants of each open point. */
export function frozenLines({
  requirements,
  openPoints,
}: Pick<Catalogue, 'requirements' | 'openPoints'>): string[] {
  return [
    ...requirements.map(({ id }) => id),
    ...openPoints.flatMap(({ id, variants }) => [id, ...variants.map(({ name }) => `${id} ${name}`)]),
  ];
}
