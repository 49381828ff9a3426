import { gateOf, gateText, type Gate } from './gate.ts';
import type { RunResult, RunVerdict } from './result.ts';
import { plural } from './text/format.ts';

/** The first line of every report: the verdict, and whether the gate is met. */
export interface Headline {
  /** The verdict whose mark and color it has. */
  readonly tone: RunVerdict;
  readonly mark: string;
  /** `nonconformant`, `load` */
  readonly verdict: string;
  /** ` (35 of 743 requirements selected)` if not everything was asked for; else empty. */
  readonly about: string;
  /** `gate met: 3 known failures`; null for a result of a version that did not write its exit code. */
  readonly gate: string | null;
  /** What the verdict means, for people who see it for the first time. */
  readonly meaning: string;
}

const marks = { conformant: '✓', partial: '◐', nonconformant: '✗', inconclusive: '?' } as const;

const meanings = {
  conformant: 'Every must that applies and can be observed was judged, and none failed.',
  partial: 'Nothing failed, but not every must was judged.',
  nonconformant: 'The target does not keep to the documents.',
  inconclusive: 'The run could not do what it planned; nothing can be said about the target.',
} as const;

/** What all reports say first about a result. */
export function headlineOf(result: RunResult): Headline {
  const gate = gateOf(result.summary);
  const head = isLoad(result) ? ofLoad(result, gate) : ofRun(result);
  const about = selectedOf(result);
  // A green tick beside exit code 1 would be believed.
  const isGreen = head.tone === 'conformant' || head.tone === 'partial';
  const tone = isGreen && gate?.state === 'not-met' ? 'nonconformant' : head.tone;
  return { ...head, about, tone, mark: marks[tone], gate: gate === null ? null : gateText(gate) };
}

function selectedOf({ run: { only, onlyOf }, requirements }: RunResult): string {
  if (only === undefined) return '';
  const count = onlyOf === undefined ? '' : `${requirements.length} of `;
  return ` (${count}${plural(onlyOf ?? requirements.length, 'requirement')} selected)`;
}

/** `nonconformant (35 of 743 requirements selected), gate met: 3 known failures` */
export function headlineText({ verdict, about, gate }: Omit<Headline, 'meaning'>): string {
  return gate === null ? `${verdict}${about}` : `${verdict}${about}, ${gate}`;
}

/** Whether a result is of a load, or of several ones. */
export function isLoad({ load, run }: Pick<RunResult, 'load' | 'run'>): boolean {
  return load !== undefined || /^gatecheck load\b/.test(run.command);
}

type Head = Pick<Headline, 'tone' | 'verdict' | 'meaning'>;

function ofRun({ summary: { verdict } }: RunResult): Head {
  return { tone: verdict, verdict, meaning: meanings[verdict] };
}

/** A load judges few rules: unless one is broken or it is undecided, it is about the gate. */
function ofLoad({ summary: { verdict }, load }: RunResult, gate: Gate | null): Head {
  const word = verdict === 'partial' ? 'load' : `load ${verdict}`;
  if (verdict === 'nonconformant') return { tone: verdict, verdict: word, meaning: meanings[verdict] };
  if (gate?.state === 'not-met')
    return { tone: 'nonconformant', verdict: word, meaning: 'The target did not meet what was required.' };
  if (verdict === 'inconclusive') return { tone: verdict, verdict: word, meaning: meanings[verdict] };
  const meaning =
    (load?.thresholds ?? []).length > 0
      ? 'The target met what was required.'
      : 'No threshold was set: read the figures.';
  return { tone: 'conformant', verdict: 'load', meaning };
}
