import { systemClock } from '../../core/clock.ts';
import { exitCodes } from '../../core/errors.ts';
import { abortOnInterrupt } from '../../core/interrupt.ts';
import { agreementTable, mayTryStates } from '../agreement.ts';
import { command, settingsBut } from '../command.ts';
import { loadCheckedSettings } from '../loadSettings.ts';
import { talkTable } from '../talk.ts';

/** `doctor`: looks at target, keys, clock, state handler and sink before a run; spends no quota. */
export const doctorCommand = command({
  name: 'doctor',
  about: 'check target, keys, clock, state handler and sink before a run; spends no quota',
  settings: settingsBut('watchMs', 'updateBaseline', 'baselineReason'),
  options: {
    ...agreementTable,
    quiet: { ...talkTable.quiet, help: 'print only what is not well, and the verdict' },
  },
  examples: [
    'gatecheck doctor',
    'gatecheck doctor --target https://qa.example.com --sink-public-url https://my-tunnel.example.com',
    'gatecheck doctor --target https://qa.example.com --state-handler https://qa.example.com/_state --yes',
  ],
  run: async (call) => {
    const { io, options } = call;
    const settings = await loadCheckedSettings(call);
    const triesStates = await mayTryStates(settings, options.yes, io);
    const [{ doctorCode, examine }, { renderDoctor }] = await Promise.all([
      import('../../run/doctor/doctor.ts'),
      import('../../run/doctor/render.ts'),
    ]);
    const { signal, release } = abortOnInterrupt(io);
    try {
      const lines = await examine({ settings, clock: systemClock, signal, root: io.folder, triesStates });
      const told = options.quiet ? lines.filter(({ health }) => health !== 'ok') : lines;
      io.stdout.write(io.redactor.redact(renderDoctor(told, io.stdout.palette)));
      return doctorCode(lines, settings.strict);
    } catch (error) {
      if (!signal.aborted) throw error;
      return exitCodes.interrupted;
    } finally {
      release();
    }
  },
});
