import { z } from 'zod';
import { exitCodes } from '../../core/errors.ts';
import { row } from '../../settings/row.ts';
import { command, settingsBut } from '../command.ts';
import { loadCheckedSettings } from '../loadSettings.ts';
import { nothingFailed, onlyFailedTable, selectFailed } from '../onlyFailed.ts';
import { talkTable } from '../talk.ts';

/** `plan`: prints what `run` would do with the same options, and sends nothing. */
export const planCommand = command({
  name: 'plan',
  about: 'print what run would do with the same options; sends nothing',
  settings: settingsBut(),
  options: {
    ...onlyFailedTable,
    format: row({
      form: z.enum(['table', 'json']),
      default: 'table',
      flag: '--format <name>',
      help: 'table, json',
    }),
    quiet: { ...talkTable.quiet, help: 'print only the sums' },
  },
  examples: ['gatecheck plan', 'gatecheck plan --target https://qa.example.com --max-quota 20'],
  run: async (call) => {
    const { io, options } = call;
    const flags = await selectFailed(call.flags, options.onlyFailed);
    if (flags === null) return nothingFailed(io);
    const settings = await loadCheckedSettings({ ...call, flags });
    const [{ planRun }, { renderPlan, renderPlanJson, renderPlanSums }] = await Promise.all([
      import('../../run/planRun.ts'),
      import('../renderPlan.ts'),
    ]);
    const plan = await planRun(settings);
    if (options.format === 'json') io.stdout.write(renderPlanJson(plan, settings));
    else if (options.quiet) io.stdout.write(renderPlanSums(plan, settings));
    else io.stdout.write(renderPlan(plan, settings, io.stdout.palette));
    return exitCodes.ok;
  },
});
