import type { Finding } from '../../engine/findings/finding.ts';
import { journalLineOf, type ExchangeLine } from '../../send/journalLine.ts';
import { readEvidence, type EvidenceById } from '../evidence/readEvidence.ts';
import { stateLineOf } from '../evidence/collectEvidence.ts';
import { jsonOf, leavesOf } from '../member.ts';
import { readLines } from '../har/readLines.ts';
import { bodyText, momentsOf } from '../page/moments.ts';
import type { StateLine } from '../page/pageData.ts';
import { namedBy } from '../story.ts';

/** A request of a case, or a state that was set for it. */
export type CaseEvent =
  | { readonly kind: 'exchange'; readonly line: ExchangeLine }
  | { readonly kind: 'state'; readonly line: StateLine };

/** Everything that happened for a finding, from the start: including the records that it builds on. */
export interface ScriptCase {
  readonly events: readonly CaseEvent[];
  /** Whether the state handler made enterprises in that run. */
  readonly makesEnterprises: boolean;
}

/** Most records of a listed answer that are made again. */
const mostListed = 3;
const mostStates = 5000;

/** Reads from a journal what the script of a finding sends. */
export async function collectCase(path: string, finding: Finding): Promise<ScriptCase> {
  const ids = restsOn(finding);
  const { byId } = await readEvidence(path, ids);
  const own = exchangesOf(ids, byId);
  const found = await search(path, recordsWanted(finding, own));
  const lines = new Map<string, ExchangeLine>([...found.makers, ...own].map((line) => [line.id, line]));
  const ordered = [...lines.values()].sort((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt));
  const told = momentsOf(
    { ...finding, exchanges: ordered.map(({ id }) => id), actual: '' },
    { lines: Object.fromEntries(lines), states: found.states },
  );
  const made = ordered.filter(({ operation }) => operation === 'wci.subscribe');
  const given = new Set(made.flatMap(({ response }) => idsIn(bodyText(response?.body ?? null))));
  const events = told.flatMap((moment): CaseEvent[] => {
    if (moment.kind === 'delivery') return [];
    if (moment.kind === 'exchange') return [moment];
    // Other records that a list shows are not made again.
    const isOurs = idsIn(moment.line.data.params).every((id) => given.has(id));
    return isSupply(moment.line) || !isOurs ? [] : [moment];
  });
  const start = Date.parse(ordered[0]?.startedAt ?? '');
  return {
    events: [...inForce(found.states, start), ...events],
    makesEnterprises: found.makesEnterprises,
  };
}

/** Ids of what was judged, and of what made the expectation true. */
export function restsOn(finding: Finding): ReadonlySet<string> {
  return new Set([...namedBy(finding), ...finding.exchanges]);
}

function exchangesOf(ids: ReadonlySet<string>, byId: EvidenceById): readonly ExchangeLine[] {
  return [...ids].flatMap((id) => {
    const line = byId.get(id);
    return line?.type === 'exchange' ? [line] : [];
  });
}

/** The script makes its own keys. */
function isSupply({ data }: StateLine): boolean {
  return data.error !== null || data.state === 'keys.issue' || data.state === 'enterprise.create';
}

/** What had been set for everything before the case began, and still applied. */
function inForce(states: readonly StateLine[], start: number): readonly CaseEvent[] {
  return ['provider.fail', 'automation.set'].flatMap((name): CaseEvent[] => {
    const line = states.findLast(
      ({ at, data }) => data.state === name && data.error === null && Date.parse(at) < start,
    );
    return line === undefined || /null|"auto"/.test(line.data.params) ? [] : [{ kind: 'state', line }];
  });
}

const recordPattern = /(?:checkin_id|checkinId|webcheckin_id|booking_id)(?:=|"\s*:\s*"?)([\w-]{4,200})/g;

/** Ids of records that the requests name, or the last answer lists, and that no earlier answer of the case gave. */
function recordsWanted(finding: Finding, lines: readonly ExchangeLine[]): ReadonlySet<string> {
  const [wanted, given] = [new Set<string>(), new Set<string>()];
  for (const { request, response, operation } of lines) {
    for (const id of idsIn(`${request.url}\n${bodyText(request.body)}`)) if (!given.has(id)) wanted.add(id);
    const answered = idsIn(bodyText(response?.body ?? null));
    if (operation === 'wci.list')
      for (const id of listedIn(finding, response)) if (!given.has(id)) wanted.add(id);
    for (const id of answered) given.add(id);
  }
  return wanted;
}

/** The records of a list that the finding names, or whose index it names; else the first ones. */
function listedIn({ at = '', want, got }: Finding, response: ExchangeLine['response']): readonly string[] {
  const all = idsIn(bodyText(response?.body ?? null));
  const values = new Set([jsonOf(want), jsonOf(got)].flatMap(leavesOf).map(String));
  const named = all.filter((id) => values.has(id));
  if (named.length > 0) return named;
  const place = /^data\[(\d{1,3})\]/.exec(at)?.[1];
  const data = (parsed(bodyText(response?.body ?? null)) as { data?: unknown } | null)?.data;
  const item = Array.isArray(data) && place !== undefined ? (data[Number(place)] as unknown) : undefined;
  return item === undefined ? all.slice(0, 2 * mostListed) : idsIn(JSON.stringify(item));
}

function idsIn(text: string): string[] {
  return [...text.slice(0, 200_000).matchAll(recordPattern)].map(([, id = '']) => id);
}

interface Searched {
  readonly makers: readonly ExchangeLine[];
  readonly states: readonly StateLine[];
  readonly makesEnterprises: boolean;
}

const subscribes = /^\{"type":"exchange".{0,200}?"operation":"(?:wci|fla)\.subscribe"/;

const isState = /^\{"type":"(?:step"|event".{0,100}?"state-set")/;

/** The subscribes that made the records, and all states that were set. */
async function search(path: string, wanted: ReadonlySet<string>): Promise<Searched> {
  const makers = new Map<string, ExchangeLine>();
  const states: StateLine[] = [];
  let makesEnterprises = false;
  for await (const text of readLines(path)) {
    if (isState.test(text)) {
      const line = journalLineOf(text);
      const state = line && stateLineOf(line);
      if (state !== null && states.length < mostStates) states.push(state);
      makesEnterprises ||= text.includes('"enterprise.create"');
    } else if (makers.size < wanted.size && subscribes.test(text)) {
      const line = journalLineOf(text);
      if (line?.type !== 'exchange' || line.response?.status !== 200) continue;
      for (const id of idsIn(bodyText(line.response.body)))
        if (wanted.has(id) && !makers.has(id)) makers.set(id, line);
    }
  }
  return { makers: [...new Set(makers.values())], states, makesEnterprises };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
