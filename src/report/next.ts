import type { Finding } from '../engine/findings/finding.ts';
import type { Cause } from './causes.ts';
import { findingState, type FindingState } from './states.ts';
import { replayParts } from './replayParts.ts';
import type { RunResult } from './result.ts';
import { plural } from './text/format.ts';
import { isRecorded } from './verdictText.ts';

/** What to do now about the failures: where to start, why there, and the command that shows whether it is fixed. */
interface NextStep {
  readonly lead: Finding;
  /** `One cause explains what failed.` */
  readonly count: string;
  readonly title: string;
  /** `9 other rules could not be judged because of it.`; empty if it holds nothing back. */
  readonly blocks: string;
  /** Null where nothing that was sent can be sent again. */
  readonly command: string | null;
}

/** What to do in place of a command: a recording stays as it is. */
export const recordAgain = 'record the traffic again, and judge the new recording';

/** Null if nothing failed or warned outside the baseline. */
export function nextStep({ requirements, run }: RunResult, causes: readonly Cause[]): NextStep | null {
  const having = (...wanted: FindingState[]) =>
    causes.filter(({ lead }) => wanted.includes(findingState(lead)));
  const failing = having('fail');
  const open = failing.length > 0 ? failing : having('inconclusive', 'warn');
  const [first] = open;
  if (first === undefined) return null;
  const { lead, heldBack } = first;
  const what =
    failing.length > 0
      ? 'what failed'
      : having('inconclusive').length > 0
        ? 'what stayed undecided'
        : 'the warnings';
  return {
    lead,
    count: open.length === 1 ? `One cause explains ${what}.` : `${open.length} causes explain ${what}.`,
    title: requirements.find(({ id }) => id === lead.requirement)?.title ?? lead.message,
    blocks:
      heldBack.length === 0
        ? ''
        : `${plural(heldBack.length, 'other rule')} could not be judged because of it.`,
    command: afterwards(lead.reproduce.command, run.command),
  };
}

/** What shows whether it is fixed. A proxy is started again, and sees other traffic. */
function afterwards(replay: string, first: string): string | null {
  if (!isRecorded({ command: first })) return againOf(replay, first);
  return first.startsWith('gatecheck proxy') ? first : null;
}

/**
 * The command that runs what failed, derived from the one that replays a finding: the same program, reports and options. A
 * replay takes the target from the result; a run needs it as the first run did.
 */
function againOf(replay: string, first: string): string {
  const parts = replayParts.exec(replay)?.groups;
  if (parts === undefined) return replay;
  const { before = '', from, options = '' } = parts;
  const target = / --target[ =](\S+)/.exec(first)?.[0] ?? '';
  const words = [`${before}run --only-failed`, ...(from === undefined ? [] : [from])];
  return `${words.join(' ')}${target}${options}`;
}
