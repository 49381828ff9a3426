import type { Finding } from '../engine/findings/finding.ts';
import { isJudged } from '../judge/kernel/verdict.ts';
import { answerOf, headerNamedBy } from './member.ts';
import type { RequirementResult, RunResult } from './result.ts';

/** Which findings kept a requirement from being judged. */
interface HeldBack {
  readonly heldBackBy: string[];
}

/**
 * Notes with each requirement that was not judged which findings kept it from that. Where the baseline knows all of them, what stayed
 * inconclusive is known as well: a failure that is forgiven must not keep the gate closed by what hangs on it.
 */
export function withHeldBack<T extends Pick<RunResult, 'requirements' | 'findings'>>(
  judged: T,
  violatedBy: (evidence: string) => readonly string[],
): T {
  const heldBack = findHeldBack(judged, violatedBy);
  const known = new Set(judged.findings.flatMap((one) => (one.baselined === true ? [one.fingerprint] : [])));
  const requirements = judged.requirements.map((row) => {
    const held = heldBack.get(row.id);
    if (held === undefined) return row;
    const isKnown = row.verdict === 'inconclusive' && held.heldBackBy.every((one) => known.has(one));
    return { ...row, ...held, baselined: row.baselined || isKnown };
  });
  return { ...judged, requirements };
}

/**
 * The requirements that were not judged because of a finding, by id. Three things show it: the answer that they build on, named
 * by the reason or the last of their case, breaks a rule itself; the reason quotes the refusal that broke a rule; or the reason
 * names the broken rule.
 */
export function findHeldBack(
  { requirements, findings }: Pick<RunResult, 'requirements' | 'findings'>,
  violatedBy: (evidence: string) => readonly string[],
): ReadonlyMap<string, HeldBack> {
  const byRequirement = Map.groupBy(findings, ({ requirement }) => requirement);
  const brokenBy = (evidence: readonly string[]) =>
    evidence
      .flatMap((id) => violatedBy(id))
      .flatMap((requirement) => byRequirement.get(requirement) ?? [])
      // Nothing depends on how an answer is labelled.
      .filter((finding) => headerNamedBy(finding) === null);
  const blamed = requirements
    .filter((row) => isOpen(row))
    .map((row) => {
      const named = brokenBy(idsIn(row.reason ?? ''));
      const refused = named.length > 0 ? named : refusedAlike(row, findings);
      const before = refused.length > 0 ? refused : brokenBy(row.evidence ?? []);
      return [row.id, before.length > 0 ? before : endedBy(row, byRequirement)] as const;
    });
  return new Map(
    blamed
      .filter(([, by]) => by.length > 0)
      .map(([id, by]) => [id, { heldBackBy: [...new Set(by.map(({ fingerprint }) => fingerprint))] }]),
  );
}

/** Neither judged nor observed, though it could have been. */
function isOpen({ verdict, excused }: RequirementResult): boolean {
  return (
    excused === undefined && !isJudged(verdict) && verdict !== 'observed' && verdict !== 'not-applicable'
  );
}

/** Findings of a refusal that came instead of another answer, if the reason quotes the same one. */
function refusedAlike({ reason }: RequirementResult, findings: readonly Finding[]): readonly Finding[] {
  return findings.filter((finding) => {
    const { status = 0, reason: said = '' } = answerOf(finding) ?? {};
    return [400, 409, 422].includes(status) && said.length >= 8 && reason?.includes(finding.actual) === true;
  });
}

/** `x601` from a sentence that names exchanges. */
function idsIn(reason: string): string[] {
  return [...reason.matchAll(/\b[xc]\d+\b/g)].map(([id]) => id);
}

/** Findings of the requirements that the reason names; those of its own checks if there are any. */
function endedBy(row: RequirementResult, byRequirement: ReadonlyMap<string, Finding[]>): Finding[] {
  const ids = [...(row.reason ?? '').matchAll(/\b[A-Z]{3}-[A-Z]{2,3}-\d{3}\b/g)].map(([id]) => id);
  const named = ids.flatMap((id) => byRequirement.get(id) ?? []);
  const own = named.filter(({ check }) => row.checks.includes(check));
  return own.length > 0 ? own : named;
}
