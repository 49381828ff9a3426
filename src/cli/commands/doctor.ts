import { systemClock } from '../../core/clock.ts';
import { exitCodes } from '../../core/errors.ts';
import { abortOnInterrupt } from '../../core/interrupt.ts';
import { loadCheckedSettings } from '../loadSettings.ts';
import { addSharedOptions, type RawOptions } from '../options.ts';
import type { AddCommand } from '../command.ts';
import { addExamples } from './example.ts';

/** `doctor`: looks at target, keys, clock, state handler and sink before a run; spends no quota. */
export const addDoctor: AddCommand = (command, io, finish) => {
  addSharedOptions(
    command.description('check target, keys, clock, state handler and sink before a run; spends no quota'),
  );
  addExamples(
    command,
    'gatecheck doctor',
    'gatecheck doctor --target https://qa.example.com --sink-public-url https://my-tunnel.example.com',
  );
  command.action(async (raw: RawOptions) => {
    const settings = await loadCheckedSettings(raw, io);
    const [{ doctorCode, examine }, { renderDoctor }] = await Promise.all([
      import('../../run/doctor/doctor.ts'),
      import('../../run/doctor/render.ts'),
    ]);
    const { signal, release } = abortOnInterrupt(io);
    try {
      const lines = await examine({ settings, clock: systemClock, signal, root: io.folder });
      io.stdout.write(io.redactor.redact(renderDoctor(lines, io.stdout.palette)));
      finish(doctorCode(lines, settings.strict));
    } catch (error) {
      if (!signal.aborted) throw error;
      finish(exitCodes.interrupted);
    } finally {
      release();
    }
  });
};
