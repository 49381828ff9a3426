import type { Finding } from '../../engine/findings/finding.ts';
import { caseNameOf } from '../caseName.ts';
import { causesOf } from '../causes.ts';
import type { RunResult } from '../result.ts';
import { shorten } from '../text/printable.ts';
import type { PageEvidence } from './pageData.ts';

/** Something that can be found, and its link. */
export interface Entry {
  readonly kind: string;
  readonly title: string;
  readonly address: string;
  /** In lower case. */
  readonly text: string;
}

/** The hits of one kind. */
interface Hits {
  readonly kind: string;
  readonly total: number;
  readonly hits: readonly Entry[];
}

/** Hits of a kind that are shown at first, and when one asks for all. */
const most = { first: 12, all: 2000 };

/** Everything in a report that a link can lead to. */
export function indexOf(result: RunResult, evidence: PageEvidence): readonly Entry[] {
  const entry = (kind: string, address: string, title: string, more = ''): Entry => ({
    kind,
    address,
    title: shorten(title, 160),
    text: `${title} ${more}`.toLowerCase(),
  });
  return [
    // By cause: its other findings say the same in other words.
    ...causesOf(result).map(({ lead, others }) =>
      entry(
        'Findings',
        `#finding-${lead.fingerprint}`,
        `${lead.requirement}${caseNameOf(lead) === null ? '' : ` (${caseNameOf(lead) ?? ''})`}: ${lead.message}`,
        [lead, ...others].map(textOf).join(' '),
      ),
    ),
    ...result.requirements.map((row) =>
      entry(
        'Requirements',
        `#${row.id}`,
        `${row.id}: ${row.title}`,
        `${row.verdict} ${row.reason ?? ''} ${row.checks.join(' ')}`,
      ),
    ),
    ...result.openPoints.map((point) =>
      entry('Open points', '#open-points', `${point.id}: ${point.title}`, point.observed ?? ''),
    ),
    ...result.sideEffects.map((one) =>
      entry('Left behind', '#side-effects', `${one.kind} ${one.id ?? 'unknown'}`, one.key ?? ''),
    ),
    ...evidence.index.map(([id, , method, target, answer, , check]) =>
      entry(
        'Evidence',
        `#evidence/${id}`,
        `${id} ${method} ${target} → ${answer}`,
        evidence.checks[check] ?? '',
      ),
    ),
  ];
}

function textOf({ requirement, message, check, fingerprint, counterexample }: Finding): string {
  return `${requirement} ${message} ${check} ${fingerprint} ${counterexample ?? ''}`;
}

/** What contains all the words, by kind; of the kinds in `whole` all hits, of others the first. */
export function find(
  entries: readonly Entry[],
  words: string,
  whole: ReadonlySet<string> = new Set(),
): readonly Hits[] {
  const sought = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (sought.length === 0) return [];
  const all = entries.filter(({ text }) => sought.every((word) => text.includes(word)));
  return [...Map.groupBy(all, ({ kind }) => kind)].map(([kind, hits]) => ({
    kind,
    total: hits.length,
    hits: hits.slice(0, whole.has(kind) ? most.all : most.first),
  }));
}
