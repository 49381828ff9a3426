import type { Exchange } from '../../core/evidence.ts';
import { responseOf } from '../../judge/kernel/body.ts';
import { ok, warn, type DoctorLine } from './line.ts';
import type { Patient } from './patient.ts';

/** Number of reads: enough for a median and a spread, few enough for a key of 60 per minute. */
const asked = 5;
/** With answers this slow, a run of some hundred requests takes minutes. */
const slowMs = 1000;

/** Latency and jitter of a read over an open connection; and whether somebody else uses the key's limit. */
export async function lookAtPace(patient: Patient): Promise<readonly DoctorLine[]> {
  const { settings, target } = patient.run;
  const [api, [key]] = [settings.apis[0] ?? 'webcheckin', target.keys.primary];
  if (!key) return [];
  const answers: Exchange[] = [];
  for (let count = 0; count < asked; count += 1) {
    const answer = await patient.ask(api, key);
    if (answer === null) break;
    answers.push(answer);
    if (responseOf(answer)?.status === 429) return [usedByOthers(key.label)];
  }
  const times = answers
    .filter((one) => one.outcome.kind === 'response')
    .map(({ timings }) => timings.received - timings.sent);
  return times.length < 3 ? [] : [paceLine(times)];
}

/** This machine stays below the limits, so a 429 means that others send as well. */
function usedByOthers(label: string): DoctorLine {
  const text = `HTTP 429 though ${label} has room, as far as this machine knows: others use the key`;
  return warn('target', 'limits', text, 'Use a separate key, or leave room for them with --share.');
}

/** The median of the times, and their spread. */
export function paceLine(times: readonly number[]): DoctorLine {
  const sorted = times.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const steps = times.slice(1).map((time, index) => Math.abs(time - (times[index] ?? time)));
  const jitter = steps.reduce((sum, step) => sum + step, 0) / Math.max(1, steps.length);
  const text = `${Math.round(middle)} ms for a read, jitter ${Math.round(jitter)} ms (${times.length} reads)`;
  return middle < slowMs
    ? ok('target', 'latency', text)
    : warn(
        'target',
        'latency',
        text,
        'Run nearer to the target, or with more keys: checks run side by side.',
      );
}
