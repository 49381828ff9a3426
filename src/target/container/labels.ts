import { hostname } from 'node:os';
import { isRunning, startOf } from '../../core/otherProcess.ts';

/** Labels by which everything that a run starts can be found again. */
export const labelNames = {
  run: 'gatecheck.run',
  host: 'gatecheck.host',
  process: 'gatecheck.process',
  startedAt: 'gatecheck.started-at',
} as const;

export type Labels = Readonly<Record<string, string>>;

export function labelsOf(runId: string, now: number): Labels {
  return {
    [labelNames.run]: runId,
    [labelNames.host]: hostname(),
    [labelNames.process]: `${process.pid}:${startOf(process.pid) ?? ''}`,
    [labelNames.startedAt]: String(now),
  };
}

/** No run takes this long: older containers from another machine on a shared engine are abandoned. */
const longestRunMs = 24 * 3_600_000;

/** Whether the process that started something is gone. For another machine, only the age shows that. */
export function isAbandoned(labels: Labels, now: number): boolean {
  if (labels[labelNames.host] !== hostname())
    return now - Number(labels[labelNames.startedAt]) > longestRunMs;
  const [pid = '', start = ''] = (labels[labelNames.process] ?? '').split(':');
  return !isRunning(Number(pid)) || (startOf(Number(pid)) ?? '') !== start;
}
