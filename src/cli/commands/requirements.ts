import { z } from 'zod';
import { appliesTo } from '../../catalogue/appliesTo.ts';
import { loadCatalogue } from '../../catalogue/loadCatalogue.ts';
import { matches } from '../../catalogue/pattern.ts';
import { loadQuotes } from '../../catalogue/loadQuotes.ts';
import { levels } from '../../catalogue/row.ts';
import { exitCodes } from '../../core/errors.ts';
import { readSuites } from '../../engine/session/suites.ts';
import type { Check } from '../../plan/check.ts';
import { validateSelection } from '../../plan/selection.ts';
import { renderRequirements, requirementFormats, renderQuestions } from '../../report/renderRequirements.ts';
import { words } from '../../settings/forms.ts';
import { refuseProblems, type Problem } from '../../settings/problem.ts';
import { row } from '../../settings/row.ts';
import { settingsTable } from '../../settings/table.ts';
import { command } from '../command.ts';
import { readResults } from '../readResults.ts';

/** `requirements`: prints the catalogue, with the checks of each row. */
export const requirementsCommand = command({
  name: 'requirements',
  about: 'print the catalogue of requirements, with the checks of each',
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
    open: row({
      form: z.boolean(),
      default: false,
      flag: '--open',
      help: 'open points only, as --level open',
    }),
    questions: row({
      form: z.boolean(),
      default: false,
      flag: '--questions',
      help: 'the open points as a questionnaire for the provider, in Markdown',
    }),
    observed: row({
      form: z.array(words),
      default: [],
      flag: '--observed <result>',
      help: 'with --questions: also show what this run observed (report directory or result file)',
    }),
    only: settingsTable.only,
  },
  examples: [
    "gatecheck requirements --level must --only 'WCI-STS-*'",
    'gatecheck requirements --open --questions --observed reports/latest',
  ],
  run: async ({ io, options: { format, apis, level: named, open, questions, observed, only } }) => {
    const level = open || questions ? 'open' : named;
    refuseProblems(contradictions({ named, level, questions, observed }));
    const catalogue = loadCatalogue();
    const checks = await readSuites();
    validateSelection({ only, require: [], openPoints: {} }, catalogue, checks);
    const rows = [...catalogue.requirements, ...catalogue.openPoints]
      .filter((one) => appliesTo(apis)(one) && (level === null || one.level === level))
      .map((one) => ({ row: one, checks: checks.filter(({ verifies }) => verifies.includes(one.id)) }))
      .filter(({ row: one, checks: own }) => isAskedFor(one.id, own, only))
      .map(({ row: one, checks: own }) => ({ ...one, checks: own.map(({ id, title }) => ({ id, title })) }));
    if (!questions) io.stdout.write(renderRequirements(rows, format));
    else {
      const results = await readResults(observed, io.folder);
      const points = catalogue.openPoints.filter(({ id }) => rows.some((one) => one.id === id));
      io.stdout.write(renderQuestions({ points, catalogue, quotes: loadQuotes(), results }));
    }
    return exitCodes.ok;
  },
});

interface Asked {
  readonly named: string | null;
  readonly level: string | null;
  readonly questions: boolean;
  readonly observed: readonly string[];
}

function contradictions({ named, level, questions, observed }: Asked): readonly Problem[] {
  const other = named !== null && named !== level ? ['--level, --open, --questions'] : [];
  const idle = observed.length > 0 && !questions ? ['--observed'] : [];
  return [
    ...other.map((where) => ({ where, fault: `expected open points or the level ${named ?? ''}; got both` })),
    ...idle.map((where) => ({ where, fault: 'expected it together with --questions; got it alone' })),
  ];
}

function isAskedFor(
  id: string,
  checks: readonly Pick<Check, 'id' | 'tags'>[],
  only: readonly string[],
): boolean {
  const names = [id, ...checks.flatMap((check) => [check.id, ...check.tags])];
  return only.length === 0 || only.some((pattern) => names.some((name) => matches(pattern, name)));
}
