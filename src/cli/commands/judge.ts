import { z } from 'zod';
import type { ExitCode } from '../../core/errors.ts';
import { baseUrl } from '../../settings/addressForms.ts';
import { row } from '../../settings/row.ts';
import { resolve } from 'node:path';
import { programOf } from '../again.ts';
import { withReason } from '../baselineReason.ts';
import { command, settingsOf } from '../command.ts';
import { renderCommandLine } from '../commandText.ts';
import { readCheckedSettings } from '../readSettings.ts';
import { createTalk, talkTable } from '../talk.ts';

const { quiet } = talkTable;

/** `judge FILE…`: judges recorded traffic with the passive oracles. */
export const judgeCommand = command({
  name: 'judge',
  about: 'judge recorded traffic (HAR, or the evidence of a run) with the passive oracles; sends nothing',
  argument: [
    '<files...>',
    'HARs of browsers, proxies and runs, and evidence.ndjson of runs; - for standard input',
  ],
  settings: settingsOf(
    ...[
      'config',
      'apis',
      'only',
      'minMust',
      'reportDir',
      'baseline',
      'updateBaseline',
      'baselineReason',
      'strict',
    ],
  ),
  options: {
    targets: row({
      form: z.array(baseUrl),
      default: [],
      flag: '--target <url>',
      help: 'judge only what was sent to this address; needed if several deployments were recorded',
    }),
    oneEnterprise: row({
      form: z.boolean(),
      default: false,
      flag: '--one-enterprise',
      help: 'treat all keys of the recording that no variable names as keys of one enterprise',
    }),
    quiet,
  },
  examples: [
    'gatecheck judge traffic.har',
    'gatecheck judge reports/latest/evidence.ndjson --api webcheckin',
  ],
  run: async (call) => {
    const { io, args, flags, options } = call;
    // Nothing is sent, so the target of the config file does not matter, nor whether there is a key for it.
    const given = { ...flags, given: { ...flags.given, target: 'embedded' } };
    const settings = await withReason(
      await readCheckedSettings({ ...call, flags: given, sendsNothing: true }),
      io,
    );
    const { judgeRecorded } = await import('../../run/judge.ts');
    const output = await judgeRecorded(settings, {
      files: args.map((file) => (file === '-' ? file : resolve(io.folder, file))),
      targets: options.targets,
      isOneEnterprise: options.oneEnterprise,
      apis: 'apis' in flags.given ? settings.apis : null,
      command: renderCommandLine(io.args, io.redactor),
      program: programOf(io),
      root: io.folder,
      notice: (text) => {
        if (!options.quiet) io.stderr.write(`${text}\n`);
      },
    });
    const talk = createTalk({ quiet: options.quiet, verbose: false, json: false }, io);
    talk.stop();
    await talk.finish(output);
    if (output.notKept !== null) throw output.notKept;
    return output.exitCode as ExitCode;
  },
});
