import { existsSync } from 'node:fs';
import { isDelivery } from '../core/evidence.ts';
import { Redactor } from '../core/redact.ts';
import type { Settings } from '../core/settings.ts';
import { clockBookOf } from '../engine/clock/clockBook.ts';
import { noJournal } from '../send/journal.ts';
import { isNote } from '../trace/evidence.ts';
import { keyRingOf } from '../target/url.ts';
import type { Recorded } from './recorded/lineEvidence.ts';
import { ownEvidence } from './recorded/ownLines.ts';
import { readRecording } from './recorded/readRecorded.ts';
import { RecordedJudge } from './recorded/recordedJudge.ts';

/** How often a rule was judged, and how often it was broken. */
export interface Judged {
  readonly samples: number;
  readonly violations: number;
}

interface Journals {
  /** Of the run that has the finding. */
  readonly earlier: string;
  /** Of the replay. */
  readonly later: string;
}

/**
 * What a replay adds to what its run showed of a requirement. Some rules are judged by what other checks found out about the
 * deployment, which a replay does not send again. Null without the journal of the run.
 */
export async function judgedBeside(
  { earlier, later }: Journals,
  requirement: string,
  settings: Settings,
): Promise<Judged | null> {
  if (!existsSync(earlier)) return null;
  const before = (await recordedIn(earlier, 'earlier ')).map(ofAnotherEnterprise);
  const [alone, both] = [
    await judged(before, requirement, settings),
    await judged([...before, ...(await recordedIn(later, ''))], requirement, settings),
  ];
  return {
    samples: both.samples - alone.samples,
    violations: both.violations - alone.violations,
  };
}

async function recordedIn(file: string, prefix: string): Promise<readonly Recorded[]> {
  return ownEvidence(await readRecording(file), prefix);
}

/** A replay makes its own enterprise where a state handler can: keys with the same labels are others. */
function ofAnotherEnterprise(one: Recorded): Recorded {
  const { evidence } = one;
  if (isNote(evidence) || isDelivery(evidence) || evidence.enterprise === null) return one;
  return { ...one, evidence: { ...evidence, enterprise: `earlier ${evidence.enterprise}` } };
}

async function judged(
  recorded: readonly Recorded[],
  requirement: string,
  settings: Settings,
): Promise<Judged> {
  const judge = new RecordedJudge({
    ...{ settings, checks: [], keys: keyRingOf(settings), redactor: new Redactor(), journal: noJournal },
    ...{ clockBook: clockBookOf(null, ''), isAlone: settings.share >= 1 },
  });
  for (const one of recorded) judge.add(one);
  for (const one of recorded) await judge.see(one);
  judge.observer.end();
  const { samples, violations } = judge.observer.tallies.of(requirement);
  return { samples, violations: [...violations.values()].reduce((sum, { count }) => sum + count, 0) };
}
