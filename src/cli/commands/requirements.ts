import type { Command } from 'commander';
import { appliesTo } from '../../catalogue/appliesTo.ts';
import { loadCatalogue } from '../../catalogue/loadCatalogue.ts';
import { matches } from '../../catalogue/pattern.ts';
import { type CatalogueRow, levels } from '../../catalogue/row.ts';
import { exitCodes } from '../../core/errors.ts';
import { apis } from '../../core/operations.ts';
import { loadSuites } from '../../engine/suites.ts';
import type { Check } from '../../plan/check.ts';
import { renderRequirements, requirementFormats } from '../../report/renderRequirements.ts';
import { collect } from '../options.ts';
import { FieldReader, problemsError } from '../../settings/problem.ts';
import type { AddCommand } from '../command.ts';
import { validateSelection } from '../../settings/selection.ts';
import { parseApis } from '../../settings/values/apiList.ts';
import { parseOneOf } from '../../settings/values/oneOf.ts';
import { addExamples } from './example.ts';

interface RawOptions {
  readonly format?: string;
  readonly api?: string;
  readonly level?: string;
  readonly only?: readonly string[];
}

/** `requirements`: prints the catalogue, with what checks each row. */
export const addRequirements: AddCommand = (command, io, finish) => {
  describe(command).action(async (raw: RawOptions) => {
    const { format, keeps, only } = readOptions(raw);
    const catalogue = loadCatalogue();
    const checks = await loadSuites();
    validateSelection({ only, require: [], openPoints: {} }, catalogue, checks);
    const rows = [...catalogue.requirements, ...catalogue.openPoints]
      .filter(keeps)
      .map((row) => ({ row, checks: checks.filter(({ verifies }) => verifies.includes(row.id)) }))
      .filter(({ row, checks: own }) => isAskedFor(row.id, own, only))
      .map(({ row, checks: own }) => ({ ...row, checks: own.map(({ id, title }) => ({ id, title })) }));
    io.stdout.write(renderRequirements(rows, format));
    finish(exitCodes.ok);
  });
};

function describe(command: Command): Command {
  command
    .description('print the catalogue, with what checks each requirement')
    .option('--format <name>', `${requirementFormats.join(', ')} (default: table)`)
    .option('--api <names>', 'of these APIs: webcheckin,flight-alerts (default: both)')
    .option('--level <name>', `of one level: ${levels.join(', ')}`)
    .option('--only <pattern>', 'requirement ids, check ids or tags, * allowed; repeatable', collect);
  addExamples(command, "gatecheck requirements --level must --only 'WCI-STS-*'");
  return command;
}

function readOptions(raw: RawOptions) {
  const reader = new FieldReader();
  const format = reader.read('--format', raw.format, parseOneOf(requirementFormats)) ?? 'table';
  const applies = appliesTo(reader.read('--api', raw.api, parseApis) ?? apis);
  const level = reader.read('--level', raw.level, parseOneOf(levels));
  if (reader.problems.length > 0) throw problemsError(reader.problems);
  const keeps = (row: CatalogueRow) => applies(row) && (level === undefined || row.level === level);
  return { format, keeps, only: raw.only ?? [] };
}

function isAskedFor(
  row: string,
  checks: readonly Pick<Check, 'id' | 'tags'>[],
  only: readonly string[],
): boolean {
  const names = [row, ...checks.flatMap(({ id, tags }) => [id, ...tags])];
  return only.length === 0 || only.some((pattern) => names.some((name) => matches(pattern, name)));
}
