import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { systemClock } from '../../core/clock.ts';
import { exitCodes, usageError } from '../../core/errors.ts';
import { abortOnInterrupt } from '../../core/interrupt.ts';
import { configNames } from '../../settings/configFile.ts';
import { renderConfigFor, renderConfigTemplate } from '../../settings/configTemplate.ts';
import { row } from '../../settings/row.ts';
import { command, settingsOf, type Call } from '../command.ts';
import { readCheckedSettings } from '../readSettings.ts';

const file = 'gatecheck.config.ts';

/** `init`: writes a commented config file into the current folder, or one with what the doctor found missing. */
export const initCommand = command({
  name: 'init',
  about: `write a commented config file, ${file}`,
  settings: settingsOf('target', 'image', 'apis', 'stateHandler.url', 'sink.listen', 'sink.publicUrl'),
  options: {
    force: row({ form: z.boolean(), default: false, flag: '--force', help: 'overwrite an existing one' }),
    fromDoctor: row({
      form: z.boolean(),
      default: false,
      flag: '--from-doctor',
      help: 'look at the target first, and write what is missing for it',
    }),
  },
  examples: ['gatecheck init', 'gatecheck init --from-doctor --target https://qa.example.com'],
  run: async (call) => {
    const { io, options } = call;
    const existing = configNames.find((name) => existsSync(join(io.folder, name)));
    if (existing !== undefined && !(options.force && existing === file)) throw occupied(existing);
    writeConfig(join(io.folder, file), options.fromDoctor ? await ofDoctor(call) : renderConfigTemplate());
    io.stdout.write(`Wrote ${file}. Uncomment what applies, then try: gatecheck plan\n`);
    return exitCodes.ok;
  },
});

/** Only asks: no state is tried. */
async function ofDoctor(call: Call): Promise<string> {
  const { io } = call;
  const settings = await readCheckedSettings(call);
  const [{ examine }, { missingSettings }] = await Promise.all([
    import('../../run/doctor/doctor.ts'),
    import('../../run/doctor/render.ts'),
  ]);
  const { signal, release } = abortOnInterrupt(io);
  try {
    const look = { settings, clock: systemClock, signal, root: io.folder, redactor: io.redactor };
    const lines = await examine({ ...look, triesStates: false });
    const { target } = settings;
    return renderConfigFor(
      target.kind === 'url' ? target.baseUrls[settings.apis[0] ?? 'webcheckin'] : null,
      missingSettings(lines),
    );
  } finally {
    release();
  }
}

function occupied(existing: string): Error {
  const hint =
    existing === file ? 'Overwrite it with --force.' : 'Remove it first; a folder has one config file.';
  return usageError('CONFIG_EXISTS', `expected a folder without a config file; got ${existing}`, hint);
}

function writeConfig(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch {
    throw usageError('UNWRITABLE', `expected to be able to write ${path}; it was refused`);
  }
}
