import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

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
    [labelNames.process]: `${process.pid}:${startOf(process.pid)}`,
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
  return !isAlive(Number(pid)) || startOf(Number(pid)) !== start;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user is alive, too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** When a process started, in ticks since boot, so that a reused process id is recognized; empty if unknown. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program may contain blanks and brackets.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
