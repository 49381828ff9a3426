import { z } from 'zod';
import { exitCodes } from '../../core/errors.ts';
import { row } from '../../settings/row.ts';
import { command, settingsBut } from '../command.ts';
import { readCheckedSettings } from '../readSettings.ts';
import { nothingFailed, onlyFailedTable, selectFailed } from '../onlyFailed.ts';
import { checkTalk, talkTable, writeEvent } from '../talk.ts';

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
    quiet: { ...talkTable.quiet, help: 'print only the totals' },
    verbose: { ...talkTable.verbose, help: 'print what each check verifies as well' },
    json: talkTable.json,
  },
  examples: ['gatecheck plan', 'gatecheck plan --target https://qa.example.com --max-quota 20'],
  run: async (call) => {
    const { io, options } = call;
    checkTalk(options);
    const selected = await selectFailed(call, options.onlyFailed);
    const { flags, earlier } = selected;
    const settings = await readCheckedSettings({ ...call, flags, earlier });
    if (selected.isNothing) return nothingFailed(io);
    const [{ planRun }, { renderPlan, renderPlanJson, renderPlanSums }, { planEvents }] = await Promise.all([
      import('../../run/planRun.ts'),
      import('../renderPlan.ts'),
      import('../events/planEvents.ts'),
    ]);
    const plan = await planRun(settings);
    if (options.json) for (const event of planEvents(plan, settings)) writeEvent(event, io);
    else if (options.format === 'json') io.stdout.write(renderPlanJson(plan, settings));
    else if (options.quiet) io.stdout.write(renderPlanSums(plan, settings));
    else
      io.stdout.write(renderPlan(plan, settings, { palette: io.stdout.palette, isVerbose: options.verbose }));
    return exitCodes.ok;
  },
});
