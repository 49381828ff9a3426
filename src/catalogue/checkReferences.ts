import { catalogueError } from './catalogueError.ts';
import type { CatalogueRow, OpenPoint, Requirement, SourceDocument } from './row.ts';

interface Rows {
  /** The file that a row comes from. */
  readonly fileOf: (row: CatalogueRow) => string;
  readonly documents: readonly SourceDocument[];
  readonly requirements: readonly Requirement[];
  readonly openPoints: readonly OpenPoint[];
}

/** Checks what concerns several rows: ids are unique, sections exist, excuses are given, variants and `affects` are consistent. */
export function checkReferences({ fileOf, documents, requirements, openPoints }: Rows): void {
  const refuse: Refuse = (row, fault) => {
    throw catalogueError(`${fileOf(row)}, row ${row.id}`, fault);
  };
  const rows: readonly CatalogueRow[] = [...requirements, ...openPoints];
  uniqueIds(rows, refuse);
  for (const row of rows) {
    knownSections(row, documents, refuse);
    excuseGiven(row, refuse);
  }
  for (const requirement of requirements) derivedLevel(requirement, refuse);
  const ids = new Set(requirements.map(({ id }) => id));
  narrowsWithoutCircle(requirements, refuse);
  for (const point of openPoints) openPointComplete(point, ids, refuse);
}

type Refuse = (row: CatalogueRow, fault: string) => void;

function uniqueIds(rows: readonly CatalogueRow[], refuse: Refuse): void {
  const seen = new Set<string>();
  for (const row of rows) {
    if (seen.has(row.id)) refuse(row, 'field id: expected a unique id, found it twice');
    seen.add(row.id);
  }
}

function knownSections(row: CatalogueRow, documents: readonly SourceDocument[], refuse: Refuse): void {
  for (const { document, section } of row.source) {
    const known = documents.find(({ id }) => id === document)?.sections.includes(section) ?? false;
    if (!known) refuse(row, `field source: ${document} has no section '${section}'`);
  }
}

function excuseGiven(row: CatalogueRow, refuse: Refuse): void {
  const needed = row.level === 'consumer' || row.observe === 'not-observable';
  if (needed && row.excused === null) {
    refuse(row, 'field excused: expected a reason, since no check can observe this row');
  }
}

function derivedLevel(row: Requirement, refuse: Refuse): void {
  if (row.derived === 'plausible' && row.level === 'must') {
    refuse(row, 'field level: a plausible derivation is a should, found must');
  }
}

/** Each row narrows others that exist, and none narrows itself through others. */
function narrowsWithoutCircle(requirements: readonly Requirement[], refuse: Refuse): void {
  const rows = new Map(requirements.map((row) => [row.id, row]));
  for (const row of requirements) {
    const stray = row.narrows.find((id) => !rows.has(id));
    if (stray !== undefined) refuse(row, `field narrows: no requirement ${stray}`);
    const reached = new Set(row.narrows);
    for (const id of reached) for (const next of rows.get(id)?.narrows ?? []) reached.add(next);
    if (reached.has(row.id)) refuse(row, 'field narrows: expected a wider row, found a circle');
  }
}

function openPointComplete(point: OpenPoint, requirementIds: ReadonlySet<string>, refuse: Refuse): void {
  const names = new Set(point.variants.map(({ name }) => name));
  if (names.size < point.variants.length) {
    refuse(point, 'field variants: expected distinct names');
  }
  if (names.size < 2 && !point.openEnded) {
    refuse(point, 'field variants: expected two or more, or openEnded: true');
  }
  if (point.unmet !== null && !names.has(point.unmet)) {
    refuse(point, `field unmet: expected one of its variants, found ${point.unmet}`);
  }
  const stray = point.affects.find((id) => !requirementIds.has(id));
  if (stray !== undefined) refuse(point, `field affects: no requirement ${stray}`);
}
