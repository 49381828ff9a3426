import type { Api } from '../core/operations.ts';
import type { CatalogueRow } from './row.ts';

/** Filter: rows of the chosen APIs, and the shared rows, which apply to any of them. */
export function appliesTo(apis: readonly Api[]): (row: CatalogueRow) => boolean {
  return (row) => row.api === 'shared' || apis.includes(row.api);
}

/** Whether the row names a reason why no check observes it. */
export function isExcused(row: CatalogueRow): boolean {
  return row.excused !== null;
}
