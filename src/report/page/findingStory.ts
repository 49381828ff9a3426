import type { Finding } from '../../engine/findings/finding.ts';
import { answerOf, headerNamedBy, memberNamedBy, valueNamedBy } from '../member.ts';
import { movedClockText, namesTime } from '../movedClock.ts';
import type { RunResult } from '../result.ts';
import { isSilent } from '../silence.ts';
import { countedIn } from '../story.ts';
import { bodyText, decisiveOf, momentsOf, type Moment } from './moments.ts';
import { offendingMember, refusedMember, valueOfCase } from './offending.ts';
import type { EvidenceLine, ShownEvidence } from './pageData.ts';
import { provenanceOf, provenanceText } from './provenance.ts';
import { wrongOf, informativeOf, type Wrong } from './informative.ts';

/** What to mark in an exchange. */
export interface Marks {
  /** Member of a body. */
  readonly member: string | null;
  /** Its value, as the body spells it: identifies it among several members of the name. */
  readonly value?: string | null;
  /** The name of a header in lower case, if one is wrong. */
  readonly header: string | null;
  /** Whether the status itself is wrong. */
  readonly status: boolean;
  /** Member of the body of a request. */
  readonly request?: string | null;
  /** A quoted value in the body of a request, marked if the member is not there. */
  readonly quoted?: string | null;
}

export const noMarks: Marks = { member: null, header: null, status: false };

/** The case of a finding, as the page, the terminal and the ticket show it. */
export interface FindingStory {
  /** In the order of time; alike ones together. */
  readonly steps: readonly StoryStep[];
  readonly decisive: Moment | null;
  /** What to mark in the decisive step. */
  readonly marks: Marks;
  /** What the decisive step shows. */
  readonly verdict: 'breaks the rule' | 'no callback came';
  /** That the clock had been moved, if what decides contains times. */
  readonly clock: string | null;
  /** The records that were made before the case, with the request where the evidence has it. */
  readonly made: readonly Made[];
}

export interface StoryStep extends MomentGroup {
  /** Its place among all requests, callbacks and states of the case, from 1 on; what is left out counts. */
  readonly number: number;
  /** How long after the first step it happened, in milliseconds. */
  readonly afterMs: number;
  /** How many requests and callbacks of the case are left out before and after it. */
  readonly gaps: readonly [before: number, after: number];
}

interface Made {
  readonly kind: 'record' | 'fid';
  readonly text: string;
  readonly line: EvidenceLine | null;
}

/** Null if there is no evidence of the case. */
export function findingStory(
  finding: Finding,
  evidence: ShownEvidence,
  effects: RunResult['sideEffects'] = [],
): FindingStory | null {
  const moments = momentsOf(finding, evidence);
  if (moments.length === 0) return null;
  const id = decisiveOf(finding, moments);
  const decisive = moments.find((moment) => moment.id === id) ?? null;
  return {
    steps: numbered(grouped(moments, id, { isCounted: countedIn(finding).length > 0, ...wrongOf(finding) })),
    decisive,
    marks: marksOf(finding, decisive, evidence),
    verdict: isSilent(finding) ? 'no callback came' : 'breaks the rule',
    clock: decisive === null || !namesTime(finding) ? null : movedClockText(evidence.states, decisive.at),
    made: provenanceOf(finding, moments, effects, evidence.lines).map((one) => ({
      kind: one.kind,
      text: provenanceText(one),
      line: evidence.lines[one.exchange ?? ''] ?? null,
    })),
  };
}

function numbered(groups: readonly MomentGroup[]): readonly StoryStep[] {
  const start = groups[0]?.moments[0].at ?? 0;
  let number = 1;
  return groups.map((group) => {
    const gaps = gapsOf(group);
    number += gaps[0];
    const step = { ...group, number, gaps, afterMs: group.moments[0].at - start };
    number += group.moments.length;
    return step;
  });
}

/** What is wrong with the decisive answer according to the finding, and what the case is about in its request. */
function marksOf(finding: Finding, decisive: Moment | null, { contrasts }: ShownEvidence): Marks {
  const sent = decisive?.kind === 'exchange' ? bodyText(decisive.line.request.body) : '';
  const contrast = contrasts?.[finding.fingerprint];
  return {
    member: memberNamedBy(finding),
    value: valueNamedBy(finding),
    header: headerNamedBy(finding),
    status: answerOf(finding) !== null,
    request: refusedMember(finding, sent) ?? offendingMember(contrast, finding.message),
    quoted: valueOfCase(finding),
  };
}

/** Moments that differ only in their values, represented by one of them. */
interface MomentGroup {
  readonly moments: readonly [Moment, ...Moment[]];
  /** True for the one that shows the violation. */
  readonly isDecisive: boolean;
  /** True for a request that has to be seen next to it. */
  readonly isInformative: boolean;
}

/** What matters for combining similar moments. */
interface Grouping extends Wrong {
  /** Counted requests are similar whatever they ask for. */
  readonly isCounted?: boolean;
}

/** Number of consecutive similar moments that are combined. */
const fewestAlike = 3;

/** Combines runs of similar moments, except the decisive one and those to see next to it. */
export function grouped(
  moments: readonly Moment[],
  decisive: string | null,
  { isCounted = false, ...wrong }: Grouping = {},
): readonly MomentGroup[] {
  const telling = isCounted ? new Set<string>() : informativeOf(moments, decisive, wrong);
  const groups: { moments: [Moment, ...Moment[]]; likeness: string }[] = [];
  for (const moment of moments) {
    const isAlone = moment.id === decisive || telling.has(moment.id);
    const likeness = isAlone ? '' : isCounted ? countedLikeness(moment) : likenessOf(moment);
    const before = moment.before === undefined ? groups.at(-1) : undefined;
    if (before && likeness !== '' && before.likeness === likeness) before.moments.push(moment);
    else groups.push({ moments: [moment], likeness });
  }
  const kindOf = ({ id }: Moment) => ({ isDecisive: id === decisive, isInformative: telling.has(id) });
  return groups.flatMap(({ moments: alike }): MomentGroup[] =>
    alike.length >= fewestAlike
      ? [{ moments: alike, ...kindOf(alike[0]) }]
      : alike.map((moment) => ({ moments: [moment], ...kindOf(moment) })),
  );
}

/** How many requests and callbacks of the case are left out before and after a group. */
export function gapsOf({ moments }: Pick<MomentGroup, 'moments'>): readonly [before: number, after: number] {
  return [moments[0].before ?? 0, moments.at(-1)?.after ?? 0];
}

/** Longer texts are cut before they are compared. */
const longest = 2000;

function countedLikeness(moment: Moment): string {
  if (moment.kind !== 'exchange') return likenessOf(moment);
  return `${moment.line.key ?? ''} ${moment.line.response?.status ?? 'none'}`;
}

function likenessOf(moment: Moment): string {
  if (moment.kind === 'state') return `state ${moment.line.data.state}`;
  const { method } = moment.line.request;
  if (moment.kind === 'delivery') return `delivery ${method} ${moment.line.answer}`;
  const { response } = moment.line;
  // Refusals are distinguished by their text.
  const said =
    response === null || response.status < 400
      ? ''
      : bodyText(response.body)
          .slice(0, longest)
          .replace(/\d+/g, '0')
          .replace(/\b[a-z]{2,6}_[A-Za-z\d]{6,}\b/g, 'id');
  return `${method} ${addressOf(moment.line.request.url)} ${response?.status ?? 'none'} ${said}`;
}

/** An address without what differs from record to record: page numbers are kept; ids, dates and cursors are not. */
function addressOf(url: string): string {
  return url
    .slice(0, longest)
    .replace(/^https?:\/\/[^/]*/, '')
    .replace(/=[^&]{6,}/g, '=…');
}
