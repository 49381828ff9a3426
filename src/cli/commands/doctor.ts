import { systemClock } from '../../core/clock.ts';
import { exitCodes } from '../../core/errors.ts';
import { abortOnInterrupt } from '../../core/interrupt.ts';
import { agreementTable, mayTryStates } from '../agreement.ts';
import { command, settingsBut } from '../command.ts';
import { readCheckedSettings } from '../readSettings.ts';
import { doctorEvents } from '../events/doctorEvents.ts';
import { checkTalk, talkTable, trafficTeller, writeEvent } from '../talk.ts';

/** `doctor`: checks target, keys, clock, state handler and sink before a run; spends no quota. */
export const doctorCommand = command({
  name: 'doctor',
  about: 'check target, keys, clock, state handler and sink before a run; spends no quota',
  settings: settingsBut('watchMs', 'updateBaseline', 'baselineReason'),
  options: {
    ...agreementTable,
    ...talkTable,
    quiet: { ...talkTable.quiet, help: 'print only problems, and the verdict' },
  },
  examples: [
    'gatecheck doctor',
    'gatecheck doctor --target https://qa.example.com --sink-public-url https://my-tunnel.example.com',
    'gatecheck doctor --target https://qa.example.com --state-handler https://qa.example.com/_state --yes',
  ],
  run: async (call) => {
    const { io, options } = call;
    checkTalk(options);
    const settings = await readCheckedSettings(call);
    const triesStates = await mayTryStates(settings, options.yes, io);
    const [{ doctorCode, examine }, { renderDoctor }] = await Promise.all([
      import('../../run/doctor/doctor.ts'),
      import('../../run/doctor/render.ts'),
    ]);
    const { signal, release } = abortOnInterrupt(io);
    const listener = trafficTeller(options, io);
    try {
      const asked = { settings, triesStates, listener, redactor: io.redactor };
      const look = { ...asked, clock: systemClock, signal, root: io.folder };
      const lines = await examine(look);
      const exitCode = doctorCode(lines, settings.strict);
      const told = options.quiet ? lines.filter(({ health }) => health !== 'ok') : lines;
      if (options.json) for (const event of doctorEvents(told, exitCode)) writeEvent(event, io);
      else io.stdout.write(io.redactor.redact(renderDoctor(told, io.stdout.palette)));
      return exitCode;
    } catch (error) {
      if (!signal.aborted) throw error;
      return exitCodes.interrupted;
    } finally {
      release();
    }
  },
});
