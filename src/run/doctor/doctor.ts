import type { Clock } from '../../core/clock.ts';
import { exitCodes, GatecheckError, type ExitCode } from '../../core/errors.ts';
import type { Redactor } from '../../core/redact.ts';
import type { Settings } from '../../core/settings.ts';
import { refusedByLimit } from '../../engine/health/reasons.ts';
import type { Listener } from '../../engine/observe/events.ts';
import { openRun } from '../../engine/session/openRun.ts';
import { memoryFolder } from '../memoryFolder.ts';
import { lookAtKeys } from './keys.ts';
import { fail, ok, warn, type DoctorLine } from './render.ts';
import { createPatient, nullOnceEnded, type Patient } from './patient.ts';
import { lookAtClock, lookAtGate, lookAtKnown, lookAtSink, lookAtStates } from './rest.ts';
import { verifyStates } from './conformance.ts';
import { lookAtTarget } from './target.ts';
import { lookAtTls } from './tls.ts';
import type { Exchange } from '../../core/evidence.ts';
import { responseOf } from '../../judge/kernel/body.ts';

interface DoctorOptions {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Folder of the pace book. */
  readonly root: string;
  /** Whether the states that a state handler offers may be tried, which changes the deployment; by default true. */
  readonly triesStates?: boolean;
  /** Gets events about what is sent. */
  readonly listener?: Listener | undefined;
  /** Learns the secrets of the target. */
  readonly redactor?: Redactor | undefined;
}

/** Checks everything that a run depends on. Sends only read requests, and spends no quota. */
export async function examine(options: DoctorOptions): Promise<readonly DoctorLine[]> {
  const { settings } = options;
  try {
    return await examineTarget(settings, options);
  } catch (error) {
    if (!(error instanceof GatecheckError) || error.code !== 'STATE_HANDLER') throw error;
    const line = fail('state handler', 'states', error.message, error.hint ?? '');
    // The rest can be checked without it.
    const rest = await examineTarget({ ...settings, stateHandler: null }, options);
    return [...rest.filter(({ area }) => area !== 'state handler'), line];
  }
}

async function examineTarget(
  settings: Settings,
  { clock, signal, root, triesStates = true, ...ports }: DoctorOptions,
): Promise<readonly DoctorLine[]> {
  await using run = await openRun(settings, { ...ports, clock, signal, memory: memoryFolder(root) });
  const patient = createPatient(run);
  const reached = await lookAtTarget(patient);
  // If nothing answers, nothing can be said about keys and clocks.
  const answers = reached.some(({ health }) => health !== 'fail');
  const asked = answers
    ? [...(await lookAtPace(patient)), ...(await lookAtKeys(patient)), ...lookAtClock(patient)]
    : [];
  const tls = await lookAtTls(settings, clock.now());
  const isAsked = answers && patient.ended() === null;
  const verified = isAsked
    ? await verifyStates(patient, triesStates).catch((error: unknown) => nullOnceEnded(patient, error))
    : null;
  const states = [...lookAtStates(run), ...(verified ?? [])];
  return [
    ...reached,
    ...tls,
    ...asked,
    ...lookAtEnd(patient),
    ...states,
    ...lookAtSink(run),
    ...lookAtKnown(run),
    ...lookAtGate(run),
  ];
}

/** Why not everything was asked, if so: a run would end there as well. */
function lookAtEnd(patient: Patient): readonly DoctorLine[] {
  const reason = patient.ended() ?? (patient.isLockedOut() ? refusedByLimit : null);
  const todo = 'Try again later, or with other keys; a run would end here as well.';
  return reason === null ? [] : [fail('target', 'end', `${reason}; nothing more was asked`, todo)];
}

/** Exit code for the findings: the gate comes before what is inconclusive. */
export function doctorCode(lines: readonly DoctorLine[], strict: boolean): ExitCode {
  const failed = lines.filter(({ health }) => health === 'fail');
  if (failed.some(({ area }) => area === 'gate')) return exitCodes.gateNotMet;
  if (strict && lines.some(({ health }) => health === 'warn')) return exitCodes.gateNotMet;
  return failed.length > 0 ? exitCodes.inconclusive : exitCodes.ok;
}

/** Number of reads: enough for a median and a spread, few enough for a key of 60 per minute. */
const asked = 5;
/** With answers this slow, a run of some hundred requests takes minutes. */
const slowMs = 1000;

/** Latency and jitter of a read over an open connection; and whether somebody else uses the key's limit. */
async function lookAtPace(patient: Patient): Promise<readonly DoctorLine[]> {
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
