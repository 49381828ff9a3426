import { catalogueError } from './catalogueError.ts';
import type { CatalogueRow, OpenPoint, Requirement, SourceDocument } from './row.ts';

interface Rows {
  readonly documents: readonly SourceDocument[];
  readonly requirements: readonly Requirement[];
  readonly openPoints: readonly OpenPoint[];
}

/** What one row cannot know by itself: ids are unique, sections exist, excuses are given, variants and `affects` make sense. */
export function checkReferences({ documents, requirements, openPoints }: Rows): void {
  const rows: readonly CatalogueRow[] = [...requirements, ...openPoints];
  uniqueIds(rows);
  for (const row of rows) {
    knownSections(row, documents);
    excuseGiven(row);
  }
  for (const requirement of requirements) derivedLevel(requirement);
  const ids = new Set(requirements.map(({ id }) => id));
  for (const point of openPoints) openPointComplete(point, ids);
}

function uniqueIds(rows: readonly CatalogueRow[]): void {
  const seen = new Set<string>();
  for (const { id } of rows) {
    if (seen.has(id)) throw catalogueError(`row ${id}`, 'field id: expected a unique id, found it twice');
    seen.add(id);
  }
}

function knownSections(row: CatalogueRow, documents: readonly SourceDocument[]): void {
  for (const { document, section } of row.source) {
    const known = documents.find(({ id }) => id === document)?.sections.includes(section) ?? false;
    if (!known)
      throw catalogueError(`row ${row.id}`, `field source: ${document} has no section '${section}'`);
  }
}

function excuseGiven(row: CatalogueRow): void {
  const needed = row.level === 'consumer' || row.observe === 'not-observable';
  if (needed && row.excused === null) {
    throw catalogueError(
      `row ${row.id}`,
      'field excused: expected a reason, since no check can observe this row',
    );
  }
}

function derivedLevel(row: Requirement): void {
  if (row.derived === 'plausible' && row.level === 'must') {
    throw catalogueError(`row ${row.id}`, 'field level: a plausible derivation is a should, found must');
  }
}

function openPointComplete(point: OpenPoint, requirementIds: ReadonlySet<string>): void {
  const names = new Set(point.variants.map(({ name }) => name));
  if (names.size < point.variants.length) {
    throw catalogueError(`row ${point.id}`, 'field variants: expected distinct names');
  }
  if (names.size < 2 && !point.openEnded) {
    throw catalogueError(`row ${point.id}`, 'field variants: expected two or more, or openEnded: true');
  }
  const stray = point.affects.find((id) => !requirementIds.has(id));
  if (stray !== undefined) throw catalogueError(`row ${point.id}`, `field affects: no requirement ${stray}`);
}
