import type { Finding } from '../engine/finding.ts';

/** Most exchanges that are shown of a finding: for counted requests, enough for a window of the minute limit. */
const most = { ordinary: 40, counted: 130 };
/** How many exchanges after the decisive one are shown. */
const after = 2;

/**
 * The ids of the evidence that is shown for a finding: the first ones, and those before and at the decisive one. If the finding
 * names what it counted (`61 requests (x132 … x192)`), it starts there.
 */
export function storyOf({
  exchanges,
  decisive,
  actual,
}: Pick<Finding, 'exchanges' | 'decisive' | 'actual'>): readonly string[] {
  const named = countedIn({ exchanges, actual });
  if (exchanges.length <= most.ordinary) return exchanges;
  const [limit, from] =
    named.length > 1 ? [most.counted, exchanges.indexOf(named[0] ?? '')] : [most.ordinary, 0];
  const at = decisive === undefined ? -1 : exchanges.indexOf(decisive);
  const to = at < from ? exchanges.length : Math.min(exchanges.length, at + 1 + after);
  const told = exchanges.slice(from, to);
  if (told.length <= limit) return told;
  const first = Math.floor(limit / 4);
  return [...told.slice(0, first), ...told.slice(first - limit)];
}

/** The exchanges that a finding names if it counts several together; empty if one answer shows it. */
export function countedIn({ exchanges, actual }: Pick<Finding, 'exchanges' | 'actual'>): readonly string[] {
  const named = idsIn(actual.slice(0, 2000)).filter((id) => exchanges.includes(id));
  return named.length > 1 ? named : [];
}

/** Ids of exchanges and callbacks in a text. */
export function idsIn(text: string): string[] {
  return [...text.matchAll(/\b[xc]\d+\b/g)].map(([id]) => id);
}
