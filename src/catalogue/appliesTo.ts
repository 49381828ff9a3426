import { apis as allApis, type Api } from '../core/operations.ts';
import type { CatalogueRow } from './row.ts';

/** A filter for the rows of the chosen APIs and the shared rows, except those that need both APIs if only one is chosen. */
export function appliesTo(apis: readonly Api[]): (row: CatalogueRow) => boolean {
  const both = allApis.every((api) => apis.includes(api));
  return (row) => (row.api === 'shared' ? both || !row.needs.includes('both-apis') : apis.includes(row.api));
}
