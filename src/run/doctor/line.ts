export const areas = ['target', 'keys', 'clock', 'state handler', 'sink', 'known data', 'gate'] as const;
type Area = (typeof areas)[number];

/** One thing that was checked before a run. */
export interface DoctorLine {
  readonly area: Area;
  readonly health: 'ok' | 'warn' | 'fail';
  /** An API, a key by its label, a capability. */
  readonly subject: string;
  /** What was found. */
  readonly text: string;
  /** What to do about it; null for nothing. */
  readonly todo: string | null;
  /** The setting that would help, such as `keys.other`, if a config file may have it. */
  readonly setting?: string;
}

export function ok(area: Area, subject: string, text: string): DoctorLine {
  return { area, health: 'ok', subject, text, todo: null };
}

/** A run works without it, but judges less. */
export function warn(area: Area, subject: string, text: string, todo: string, setting?: string): DoctorLine {
  return { area, health: 'warn', subject, text, todo, ...(setting === undefined ? {} : { setting }) };
}

/** A run would be inconclusive, or its gate not met. */
export function fail(area: Area, subject: string, text: string, todo: string): DoctorLine {
  return { area, health: 'fail', subject, text, todo };
}
