import type { DoctorLine } from '../../run/doctor/render.ts';
import type { CommandEvent } from './commandEvents.ts';

/** The doctor's findings as `--json` prints them: an event for each line, and the totals at the end. */
export function doctorEvents(lines: readonly DoctorLine[], exitCode: number): readonly CommandEvent[] {
  const count = (health: DoctorLine['health']) => lines.filter((line) => line.health === health).length;
  return [
    ...lines.map(({ setting: _setting, ...line }) => ({ name: 'looked-at' as const, ...line })),
    { name: 'doctor-finished', failed: count('fail'), warnings: count('warn'), exitCode },
  ];
}
