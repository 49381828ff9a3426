import type { Finding } from '../engine/findings/finding.ts';
import { isPassive } from './causeTraits.ts';
import { answerOf, answersDue } from './member.ts';
import { rankOf } from './readingOrder.ts';

/** The findings of a cause, in their order, but for those that follow from another one of the same rank. */
export function leadFirst(group: readonly Finding[], ofParts: ReadonlySet<string>): readonly Finding[] {
  const follows = followersIn(group, ofParts);
  const placeOf = (finding: Finding) => 2 * rankOf(finding) + Number(follows(finding));
  return casesFirst(group.toSorted((a, b) => placeOf(a) - placeOf(b)));
}

/** Of an answer that breaks a rule, the case of a check tells more than one that an oracle saw in passing. */
function casesFirst(group: readonly Finding[]): readonly Finding[] {
  const [lead] = group;
  if (lead?.at !== 'answer' || !isPassive(lead)) return group;
  const { requirement } = lead;
  const told = group.find(
    (one) => one.requirement === requirement && !isPassive(one) && rankOf(one) === rankOf(lead),
  );
  return told === undefined ? group : [told, ...group.filter((one) => one !== told)];
}

function followersIn(group: readonly Finding[], ofParts: ReadonlySet<string>): (finding: Finding) => boolean {
  const hasKeys = group.some(isOfKeys);
  const hasParts = group.some(isOfParts);
  const hasTotal = group.some(({ at }) => at === total);
  const hasMoved = group.some(({ requirement }) => requirement === unchangedByReads);
  const hasLimiter = group.some(({ code }) => code === 'limiter');
  const beside = new Set(group.filter(isOtherAnswer).flatMap(({ alsoBreaks = [] }) => alsoBreaks));
  return (finding) =>
    // Whoever refuses a key has not looked at what was asked.
    (hasKeys && !isOfKeys(finding) && answerOf(finding)?.status === 401) ||
    // Pages are counted by the total that the answer itself gives.
    (hasTotal && countedByTotal.has(finding.at ?? '')) ||
    // Two answers differ because the read between them changes the record.
    (hasMoved && finding.requirement !== unchangedByReads && finding.code === 'different') ||
    (hasLimiter && finding.code === 'too-many') ||
    (hasParts && !isOfParts(finding) && ofParts.has(finding.requirement)) ||
    // What an answer holds does not matter where another one was due.
    (isPassive(finding) && answerOf(finding) === null && beside.has(finding.requirement));
}

const unchangedByReads = 'WCI-STS-009';
const total = 'pagination.total';
const countedByTotal: ReadonlySet<string> = new Set(['data', 'pagination.totalPages']);

function isOfKeys({ requirement }: Finding): boolean {
  return requirement.startsWith('SHR-AUT-');
}

function isOfParts({ requirement }: Finding): boolean {
  return requirement.startsWith('WCI-MP-');
}

/** Whether an answer of another status was due. */
function isOtherAnswer(finding: Finding): boolean {
  const [answer, due] = [answerOf(finding), answersDue(finding)];
  return answer !== null && due.length > 0 && due.every(({ status }) => status !== answer.status);
}
