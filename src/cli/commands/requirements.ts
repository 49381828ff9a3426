import { z } from 'zod';
import { appliesTo } from '../../catalogue/appliesTo.ts';
import { loadCatalogue } from '../../catalogue/loadCatalogue.ts';
import { matches } from '../../catalogue/pattern.ts';
import { levels } from '../../catalogue/row.ts';
import { exitCodes } from '../../core/errors.ts';
import { loadSuites } from '../../engine/suites.ts';
import type { Check } from '../../plan/check.ts';
import { validateSelection } from '../../plan/selection.ts';
import { renderRequirements, requirementFormats } from '../../report/renderRequirements.ts';
import { row } from '../../settings/row.ts';
import { settingsTable } from '../../settings/table.ts';
import { command } from '../command.ts';

/** `requirements`: prints the catalogue, with what checks each row. */
export const requirementsCommand = command({
  name: 'requirements',
  about: 'print the catalogue, with what checks each requirement',
  options: {
    format: row({
      form: z.enum(requirementFormats),
      default: 'table',
      flag: '--format <name>',
      help: requirementFormats.join(', '),
    }),
    apis: { ...settingsTable.apis, help: 'of these APIs: webcheckin,flight-alerts' },
    level: row({
      form: z.enum(levels),
      default: null,
      flag: '--level <name>',
      help: `of one level: ${levels.join(', ')}`,
    }),
    only: settingsTable.only,
  },
  examples: ["gatecheck requirements --level must --only 'WCI-STS-*'"],
  run: async ({ io, options: { format, apis, level, only } }) => {
    const catalogue = loadCatalogue();
    const checks = await loadSuites();
    validateSelection({ only, require: [], openPoints: {} }, catalogue, checks);
    const rows = [...catalogue.requirements, ...catalogue.openPoints]
      .filter((one) => appliesTo(apis)(one) && (level === null || one.level === level))
      .map((one) => ({ row: one, checks: checks.filter(({ verifies }) => verifies.includes(one.id)) }))
      .filter(({ row: one, checks: own }) => isAskedFor(one.id, own, only))
      .map(({ row: one, checks: own }) => ({ ...one, checks: own.map(({ id, title }) => ({ id, title })) }));
    io.stdout.write(renderRequirements(rows, format));
    return exitCodes.ok;
  },
});

function isAskedFor(
  id: string,
  checks: readonly Pick<Check, 'id' | 'tags'>[],
  only: readonly string[],
): boolean {
  const names = [id, ...checks.flatMap((check) => [check.id, ...check.tags])];
  return only.length === 0 || only.some((pattern) => names.some((name) => matches(pattern, name)));
}
