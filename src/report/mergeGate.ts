import { requirementOf } from '../engine/findings/finding.ts';
import type { BaselineEntry } from './baseline.ts';
import { gateOf, gateText, type Gate } from './gate.ts';
import { isLoad } from './headline.ts';
import type { RequirementResult, RunResult } from './result.ts';
import type { VerdictInput } from './verdictRules.ts';

/** What gates a merged result, in addition to its verdict. */
export interface MergeGates {
  readonly minMust: number | null;
  readonly strict: boolean;
  /** Capabilities that one of the parts must have had, beside those that the parts required; none by default. */
  readonly require?: readonly string[];
  /** Known failures, where the parts did not know them. */
  readonly baseline?: readonly BaselineEntry[];
  /** Somebody ended the run before all of its shards were done. */
  readonly interrupted?: boolean;
}

interface Merged extends MergeGates {
  readonly rows: readonly RequirementResult[];
  readonly target: Pick<RunResult['target'], 'capabilities'>;
  /** Entries of the baseline whose requirement passed. */
  readonly stale: readonly string[];
  readonly unseen: readonly string[];
}

/** What decides the verdict and the gate of results that were joined. */
export function gateInput(
  results: readonly RunResult[],
  { interrupted = false, require = [], rows, target, stale, unseen, minMust, strict }: Merged,
): VerdictInput {
  const ended = (end: RunResult['run']['end']) => results.some(({ run }) => run.end === end);
  return {
    ...{ minMust, strict, rows },
    leftPlan: whyIncomplete(results),
    targetLost: ended('target-lost'),
    keyRefused: ended('key-refused'),
    interrupted: interrupted || ended('interrupted'),
    cutShort: ended('cut-short'),
    requiredMissing: [...new Set([...require, ...named(results, 'missing')])].filter(
      (name) => !target.capabilities.includes(name),
    ),
    staleBaseline: [...new Set([...stale, ...staleIn(results, rows)])],
    unseenBaseline: unseen,
    loadsNotMet: loadsIn(results, 'not-met'),
    loadsUnclear: loadsIn(results, 'undecided'),
    isOfLoads: results.every(isLoad),
    outside: null,
  };
}

/** Entries of a baseline that are stale in a part, and whose requirement no other part saw fail. */
function staleIn(results: readonly RunResult[], rows: readonly RequirementResult[]): readonly string[] {
  const passing = new Set(rows.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id));
  return named(results, 'stale').filter((fingerprint) => passing.has(requirementOf(fingerprint)));
}

function named(results: readonly RunResult[], member: 'missing' | 'stale'): readonly string[] {
  return [...new Set(results.flatMap(({ summary }) => summary.gate?.[member] ?? []))];
}

/** Figures of loads cannot be joined, so each keeps its gate. What failed is counted from the rows. */
function loadsIn(results: readonly RunResult[], state: Gate['state']): readonly string[] {
  const place = (index: number) => (results.length > 1 ? ` (part ${index + 1})` : '');
  return results.flatMap((result, index) => {
    const gate = gateOf(result.summary);
    if (!isLoad(result) || gate?.state !== state) return [];
    const because = gate.because.length > 0 ? gate.because : [gateText(gate)];
    return because.map((reason) => `${reason}${place(index)}`);
  });
}

function whyIncomplete(results: readonly RunResult[]): string | null {
  const unfinished = results.find(({ run }) => run.end !== undefined && run.end !== 'completed');
  if (unfinished) return `${shardOf(unfinished)} ended by ${unfinished.run.end ?? ''}`;
  const total = results[0]?.run.shard?.total ?? 0;
  const there = new Set(results.map(({ run }) => run.shard?.index));
  const missing = Array.from({ length: total }, (_, index) => index + 1).filter((index) => !there.has(index));
  return missing.length === 0 ? null : `of ${total} shards, ${missing.join(', ')} is missing`;
}

/** `2/3`, or the id of a run that is no shard. */
export function shardOf({ run: { shard, id } }: RunResult): string {
  return shard === null ? id : `${shard.index}/${shard.total}`;
}
