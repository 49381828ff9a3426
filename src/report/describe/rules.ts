import type { Catalogue } from '../../catalogue/loadCatalogue.ts';
import type { CatalogueRow, OpenPoint } from '../../catalogue/row.ts';
import type { Schema } from './schema.ts';

/** One of the two documents, by its id in the catalogue. */
export type DocumentId = CatalogueRow['source'][number]['document'];

/** The rules and open points of a section of a document, as members of a description. */
export function rulesOfSection(
  { requirements, openPoints }: Catalogue,
  document: DocumentId,
  section: string,
): Schema {
  const isFrom = ({ source }: CatalogueRow) =>
    source.some((one) => one.document === document && one.section === section);
  const rules = requirements.filter(isFrom).map(({ id }) => id);
  const points = openPoints.filter(isFrom).map(({ id }) => id);
  return {
    ...(rules.length === 0 ? {} : { 'x-requirement': rules }),
    ...(points.length === 0 ? {} : { 'x-open-points': points }),
  };
}

/** The meaning of the ids in a description. */
export function legend(
  { version, requirements, openPoints }: Catalogue,
  documents: readonly DocumentId[],
): Schema {
  const isFrom = ({ source }: CatalogueRow) => source.some(({ document }) => documents.includes(document));
  return {
    catalogue: version,
    requirements: Object.fromEntries(
      requirements.filter(isFrom).map(({ id, level, title }) => [id, `${level}: ${title}`]),
    ),
    openPoints: Object.fromEntries(openPoints.filter(isFrom).map((point) => [point.id, pointOf(point)])),
  };
}

function pointOf({ title, variants }: OpenPoint): Schema {
  return { question: title, alternatives: Object.fromEntries(variants.map((one) => [one.name, one.title])) };
}
