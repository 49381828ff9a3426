import type { Finding } from '../engine/finding.ts';
import { explanationsAmong, explanationTraits } from './causeExplanations.ts';
import { wrongFormIn, wrongFormTraits, type WrongForm } from './causeForms.ts';
import { beginningOf, memberNamedBy } from './member.ts';
import {
  deviationTrait,
  effectTrait,
  formTraits,
  isWronglyAccepted,
  letInTraits,
  lossTraits,
  namedCaseTrait,
  rulesLetIn,
  isAstray,
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
import { rankOf, stepsIn } from './readingOrder.ts';
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
 * of the documents. Findings share a cause if they break one requirement in the same way; if one case broke several
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
  return joined(inOrder, narrowing)
    .map((group) => causeOf(group, held))
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

function causeOf(group: readonly [Finding, ...Finding[]], rows: readonly RowState[]): Cause {
  const [lead, ...others] = group;
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
): readonly (readonly [Finding, ...Finding[]])[] {
  const leaders = new Map<string, number>();
  const parents = findings.map((_, index) => index);
  const rootOf = (index: number): number => {
    let root = index;
    while (parents[root] !== root) root = parents[root] ?? root;
    return root;
  };
  const hints: Hints = {
    accepted: new Set(findings.filter(isWronglyAccepted).flatMap((one) => shownBy(one) ?? [])),
    values: new Set(findings.flatMap(wrongValueOf)),
    rare: new Set(findings.filter(isRare).map(({ requirement }) => requirement)),
    ofCheck: firstOfChecks(findings),
    ofRule: firstOfRules(findings),
    forms: findings.flatMap(wrongFormIn),
    explained: explanationsAmong(findings),
    letIn: rulesLetIn(findings),
  };
  findings.forEach((finding, index) => {
    for (const trait of [...traitsOf(finding, hints), ...narrowing.traitsOf(finding)]) {
      const leader = leaders.get(trait);
      if (leader === undefined) leaders.set(trait, index);
      else parents[Math.max(rootOf(leader), rootOf(index))] = Math.min(rootOf(leader), rootOf(index));
    }
  });
  const groups = Map.groupBy(findings, (_, index) => rootOf(index));
  return [...groups.values()] as unknown as readonly (readonly [Finding, ...Finding[]])[];
}

/** What can only be known from all findings together. */
interface Hints {
  /** Ids of answers to requests that should have been refused. */
  readonly accepted: ReadonlySet<string>;
  /** Members with wrong values, in the spelling of the body. */
  readonly values: ReadonlySet<string>;
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
}

/** What breaks a rule in a third of the answers or more may be seen together with any other mistake. */
function isRare(finding: Finding): boolean {
  const [broken = 0, judged = 0] = finding.confirmed.split(' of ').map(Number);
  return isPassive(finding) && broken * 3 < judged;
}

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
  const [expected, actual] = [beginningOf(finding.expected), beginningOf(finding.actual)];
  // What one case of a check certainly broke explains what another one saw once; of the rule, what could not be repeated.
  const isOfRule = finding.confirmed === '1 of 1' ? hints.ofRule.get(`${requirement} ${code}`) : undefined;
  const explained = isDoubtful(finding) ? (hints.ofCheck.get(check) ?? isOfRule) : undefined;
  if (explained !== undefined) return traitsOf(explained, hints);
  const sure = isDoubtful(finding) ? 'doubtful' : 'sure';
  const member = memberNamedBy(finding);
  const last = finding.exchanges.at(-1);
  return [
    ['rule', requirement, code],
    // One answer may show a passive oracle two mistakes; a case of a check is about one.
    ...(last === undefined || isPassive(finding) ? [] : [['case', check, last]]),
    ...(finding.decisive === undefined ? [] : [['answer', requirement, finding.decisive]]),
    ...memberTrait(member, requirement, [maskOf(expected), maskOf(actual)]),
    ...deviationTrait(finding),
    ...lossTraits(finding),
    ...formTraits(finding),
    ...namedCaseTrait(finding),
    ...rareTraits(finding, hints),
    ...valueTrait(member, actual),
    ...refusalTrait({ requirement, actual }),
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
    ...(isAstray(finding) ? [['astray']] : []),
    ...explanationTraits(finding, hints.explained),
    ...letInTraits(finding, hints.letIn),
    ...acceptanceTraits(finding, member, hints),
    ...wrongValueTraits(finding, member, hints),
  ].map((parts) => JSON.stringify([sure, ...parts]));
}

/** Something should be missing from records whatever made them so: only within one area is that one mistake. */
function memberTrait(member: string | null, requirement: string, texts: readonly string[]): string[][] {
  if (member === null) return [];
  const isVague = texts.some((text) => text.endsWith('that is not empty'));
  const area = isVague ? [requirement.slice(0, 7)] : [];
  return [['member', member, ...area, ...texts.toSorted()]];
}

/** Traits for a rule that few answers break, this finding's answer among them. */
function rareTraits({ requirement, alsoBreaks = [] }: Finding, { rare }: Hints): string[][] {
  return [requirement, ...alsoBreaks].filter((id) => rare.has(id)).map((id) => ['rare', id]);
}

/** One member with wrong values of one form, such as a time with a `T`; words such as a status have many causes. */
function valueTrait(member: string | null, actual: string): string[][] {
  const value = /^\S+ (?:is )?(.+)$/s.exec(actual)?.[1] ?? '';
  const form = value.replace(/\d+/g, '0');
  return member === null || !form.includes('0')
    ? []
    : [['value', member.replace(/^(?:data)?\[\d*\]\./, ''), form]];
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
  const wrong = /^a refusal of ([a-z][\w.[\]]*) /i.exec(beginningOf(finding.expected))?.[1];
  return [
    ...(member === null && shown !== undefined && accepted.has(shown) ? [['accepted', shown]] : []),
    ...(wrong === undefined ? [] : [['wrongly accepted member', maskOf(wrong)]]),
  ];
}

/** Most wrong values that are looked for in other findings. */
const mostValues = 50;

/** `"success":"false"` of `success is "false"`. */
function wrongValueOf(finding: Finding): string[] {
  const member = memberNamedBy(finding);
  // Only values of the wrong form: a status that is wrong in two answers may have two causes.
  const value = /^\S+ is (.+)$/s.exec(beginningOf(finding.actual))?.[1];
  if (member === null || value === undefined || value.length > 200) return [];
  return [`"${member.split('.').at(-1) ?? member}":${value}`];
}

/** A body that is wrong as a whole because of the member that another finding names. */
function wrongValueTraits(finding: Finding, member: string | null, { values }: Hints): string[][] {
  if (member !== null) return wrongValueOf(finding).map((value) => ['wrong value', value]);
  const actual = beginningOf(finding.actual);
  if (!actual.startsWith('{')) return [];
  return [...values]
    .slice(0, mostValues)
    .filter((value) => actual.includes(value))
    .map((value) => ['wrong value', value]);
}

/** A text without what differs from case to case: long numbers, quoted values, indices of list elements. */
function maskOf(text: string): string {
  return text
    .replace(/"(?:[^"\\]|\\.)*"/g, '"…"')
    .replace(/\[\d+\]/g, '[]')
    .replace(/\d{4,}/g, '#');
}
