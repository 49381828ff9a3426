import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join, basename } from 'node:path';
import { z } from 'zod';
import { catalogueError } from './catalogueError.ts';
import { packageRoot } from './packageRoot.ts';
import {
  adviceSchema,
  documentSchema,
  openPointSchema,
  requirementSchema,
  type AdviceRow,
  type CatalogueRow,
  type OpenPoint,
  type Requirement,
  type SourceDocument,
} from './row.ts';
import { readYaml } from './readYaml.ts';

/** Everything that the two documents state, as frozen data. */
export interface Catalogue {
  readonly requirements: readonly Requirement[];
  readonly openPoints: readonly OpenPoint[];
  readonly documents: readonly SourceDocument[];
  /** Of each area, and of requirements for which it differs. */
  readonly advice: readonly AdviceRow[];
  /** Short hash of the content, the same wherever it is loaded. */
  readonly version: string;
  /** The row with this id; throws if there is none. */
  readonly get: (id: string) => CatalogueRow;
  readonly has: (id: string) => boolean;
  /** Why a requirement matters to a partner, and where on the server to look first. */
  readonly adviceOn: (id: string) => Advice;
}

export interface Advice {
  readonly why: string;
  readonly look: string;
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
  const advice = readAdvice(folder, requirements);
  return catalogueOf(deepFreeze({ documents, requirements, openPoints, advice }));
}

const documentsFile = 'documents.yaml';
const adviceFile = 'advice.yaml';

function readAdvice(folder: string, requirements: readonly Requirement[]): readonly AdviceRow[] {
  const path = join(folder, adviceFile);
  const rows = existsSync(path) ? readRows(path, adviceSchema) : [];
  const stray = rows.find((row) => !requirements.some(({ id }) => concerns(row, id)));
  if (stray) throw catalogueError(`${adviceFile}, row ${stray.for}`, 'no requirement has such an id');
  return rows;
}

function concerns(row: AdviceRow, id: string): boolean {
  return id === row.for || id.slice(0, id.lastIndexOf('-')) === row.for;
}

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
    .filter((file) => file.endsWith('.yaml') && ![documentsFile, openPointsFile, adviceFile].includes(file))
    .sort();
  const stray = files.find((file) => !prefixes.some((prefix) => file.startsWith(prefix)));
  if (stray !== undefined) {
    throw catalogueError(join(folder, stray), `expected a name that starts with ${prefixes.join(', ')}`);
  }
  return prefixes.flatMap((prefix) => files.filter((file) => file.startsWith(prefix)));
}

/** What no row of advice says. */
const generalAdvice: Advice = {
  why: 'Partners rely on what the documents say.',
  look: 'The handler of the operation in the decisive request.',
};

type Parts = Pick<Catalogue, 'requirements' | 'openPoints' | 'documents' | 'advice'>;

function catalogueOf(parts: Parts): Catalogue {
  const { documents, requirements, openPoints } = parts;
  const normative = { documents, requirements, openPoints };
  const rows = new Map<string, CatalogueRow>(
    [...parts.requirements, ...parts.openPoints].map((row) => [row.id, row]),
  );
  return Object.freeze({
    ...parts,
    version: createHash('sha256').update(JSON.stringify(normative)).digest('hex').slice(0, 12),
    has: (id: string) => rows.has(id),
    get: (id: string) => {
      const row = rows.get(id);
      if (row === undefined) throw catalogueError('the catalogue', `no row has the id ${id}`);
      return row;
    },
    adviceOn: (id: string) => {
      const [own, area] = [
        parts.advice.find((one) => one.for === id),
        parts.advice.find((one) => concerns(one, id)),
      ];
      return {
        why: own?.why ?? area?.why ?? generalAdvice.why,
        look: own?.look ?? area?.look ?? generalAdvice.look,
      };
    },
  });
}

/** Freezes plain data deeply and returns it. */
function deepFreeze<T>(data: T): T {
  if (typeof data === 'object' && data !== null && !Object.isFrozen(data)) {
    Object.freeze(data);
    Object.values(data).forEach(deepFreeze);
  }
  return data;
}

/** Reads one YAML file with a list of rows; an error names the file, the row and the field. */
function readRows<T>(path: string, schema: z.ZodType<T>): T[] {
  const file = basename(path);
  const list = z.array(z.unknown()).safeParse(readList(path, file));
  if (!list.success) throw catalogueError(file, 'expected a list of rows');
  return list.data.map((raw, index) => {
    const row = schema.safeParse(raw, { reportInput: true });
    if (row.success) return row.data;
    throw catalogueError(`${file}, ${rowName(raw, index)}`, faults(row.error), row.error);
  });
}

function readList(path: string, file: string): unknown {
  try {
    return readYaml(path);
  } catch (cause) {
    throw catalogueError(file, cause instanceof Error ? cause.message : 'expected readable YAML', cause);
  }
}

function rowName(raw: unknown, index: number): string {
  const named = z.object({ id: z.string() }).safeParse(raw);
  return named.success ? `row ${named.data.id}` : `row number ${index + 1}`;
}

function faults(error: z.ZodError): string {
  return error.issues.map((issue) => `${fieldOf(issue)}${issue.message}${foundIn(issue)}`).join('; ');
}

function fieldOf({ path }: z.core.$ZodIssue): string {
  return path.length === 0 ? '' : `field ${path.join('.')}: `;
}

function foundIn({ code, input }: z.core.$ZodIssue): string {
  return code === 'invalid_value' || code === 'invalid_format' ? `, found ${JSON.stringify(input)}` : '';
}

interface Rows {
  /** The file that a row comes from. */
  readonly fileOf: (row: CatalogueRow) => string;
  readonly documents: readonly SourceDocument[];
  readonly requirements: readonly Requirement[];
  readonly openPoints: readonly OpenPoint[];
}

/** Checks what concerns several rows: ids are unique, sections exist, excuses are given, variants and `affects` are consistent. */
function checkReferences({ fileOf, documents, requirements, openPoints }: Rows): void {
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
