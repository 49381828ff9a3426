import type { Delivery, Evidence, Exchange } from '../../core/evidence.ts';
import { type Reason, type Violation as Broken, Findings, type Finding } from '../../spec/kernel/findings.ts';
import { asValue } from '../../spec/kernel/value.ts';
import type { Blame } from '../../spec/kernel/blame.ts';
import { isNote } from '../../trace/evidence.ts';
import { type Judgement, type Violated, differs, holds, judgementOf } from './judgement.ts';

/** A judgement of one requirement by one piece of evidence. */
export interface Sample {
  readonly requirement: string;
  readonly judgement: Judgement;
  /** The evidence for it, in order; left out if it is what the oracle was just shown. */
  readonly evidence?: readonly Evidence[];
  /** Broken whatever else was sent that nobody recorded. */
  readonly isSettled?: true;
}

/** A sample that breaks its requirement, with its evidence. */
export interface Violation extends Sample {
  readonly judgement: Violated;
  readonly evidence: readonly Evidence[];
}

/** The result for evidence that is no sample of an oracle's rules. */
export const noSamples: readonly Sample[] = Object.freeze([]);

const shared = { holds: new Map<string, Sample>(), 'not-applicable': new Map<string, Sample>() };

/** The sample of a judgement; one shared object per requirement if it has no details, as most have none. */
export function sampleOf(requirement: string, judgement: Judgement): Sample {
  if (judgement.status === 'violated' || judgement.status === 'unclear') return { requirement, judgement };
  const known = shared[judgement.status];
  let sample = known.get(requirement);
  if (!sample) known.set(requirement, (sample = Object.freeze({ requirement, judgement })));
  return sample;
}

/** The sample of a sentence that the specification says is broken. */
export function sampleOfViolation({ rule, code, at, want, got, because, isSettled }: Broken): Sample {
  const by = because.flatMap((one) => (isNote(one) ? [] : [one]));
  return {
    ...sampleOf(rule, differs(code, at, asValue(want), asValue(got), by)),
    evidence: by.toReversed(),
    ...(isSettled && { isSettled }),
  };
}

/** The sample of what the specification finds of a sentence. */
export function sampleOfSaid([rule, found]: readonly [rule: string, found: Finding]): Sample {
  const sample = sampleOf(rule, judgementOf(found));
  const by = typeof found === 'object' && found !== null ? found.because?.filter(isSeen) : [];
  return by === undefined || by.length === 0 ? sample : { ...sample, evidence: by.toReversed() };
}

function isSeen(one: Reason): one is Exchange | Delivery {
  return 'request' in one || 'registration' in one;
}

/** The samples of what was kept since they were taken last, of the rules that an oracle judges. */
export function samplesKept(blame: Blame, own: ReadonlySet<string>): readonly Sample[] {
  const kept = blame.takeKept();
  if (kept.length === 0) return noSamples;
  return kept.filter((rule) => own.has(rule)).map((rule) => sampleOf(rule, holds));
}

/** The samples that a piece of evidence is, one of each rule. */
export function samplesOfFindings({ all }: Findings): readonly Sample[] {
  const samples: Sample[] = [];
  for (const said of all) samples.push(sampleOfSaid(said));
  return samples;
}

/** What a judge of the specification finds, for a check that asks it. */
export function found(judge: (findings: Findings) => void): Readonly<Record<string, Judgement>> {
  const findings = new Findings();
  judge(findings);
  return Object.fromEntries(Array.from(findings.all, ([rule, said]) => [rule, judgementOf(said)]));
}
