import type { Finding } from '../engine/findings/finding.ts';
import { notEmpty } from '../spec/kernel/value.ts';
import {
  leadFirst,
  rankOf,
  stepsIn,
  wrongFormIn,
  wrongFormTraits,
  wrongValueOf,
  wrongValueTraits,
  type WrongForm,
  type WrongValue,
} from './causeLead.ts';
import { partsTrait, rulesBrokenAlike, rulesBrokenOften, rulesOfParts } from './causeRules.ts';
import { explanationsAmong, explanationTraits } from './causeExplanations.ts';
import { foreignFid, formOf, jsonOf, maskOf, memberNamedBy } from './member.ts';
import {
  deviationTrait,
  effectTrait,
  formTraits,
  isWronglyAccepted,
  letInTraits,
  lossTraits,
  namedCaseTrait,
  rulesLetIn,
  isDeliveredToWrongAddress,
  isPassive,
  openFormTrait,
  ownCodeTrait,
  readinessTrait,
  refusalTrait,
  requiredTrait,
  sameFormTraits,
  sentenceTrait,
  strangeNoticeTrait,
  timeFormTrait,
  strangeStatusTrait,
  unauthenticatedTrait,
  unrefusedTrait,
} from './causeTraits.ts';
import { Narrowing, type RowWidth } from './narrowing.ts';
import type { RequirementResult, RunResult } from './result.ts';

/** Findings that one mistake of the target explains, and what could not be judged because of them. */
export interface Cause {
  /** The finding to read: of those with the highest level, the one with the fewest steps. */
  readonly lead: Finding;
  /** The other findings of the cause, in reading order. */
  readonly others: readonly Finding[];
  /** Ids of the requirements that its findings break, that of the lead first. */
  readonly broken: readonly string[];
  /** Ids of the requirements that were not judged because of it. */
  readonly heldBack: readonly string[];
}

interface Judged extends Pick<RunResult, 'findings'> {
  /** In the order of the documents. */
  readonly requirements: readonly RowState[];
}

type RowState = Pick<RequirementResult, 'id' | 'heldBackBy'> & RowWidth;

/**
 * The findings of a result by cause: failures first, then by level, by the number of rows held back and broken, and in the order
 * of the documents. Findings share a cause if they break one requirement in ways that no check tells apart; if one case broke several
 * requirements; if the same member is wrong in the same way or makes a whole body wrong; if two answers disagree on a member; if
 * the same refusal comes instead of another answer; if one answer should have been a refusal; if callbacks are missing and
 * others came to a wrong address; if the catalogue says that the sentence of one narrows that of another; or if the decisive answer
 * of one is among the few that break the rule of another.
 */
export function causesOf({ findings, requirements }: Judged): readonly Cause[] {
  const places = new Map(requirements.map(({ id }, index) => [id, index]));
  const placeOf = ({ requirement }: Finding) => places.get(requirement) ?? requirements.length;
  const narrowing = new Narrowing(findings, requirements);
  const inOrder = findings.toSorted(
    (a, b) => rankOf(a) - rankOf(b) || narrowing.placeOf(a) - narrowing.placeOf(b) || stepsIn(a) - stepsIn(b),
  );
  const held = requirements.filter(({ heldBackBy = [] }) => heldBackBy.length > 0);
  const ofParts = rulesOfParts(findings);
  return joined(inOrder, narrowing, ofParts)
    .map((group) => causeOf(leadFirst(group, ofParts), held))
    .sort(
      (a, b) =>
        rankOf(a.lead) - rankOf(b.lead) ||
        b.heldBack.length - a.heldBack.length ||
        b.broken.length - a.broken.length ||
        placeOf(a.lead) - placeOf(b.lead),
    );
}

/** The cause that each finding belongs to, by its fingerprint. */
export function causeByFingerprint(causes: readonly Cause[]): ReadonlyMap<string, Cause> {
  return new Map(
    causes.flatMap((cause) =>
      [cause.lead, ...cause.others].map(({ fingerprint }) => [fingerprint, cause] as const),
    ),
  );
}

function causeOf(group: readonly Finding[], rows: readonly RowState[]): Cause {
  const [lead, ...others] = group as readonly [Finding, ...Finding[]];
  const fingerprints = new Set(group.map(({ fingerprint }) => fingerprint));
  return {
    lead,
    others,
    broken: [...new Set(group.map(({ requirement }) => requirement))],
    heldBack: rows
      .filter(({ heldBackBy = [] }) => heldBackBy.some((fingerprint) => fingerprints.has(fingerprint)))
      .map(({ id }) => id),
  };
}

/** Groups of findings that share a trait, directly or through others; each in the given order. */
function joined(
  findings: readonly Finding[],
  narrowing: Narrowing,
  ofParts: ReadonlySet<string>,
): readonly (readonly Finding[])[] {
  const leaders = new Map<string, number>();
  const parents = findings.map((_, index) => index);
  const rootOf = (index: number): number => {
    let root = index;
    while (parents[root] !== root) root = parents[root] ?? root;
    return root;
  };
  const hints: Hints = {
    accepted: new Set(findings.filter(isWronglyAccepted).flatMap((one) => shownBy(one) ?? [])),
    values: findings.flatMap(wrongValueOf),
    rare: new Set(findings.filter(isRare).map(({ requirement }) => requirement)),
    ofCheck: firstOfChecks(findings),
    ofRule: firstOfRules(findings),
    forms: findings.flatMap(wrongFormIn),
    explained: explanationsAmong(findings),
    letIn: rulesLetIn(findings),
    often: rulesBrokenOften(findings),
    ofParts,
    alike: rulesBrokenAlike(findings.filter((one) => !isDoubtful(one))),
  };
  findings.forEach((finding, index) => {
    for (const trait of [...traitsOf(finding, hints), ...narrowing.traitsOf(finding)]) {
      const leader = leaders.get(trait);
      if (leader === undefined) leaders.set(trait, index);
      else parents[Math.max(rootOf(leader), rootOf(index))] = Math.min(rootOf(leader), rootOf(index));
    }
  });
  const groups = Map.groupBy(findings, (_, index) => rootOf(index));
  return [...groups.values()];
}

/** What can only be known from all findings together. */
interface Hints {
  /** Ids of answers to requests that should have been refused. */
  readonly accepted: ReadonlySet<string>;
  /** Members with values of the wrong form. */
  readonly values: readonly WrongValue[];
  /** Requirements that a passive oracle saw broken by few of the answers that it judged. */
  readonly rare: ReadonlySet<string>;
  /** The first case of each check that failed every time. */
  readonly ofCheck: ReadonlyMap<string, Finding>;
  /** The first finding of each rule and code that was there every time. */
  readonly ofRule: ReadonlyMap<string, Finding>;
  /** Members of the wrong form, with the rule that says so. */
  readonly forms: readonly WrongForm[];
  /** What explains other findings. */
  readonly explained: ReadonlySet<string>;
  /** Rules by which something should have been refused. */
  readonly letIn: ReadonlySet<string>;
  /** Rules that most answers break. */
  readonly often: ReadonlySet<string>;
  /** Rules that only requests by multipart break. */
  readonly ofParts: ReadonlySet<string>;
  /** Rules that no check sees broken in two ways: how checks name a way is their own matter. */
  readonly alike: ReadonlySet<string>;
}

/** What breaks a rule in many answers, or in a third of them, may be seen together with any other mistake. */
function isRare(finding: Finding): boolean {
  const [broken = 0, judged = 0] = finding.confirmed.split(' of ').map(Number);
  return isPassive(finding) && broken * 3 < judged && broken <= mostRare;
}

const mostRare = 30;

function firstOfChecks(findings: readonly Finding[]): ReadonlyMap<string, Finding> {
  const sure = findings.filter((finding) => !isPassive(finding) && !isDoubtful(finding));
  return new Map(sure.toReversed().map((finding) => [finding.check, finding]));
}

function firstOfRules(findings: readonly Finding[]): ReadonlyMap<string, Finding> {
  const sure = findings.filter((finding) => !isDoubtful(finding));
  return new Map(sure.toReversed().map((one) => [`${one.requirement} ${one.code ?? ''}`, one]));
}

/** What could not be repeated, and a must that was not broken again when its case was. */
function isDoubtful({ level, severity }: Finding): boolean {
  return severity === 'inconclusive' || (level === 'must' && severity === 'warn');
}

/** What two findings of one cause have in common. Findings that did not show again are kept apart from those that did. */
function traitsOf(finding: Finding, hints: Hints): string[] {
  const { requirement, code = '', check } = finding;
  // What one case of a check certainly broke explains what another one saw once; of the rule, what could not be repeated.
  const ofRule = hints.ofRule.get(`${requirement} ${code}`);
  const isSame = ofRule !== undefined && isWantedAlike(ofRule, finding);
  const once = finding.confirmed === '1 of 1' ? ofRule : undefined;
  const explained = isSame ? ofRule : (hints.ofCheck.get(check) ?? once);
  if (isDoubtful(finding) && explained !== undefined) return traitsOf(explained, hints);
  const sure = isDoubtful(finding) ? 'doubtful' : 'sure';
  // Which fid it is tells more than that it is another one.
  const member = foreignFid(finding) === null ? memberNamedBy(finding) : null;
  const last = finding.exchanges.at(-1);
  return [
    ['rule', requirement, hints.alike.has(requirement) ? '' : code],
    // One answer may show a passive oracle two mistakes; a case of a check is about one.
    ...(last === undefined || isPassive(finding) ? [] : [['case', check, last]]),
    ...(finding.decisive === undefined ? [] : [['answer', requirement, finding.decisive]]),
    ...memberTrait(finding, member),
    ...deviationTrait(finding),
    ...lossTraits(finding),
    ...formTraits(finding),
    ...namedCaseTrait(finding),
    ...rareTraits(finding, hints),
    ...valueTrait(finding, member),
    ...unitsTrait(finding),
    ...refusalTrait(finding),
    ...requiredTrait(finding),
    ...sentenceTrait(finding),
    ...ownCodeTrait(finding),
    ...timeFormTrait(finding),
    ...strangeNoticeTrait(finding),
    ...readinessTrait(finding, member),
    ...openFormTrait(finding),
    ...strangeStatusTrait(finding),
    ...unauthenticatedTrait(finding),
    ...unrefusedTrait(finding),
    ...wrongFormTraits(finding, hints.forms),
    ...effectTrait(finding),
    ...sameFormTraits(finding),
    ...(isDeliveredToWrongAddress(finding) ? [['astray']] : []),
    ...explanationTraits(finding, hints.explained),
    ...letInTraits(finding, hints.letIn, hints.often),
    ...partsTrait(finding, hints.ofParts),
    ...acceptanceTraits(finding, member, hints),
    ...wrongValueTraits(finding, member, hints.values),
  ].map((parts) => JSON.stringify([sure, ...parts]));
}

/** Whether two findings of a rule miss the same thing, in words that name it. */
function isWantedAlike({ want: one }: Finding, { want: other }: Finding): boolean {
  return one?.kind === 'text' && other?.kind === 'text' && one.text === other.text;
}

/** Something should be missing from records whatever made them so: only within one area is that one mistake. */
function memberTrait({ requirement, want, got }: Finding, member: string | null): string[][] {
  if (member === null) return [];
  const isVague = [want, got].some((one) => one?.kind === 'pattern' && one.name === anything);
  const area = isVague ? [requirement.slice(0, 7)] : [];
  return [['member', maskOfPath(member), ...area, ...[maskOf(want), maskOf(got)].toSorted()]];
}

const anything = notEmpty.kind === 'pattern' ? notEmpty.name : '';

/** Traits for a rule that few answers break, this finding's answer among them; not where most answers break the finding's own. */
function rareTraits({ requirement, alsoBreaks = [] }: Finding, { rare, often }: Hints): string[][] {
  if (often.has(requirement)) return [];
  return [requirement, ...alsoBreaks].filter((id) => rare.has(id)).map((id) => ['rare', id]);
}

/** One member with wrong values of one form, such as a time with a `T`; words such as a status have many causes. */
function valueTrait({ got }: Finding, member: string | null): string[][] {
  const form = got?.kind === 'off' ? 'off by 0' : formOf(jsonOf(got));
  return member === null || !form.includes('0')
    ? []
    : [['value', member.replace(/^(?:data)?\[\d*\]\./, ''), form]];
}

/** What a subscribe costs is decided at one place, whatever it follows. */
function unitsTrait({ want, got }: Finding): string[][] {
  if (want?.kind !== 'number' || got?.kind !== 'number' || got.things !== 'units') return [];
  return [['units', `${want.value}`, `${got.value}`]];
}

/** The answer that shows a finding. */
function shownBy({ decisive, exchanges }: Finding): string | undefined {
  return decisive ?? exchanges.at(-1);
}

/**
 * Such an answer should not exist at all, whatever a passive oracle says about it; and requests with the same wrong member are
 * accepted for one reason.
 */
function acceptanceTraits(finding: Finding, member: string | null, { accepted }: Hints): string[][] {
  const shown = shownBy(finding);
  const wrong = finding.want?.kind === 'refused' ? finding.want.of : undefined;
  return [
    ...(member === null && shown !== undefined && accepted.has(shown) ? [['accepted', shown]] : []),
    ...(wrong === undefined ? [] : [['wrongly accepted member', maskOfPath(wrong)]]),
  ];
}

/** A path without the positions of list elements. */
function maskOfPath(path: string): string {
  return path.replace(/\[\d+\]/g, '[]');
}
