import { exitCodes } from '../../core/errors.ts';
import { loadCheckedSettings } from '../loadSettings.ts';
import { addSharedOptions, addWatchOption, type RawOptions } from '../options.ts';
import { problemsError, FieldReader } from '../../settings/problem.ts';
import type { AddCommand } from '../command.ts';
import { parseOneOf } from '../../settings/values/oneOf.ts';
import { addExamples } from './example.ts';

const formats = ['table', 'json'] as const;

/** `plan`: prints what `run` would do with the same options, and sends nothing. */
export const addPlan: AddCommand = (command, io, finish) => {
  command.description('print what run would do with the same options; sends nothing');
  addWatchOption(addSharedOptions(command)).option('--format <name>', 'table, json (default: table)');
  addExamples(command, 'gatecheck plan', 'gatecheck plan --target https://qa.example.com --max-quota 20');
  command.action(async (raw: RawOptions & { readonly format?: string }) => {
    const format = readFormat(raw.format);
    const settings = await loadCheckedSettings(raw, io);
    const [{ planRun }, { renderPlan, renderPlanJson }] = await Promise.all([
      import('../../run/planRun.ts'),
      import('../renderPlan.ts'),
    ]);
    const plan = await planRun(settings);
    io.stdout.write(
      format === 'json' ? renderPlanJson(plan, settings) : renderPlan(plan, settings, io.stdout.palette),
    );
    finish(exitCodes.ok);
  });
};

function readFormat(text: string | undefined): (typeof formats)[number] {
  const reader = new FieldReader();
  const format = reader.read('--format', text, parseOneOf(formats)) ?? 'table';
  if (reader.problems.length > 0) throw problemsError(reader.problems);
  return format;
}
