import type { OpenRun } from '../session/openRun.ts';
import type { ServerClock } from './serverClock.ts';

/** Clocks that differ by less than this agree. */
const agreementMs = 60_000;
/** A clock that was moved may have drifted by as much. */
const driftMs = 5 * agreementMs;

/** Tells how far off the clock of a target is that stays after the run. */
export function tellClock({ target, clockBook, tell }: OpenRun, clock: ServerClock): void {
  const text = target.kind === 'url' ? clockNotice(clock, clockBook.path) : null;
  if (text !== null) tell({ name: 'notice', text });
}

/** How far the target's clock is off, and what moved it, in words; null where it agrees with this machine's. */
export function clockNotice(clock: ServerClock, path: string | null = null): string | null {
  const offsets = [...new Set(clock.offsets().map((ms) => Math.round(ms / agreementMs)))];
  const [minutes = 0, ...others] = offsets;
  const { movedMs } = clock;
  const isMoved = Math.abs(movedMs) * 2 >= agreementMs;
  if (others.length > 0) {
    const why = isMoved ? ` Its state handler moved it by ${minutesText(movedMs)} before.` : '';
    const may = offsets.map((one) => offText(one * agreementMs)).join(' or ');
    return `No answer shows for sure what time it is for the target: its clock may be ${may}.${why} Times are judged by all of these.`;
  }
  if (minutes === 0) return null;
  const text = `The target's clock is ${offText(minutes * agreementMs)}, and times are judged by it`;
  // A step of a minute, as doctor makes it, does not explain a clock that is four minutes off.
  const drift = Math.min(driftMs, Math.max(agreementMs, Math.abs(movedMs)));
  if (!isMoved || Math.abs(movedMs - minutes * agreementMs) > drift)
    return `${text}. Set one of the two clocks by NTP.`;
  const known = path === null ? '' : ` Later runs know it from ${path}.`;
  return `${text}: its state handler moved it (clock.advance). A restart of the target may set it back.${known}`;
}

function offText(ms: number): string {
  if (ms === 0) return 'that of this machine';
  return `${minutesText(Math.abs(ms))} ${ms > 0 ? 'ahead of' : 'behind'} this machine's`;
}

/** A span of time in hours and minutes, such as `2 h 40 min`. */
export function minutesText(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  const [hours, rest] = [Math.trunc(minutes / 60), Math.abs(minutes % 60)];
  if (hours === 0) return `${minutes} min`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}
