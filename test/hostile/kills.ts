import { verdictsOf, withProgram, type KilledAndResumed, type Moment } from '../support/killedRun.ts';

// Runs that are killed at moments spread over their whole length, and gone on with.

/** Checks that read, and checks that leave records and subscriptions behind, in a few hundred requests. */
const selection = [
  ...['--profile', 'standard', '--max-subscriptions', '20'],
  ...['WCI-STS-0*', 'WCI-SUB-0*', 'SHR-AUT-00*', 'FLA-SUB-0*'].flatMap((pattern) => ['--only', pattern]),
];
const answerMs = 10;

/** A run that nobody kills: what the others are to come to. */
interface Undisturbed {
  readonly requests: number;
  readonly verdicts: readonly string[];
}

export async function undisturbedRun(): Promise<Undisturbed> {
  return withProgram({ selection, answerMs }, async (program) => {
    await program.whole('--report-dir', 'out');
    const result = program.result();
    if (result?.run.end !== 'completed') throw new Error('expected the undisturbed run to complete');
    return { requests: program.target.requests(), verdicts: verdictsOf(result) };
  });
}

/** One kill of so many, and what its resumption came to. */
interface Kill extends KilledAndResumed {
  readonly moment: Moment;
  /** Verdicts that differ from those of the undisturbed run. */
  readonly differing: readonly string[];
}

/** The kill number `index` of `total`: its moments cover the start, every part of the run, and the writing of the reports. */
export async function killedRun(index: number, total: number, whole: Undisturbed): Promise<Kill> {
  const moment = momentOf(index, total, whole.requests);
  return withProgram({ selection, answerMs }, async (program) => {
    const come = await program.killedAndResumed(moment, index % 4 === 3);
    return { ...come, moment, differing: come.verdicts.filter((one, at) => one !== whole.verdicts[at]) };
  });
}

/** What is wrong with what a kill and its resumption came to. */
export function killFaults({ end, differing, lost }: Kill): readonly string[] {
  return [
    ...(end === 'completed' ? [] : [`it ended as ${end}`]),
    ...differing.slice(0, 5).map((verdict) => `another verdict: ${verdict}`),
    ...lost.slice(0, 5).map((what) => `lost: ${what}`),
  ];
}

/** Three in a hundred before anything is sent, two after the last request; milliseconds by chance, the same for a number. */
function momentOf(index: number, total: number, requests: number): Moment {
  const at = (index + 0.5) / total;
  const chance = (Math.imul(index + 1, 2_654_435_761) >>> 0) / 2 ** 32;
  if (at < 0.03) return { requests: 0, ms: Math.round(1200 * chance) };
  if (at > 0.98) return { requests, ms: Math.round(400 * chance) };
  return { requests: Math.max(1, Math.round(((at - 0.03) / 0.95) * requests)), ms: Math.round(30 * chance) };
}
