import { bodyText, type Moment } from './moments.ts';
import { informativeOf, type Wrong } from './informative.ts';

/** Moments that differ only in their values, represented by one of them. */
export interface MomentGroup {
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
