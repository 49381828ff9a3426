import { randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';

/** A unique name for a run that sorts by time. */
export function newRunId(clock: Clock): string {
  const stamp = new Date(clock.now()).toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-');
  return `${stamp}-${randomBytes(3).toString('hex')}`;
}
