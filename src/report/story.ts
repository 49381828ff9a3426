import type { Finding } from '../engine/findings/finding.ts';

/** Most exchanges that are shown of a finding: for counted requests, enough for a window of the minute limit. */
const most = { ordinary: 40, counted: 130 };
/** How many exchanges after the decisive one are shown. */
const after = 2;

/**
 * The ids of the evidence that is shown for a finding: the first ones, and those before and at the decisive one. If the finding
 * counts several, it starts with the first of them.
 */
export function storyOf({
  exchanges,
  decisive,
  got,
}: Pick<Finding, 'exchanges' | 'decisive' | 'got'>): readonly string[] {
  const named = countedIn({ exchanges, got });
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
export function countedIn({ exchanges, got }: Pick<Finding, 'exchanges' | 'got'>): readonly string[] {
  const named = got?.kind === 'count' ? got.ids.filter((id) => exchanges.includes(id)) : [];
  return named.length > 1 ? named : [];
}

/** Most steps of the reasons that are shown. */
const mostReasons = 6;

/** What made the expectation true, step by step, and what breaks it; nothing where one answer alone shows it. */
export function reasonsOf({ because = [], got }: Pick<Finding, 'because' | 'got'>): readonly string[] {
  const all = because.filter(({ text }) => text !== '');
  const told = all.filter(({ exchange, text }, index) =>
    all.slice(0, index).every((one) => one.exchange !== exchange || one.text !== text),
  );
  if (told.length < 2 || got?.kind === 'count') return [];
  const first = told.slice(0, mostReasons / 2);
  const last = told.slice(Math.max(first.length, told.length - mostReasons / 2));
  const left = told.length - first.length - last.length;
  const lines = (some: typeof told) => some.map(({ exchange, text }) => `${exchange}: ${text}`);
  return [...lines(first), ...(left > 0 ? [`… ${left} more`] : []), ...lines(last)];
}

/** All that a finding names: what it counts, and what it rests on. */
export function namedBy({ got, because = [] }: Pick<Finding, 'got' | 'because'>): readonly string[] {
  return [
    ...new Set([...(got?.kind === 'count' ? got.ids : []), ...because.map(({ exchange }) => exchange)]),
  ];
}

/** Ids of exchanges and callbacks in a reason. */
export function idsIn(text: string): string[] {
  return [...text.matchAll(/\b[xc]\d+\b/g)].map(([id]) => id);
}
