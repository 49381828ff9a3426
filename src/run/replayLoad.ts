import type { Settings } from '../core/settings.ts';
import type { Finding, StoredCase } from '../engine/findings/finding.ts';
import { openRun, type RunPorts } from '../engine/session/openRun.ts';
import { resend, type Resent } from '../engine/attempt/resend.ts';
import { Session } from '../engine/session/session.ts';
import { createIdentities } from '../generate/kit/identity.ts';
import { wordsOf } from '../spec/wording/words.ts';
import type { BrokenRule } from '../load/judge/judgeShare.ts';
import { sendLoadAgain } from './loadFinding.ts';
import { memoryFolder } from './memoryFolder.ts';
import { emptyPlan, nowFailing, readOnlyError, stepsOf, type ReplayOutput } from './replay.ts';
import { requestsOf } from './resentRequests.ts';

interface LoadReplay extends RunPorts {
  /** Folder of the user's project, for what later runs must know; by default nothing is stored. */
  readonly root?: string;
  /** When the rule broke; undefined if the result does not say it. */
  readonly when: BrokenRule['when'] | undefined;
}

/**
 * Sends the requests of a load's finding again, one after another and at rest. A rule that holds then is fixed only if it was broken
 * at rest before: otherwise it takes the load.
 */
export async function replayLoad(
  finding: Finding,
  settings: Settings,
  { when, root, ...ports }: LoadReplay,
): Promise<ReplayOutput> {
  const stored = finding.case as unknown as StoredCase;
  if (settings.readOnly && stored.steps.some(({ method }) => method !== 'GET')) throw readOnlyError(finding);
  await using run = await openRun(settings, {
    ...ports,
    memory: root === undefined ? null : memoryFolder(root),
  });
  // A repetition with the same seed must make other bookings than the one before it.
  const identities = createIdentities(`${run.id}/${run.clock.now()}`, settings.seed);
  const session = new Session(run, { plan: emptyPlan(settings) });
  const resent = await resend(session, requestsOf(stored.steps, { keys: run.target.keys, identities }));
  return {
    ...verdictOf(finding, { stored, session, resent, when }),
    steps: stepsOf({ ...stored, whole: false }, resent.exchanges, run.redactor),
  };
}

interface Seen {
  readonly stored: StoredCase;
  readonly session: Session;
  readonly resent: Resent;
  readonly when: BrokenRule['when'] | undefined;
}

function verdictOf(
  finding: Finding,
  { stored, session, resent, when }: Seen,
): Pick<ReplayOutput, 'verdict' | 'reason'> {
  const { samples, violations } = session.observations.observer.tallies.of(finding.requirement);
  const [seen] = violations.values();
  if (seen) {
    const { expected, actual } = wordsOf(seen.judgement);
    return { verdict: 'FAILS', reason: `without load as well: expected ${expected}; got ${actual}` };
  }
  if (resent.cutShort !== null)
    return { verdict: 'DIFFERS', reason: `not all requests were sent: ${resent.cutShort}` };
  const failing = nowFailing(stored, resent.exchanges);
  if (failing !== null) return { verdict: 'DIFFERS', reason: failing };
  const held = `the rule held at rest, ${samples} of ${samples} times that it was judged`;
  if (samples > 0 && when === 'at-rest') return { verdict: 'FIXED', reason: held };
  const why = samples > 0 ? held : 'sent one by one, the requests say nothing about the rule';
  return {
    verdict: 'DIFFERS',
    reason: `${why}. To see whether it breaks under load, ${sendLoadAgain(finding)}`,
  };
}
