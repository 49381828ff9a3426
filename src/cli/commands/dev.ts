import { row } from '../../settings/row.ts';
import { words } from '../../settings/forms.ts';
import { usageError } from '../../core/errors.ts';
import { agree, agreementTable } from '../agreement.ts';
import { command, settingsBut } from '../command.ts';
import { readCheckedSettings } from '../readSettings.ts';

const devTable = {
  files: row({
    form: words,
    default: null,
    flag: '--files <pattern>',
    help: 'also run again when files that match this pattern change, such as src/**/*.py; restarts of the server are always noticed',
  }),
  ...agreementTable,
};

/** `dev`: for people who are writing a server. */
export const devCommand = command({
  name: 'dev',
  about:
    'while you write a server: run the checks at every restart, failed ones first; keys: a all, f failed, o open report, q quit',
  settings: settingsBut('image', 'shard', 'baseline', 'updateBaseline', 'baselineReason', 'watchMs'),
  options: devTable,
  examples: [
    'gatecheck dev --target http://127.0.0.1:8080',
    "gatecheck dev --target http://127.0.0.1:8080 --files 'src/**/*.py' --api webcheckin",
  ],
  run: async (call) => {
    const { io, options } = call;
    const settings = await readCheckedSettings(call);
    if (settings.target.kind !== 'url')
      throw usageError(
        'NO_SERVER',
        `expected --target, the server that is being written; got the ${settings.target.kind} target`,
        'To try it: `gatecheck serve --port 8080 --env sandbox.env`, and in another terminal `. ./sandbox.env && gatecheck dev`.',
      );
    const forecast = () => Promise.resolve(['the checks again and again, whenever the server restarts']);
    await agree(settings, { yes: options.yes, forecast }, io);
    const { developHere } = await import('../dev.ts');
    return developHere(settings, options.files, io);
  },
});
