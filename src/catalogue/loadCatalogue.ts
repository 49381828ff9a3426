import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { catalogueError } from './catalogueError.ts';
import { checkReferences } from './checkReferences.ts';
import { deepFreeze } from './deepFreeze.ts';
import { packageRoot } from './packageRoot.ts';
import { readRows } from './readRows.ts';
import {
  documentSchema,
  openPointSchema,
  requirementSchema,
  type CatalogueRow,
  type OpenPoint,
  type Requirement,
  type SourceDocument,
} from './row.ts';

/** Everything that the two documents state, as frozen data. */
export interface Catalogue {
  readonly requirements: readonly Requirement[];
  readonly openPoints: readonly OpenPoint[];
  readonly documents: readonly SourceDocument[];
  /** Short hash of the content, the same wherever it is loaded. */
  readonly version: string;
  /** The row with this id; throws if there is none. */
  readonly get: (id: string) => CatalogueRow;
  readonly has: (id: string) => boolean;
}

/** Reads and validates the catalogue of this package (or of another folder, for tests); the package's own is read only once. */
export function loadCatalogue(folder?: string): Catalogue {
  if (folder !== undefined) return readCatalogue(folder);
  own ??= readCatalogue(ownFolder());
  return own;
}

let own: Catalogue | undefined;

function ownFolder(): string {
  return join(packageRoot(), 'fixtures', 'requirements');
}

function readCatalogue(folder: string): Catalogue {
  const fileOf = new Map<CatalogueRow, string>();
  const read = <T extends CatalogueRow>(file: string, schema: z.ZodType<T>): readonly T[] => {
    const rows = readRows(join(folder, file), schema);
    for (const row of rows) fileOf.set(row, file);
    return rows;
  };
  const documents = readRows(join(folder, documentsFile), documentSchema);
  const requirements = areaFiles(folder).flatMap((file) => read(file, requirementSchema));
  const openPoints = read(openPointsFile, openPointSchema);
  checkReferences({ fileOf: (row) => fileOf.get(row) ?? folder, documents, requirements, openPoints });
  return catalogueOf(deepFreeze({ documents, requirements, openPoints }));
}

const documentsFile = 'documents.yaml';

/** The headings of each document in reading order. */
export function loadHeadings(): ReadonlyMap<string, readonly string[]> {
  const documents = readRows(join(ownFolder(), documentsFile), documentSchema);
  return new Map(documents.map(({ id, sections }) => [id, sections]));
}

const openPointsFile = 'open-points.yaml';
const prefixes = ['shared-', 'wci-', 'fla-'];

/** One file per area, in the order shared, web check-in, flight alerts. */
function areaFiles(folder: string): string[] {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.yaml') && file !== documentsFile && file !== openPointsFile)
    .sort();
  const stray = files.find((file) => !prefixes.some((prefix) => file.startsWith(prefix)));
  if (stray !== undefined) {
    throw catalogueError(join(folder, stray), `expected a name that starts with ${prefixes.join(', ')}`);
  }
  return prefixes.flatMap((prefix) => files.filter((file) => file.startsWith(prefix)));
}

function catalogueOf(parts: Pick<Catalogue, 'requirements' | 'openPoints' | 'documents'>): Catalogue {
  const rows = new Map<string, CatalogueRow>(
    [...parts.requirements, ...parts.openPoints].map((row) => [row.id, row]),
  );
  return Object.freeze({
    ...parts,
    version: createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12),
    has: (id: string) => rows.has(id),
    get: (id: string) => {
      const row = rows.get(id);
      if (row === undefined) throw catalogueError('the catalogue', `no row has the id ${id}`);
      return row;
    },
  });
}
