import { systemClock } from '../../core/clock.ts';
import { exitCodes } from '../../core/errors.ts';
import { abortOnInterrupt } from '../../core/interrupt.ts';
import { command, settingsBut } from '../command.ts';
import { loadCheckedSettings } from '../loadSettings.ts';

/** `doctor`: looks at target, keys, clock, state handler and sink before a run; spends no quota. */
export const doctorCommand = command({
  name: 'doctor',
  about: 'check target, keys, clock, state handler and sink before a run; spends no quota',
  settings: settingsBut('watchMs', 'updateBaseline', 'baselineReason'),
  options: {},
  examples: [
    'gatecheck doctor',
    'gatecheck doctor --target https://qa.example.com --sink-public-url https://my-tunnel.example.com',
  ],
  run: async (call) => {
    const { io } = call;
    const settings = await loadCheckedSettings(call);
    const [{ doctorCode, examine }, { renderDoctor }] = await Promise.all([
      import('../../run/doctor/doctor.ts'),
      import('../../run/doctor/render.ts'),
    ]);
    const { signal, release } = abortOnInterrupt(io);
    try {
      const lines = await examine({ settings, clock: systemClock, signal, root: io.folder });
      io.stdout.write(io.redactor.redact(renderDoctor(lines, io.stdout.palette)));
      return doctorCode(lines, settings.strict);
    } catch (error) {
      if (!signal.aborted) throw error;
      return exitCodes.interrupted;
    } finally {
      release();
    }
  },
});
