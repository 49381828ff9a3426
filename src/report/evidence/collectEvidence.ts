import { join } from 'node:path';
import {
  incomingBody,
  journalLineOf,
  placeOfBody,
  withIncoming,
  type JournalLine,
} from '../../send/journalLine.ts';
import { causesOf } from '../causes.ts';
import { idsIn, namedBy, storyOf } from '../story.ts';
import { readLines } from '../har/readLines.ts';
import { foreignFid } from '../member.ts';
import { bodyText, momentsOf, targetOf } from '../page/moments.ts';
import { provenanceOf } from '../page/provenance.ts';
import type { EvidenceLine, IndexRow, PageEvidence, StateLine, ShownEvidence } from '../page/pageData.ts';
import type { RunResult } from '../result.ts';
import { findContrasts } from './contrasts.ts';
import { withShortBodies, readEvidence, type EvidenceById } from './readEvidence.ts';
import { SpreadCounter } from './spreadCounter.ts';
import { reportFiles } from '../reportDir.ts';
import { keyText } from '../text/sender.ts';

/** How much of the evidence the page itself contains; the rest is in files next to it. */
const most = { lines: 6000, bytes: 12_000_000, bodyCharacters: 100_000, index: 100_000, states: 2000 };

/** What the page needs of `evidence.ndjson`, read line by line. `onLine` gets each exchange and delivery with its position. */
export async function collectEvidence(
  path: string,
  result: RunResult,
  options: { readonly perPage: number; readonly onLine?: (line: EvidenceLine) => Promise<void> },
): Promise<PageEvidence> {
  const collector = new Collector(wantedBy(result), foreignFids(result));
  for await (const text of readLines(path)) {
    const line = journalLineOf(text);
    if (line === null) continue;
    const state = stateLineOf(line);
    if (state !== null) collector.state(state);
    if (line.type === 'exchange' || line.type === 'delivery') {
      collector.add(line, text.length);
      await options.onLine?.(line);
    }
  }
  const places = collector.places;
  if (places.size > 0) collector.fill((await readEvidence(path, places, most.bodyCharacters)).byId);
  const makers = makersOf(result, collector.evidence(options.perPage));
  if (makers.size > 0)
    for (const [id, line] of (await readEvidence(path, makers, most.bodyCharacters)).byId)
      collector.addMaker(id, line);
  const shown = collector.evidence(options.perPage);
  return { ...shown, contrasts: await findContrasts(path, result, shown) };
}

class Collector {
  readonly #wanted: ReadonlySet<string>;
  /** Fids whose registration is not seen yet. */
  readonly #fids: Set<string>;
  readonly #lines: Record<string, EvidenceLine> = {};
  readonly #states: StateLine[] = [];
  /** Enterprises by the label of their key. */
  readonly #owners = new Map<string, string>();
  readonly #checks = new Map<string, number>();
  readonly #index: IndexRow[] = [];
  readonly #spreads = new SpreadCounter();
  #bytes = 0;
  #total = 0;
  #start: number | null = null;

  constructor(wanted: ReadonlySet<string>, fids: ReadonlySet<string>) {
    this.#wanted = wanted;
    this.#fids = new Set(fids);
  }

  state(line: StateLine): void {
    if (this.#states.length < most.states) this.#states.push(line);
  }

  add(line: EvidenceLine, size: number): void {
    this.#total += 1;
    this.#spreads.add(line);
    if (line.type === 'exchange' && line.key !== null && line.enterprise !== null)
      this.#owners.set(line.key, line.enterprise);
    if (this.#index.length < most.index) this.#index.push(this.#rowOf(line));
    const isOwner = this.#isOwner(line);
    if (!isOwner && !this.#wanted.has(line.id)) return;
    this.#bytes += Math.min(size, 2 * most.bodyCharacters);
    if (this.#bytes <= most.bytes) this.#lines[line.id] = withShortBodies(line, most.bodyCharacters);
  }

  /** Whether this is the first request with a fid that is sought. */
  #isOwner(line: EvidenceLine): boolean {
    if (this.#fids.size === 0 || line.type !== 'exchange' || line.operation !== 'fla.subscribe') return false;
    const sent = bodyText(line.request.body);
    const found = [...this.#fids].filter((fid) => sent.includes(fid));
    for (const fid of found) this.#fids.delete(fid);
    return found.length > 0;
  }

  /** Ids under which long bodies of the shown lines are recorded. */
  get places(): ReadonlySet<string> {
    return new Set(
      Object.values(this.#lines)
        .map(placeOfBody)
        .filter((place) => place !== null),
    );
  }

  fill(byId: EvidenceById): void {
    for (const [id, line] of Object.entries(this.#lines)) {
      const first = byId.get(placeOfBody(line) ?? '');
      if (first !== undefined)
        this.#lines[id] = withShortBodies(withIncoming(line, incomingBody(first)), most.bodyCharacters);
    }
  }

  /** An exchange that made the record of a case; counts and index have it already. */
  addMaker(id: string, line: EvidenceLine): void {
    this.#lines[id] ??= line;
  }

  evidence(perPage: number): PageEvidence {
    return {
      lines: this.#lines,
      states: this.#states.map((line) => withOwners(line, this.#owners)),
      checks: [...this.#checks.keys()],
      index: this.#index,
      total: this.#total,
      spreads: this.#spreads.spreads,
      perPage,
    };
  }

  #rowOf(line: EvidenceLine): IndexRow {
    const at = Date.parse(line.startedAt);
    this.#start ??= at;
    const { method } = line.request;
    const violated = (line.violated ?? []).join(',');
    if (line.type === 'delivery')
      return [line.id, at - this.#start, method, 'callback', line.answer, line.durationMs, -1, violated];
    const answer = line.response === null ? (line.failure?.reason ?? 'none') : String(line.response.status);
    const target = targetOf(line.request.url).slice(0, 200);
    return [
      line.id,
      at - this.#start,
      method,
      target,
      answer,
      line.durationMs,
      this.#numberOf(line.check),
      violated,
    ];
  }

  #numberOf(check: string): number {
    let number = this.#checks.get(check);
    if (number === undefined) this.#checks.set(check, (number = this.#checks.size));
    return number;
  }
}

/** Ids that findings and undecided rows refer to: those of the leading findings first, and not too many of any finding. */
function wantedBy(result: RunResult): ReadonlySet<string> {
  const causes = causesOf(result);
  const leads = causes.flatMap(({ lead }) => [...storyOf(lead), ...namedBy(lead)]);
  const shown = result.findings.flatMap(({ decisive }) => decisive ?? []);
  const others = causes.flatMap((cause) => cause.others.flatMap(storyOf));
  const rows = result.requirements.flatMap(({ evidence = [], reason, verdict }) =>
    verdict === 'pass' ? [] : [...evidence, ...idsIn(reason ?? '')],
  );
  const limits = (result.limits?.limiters ?? []).flatMap(({ contradictions }) =>
    contradictions.flatMap(idsIn),
  );
  return new Set([...new Set([...leads, ...shown, ...limits, ...rows, ...others])].slice(0, most.lines));
}

/** Most causes of which the making of records is looked for, since that reads the evidence once more. */
const mostMade = 20;

/** Fids that leading findings got instead of their own. */
function foreignFids(result: RunResult): ReadonlySet<string> {
  const leads = causesOf(result).slice(0, mostMade);
  return new Set(leads.flatMap(({ lead }) => foreignFid(lead) ?? []));
}

/** Ids of the exchanges that made the records that the leading findings are about, unless they are there already. */
function makersOf(result: RunResult, { lines, states }: PageEvidence): ReadonlySet<string> {
  const leads = causesOf(result)
    .slice(0, mostMade)
    .map(({ lead }) => lead);
  const made = leads.flatMap((lead) =>
    provenanceOf(lead, momentsOf(lead, { lines, states }), result.sideEffects, lines),
  );
  return new Set(made.flatMap(({ exchange }) => (exchange === null || exchange in lines ? [] : [exchange])));
}

/** What was on the wire for the findings of a result, from its report directory; empty without evidence. */
export async function evidenceFor(result: RunResult, reportDir: string): Promise<ShownEvidence> {
  const nothing = { lines: {}, states: [] };
  if (result.findings.length === 0) return nothing;
  return collectEvidence(join(reportDir, reportFiles.evidence), result, { perPage: 0 }).catch(() => nothing);
}

/** A state that the deployment was put into, as reports show it; null for any other line. */
export function stateLineOf(line: JournalLine): StateLine | null {
  // Journals of older versions hold it as an event.
  if (line.type === 'event') return line.name === 'state-set' ? (line as StateLine) : null;
  if (line.type !== 'step' || ['entitlement.get', 'callbacks.pending'].includes(line.operation)) return null;
  const { operation: state, params, startedAt, durationMs, error } = line;
  return {
    ...{ type: 'event', name: 'state-set', at: new Date(Date.parse(startedAt) + durationMs).toISOString() },
    data: { state, params: JSON.stringify(params).slice(0, longestShown), error },
  };
}

const longestShown = 4000;

/** The same with whose key each issued one is, by its label. */
export function withOwners(line: StateLine, owners: ReadonlyMap<string, string>): StateLine {
  const { params } = line.data;
  const named = params.replace(/(?<=‹key )issued[^›]*(?=›)/g, (label) =>
    keyText(label, owners.get(label) ?? null),
  );
  return { ...line, data: { ...line.data, params: named } };
}
