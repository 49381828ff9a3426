import type { Finding } from '../../engine/finding.ts';
import type { DeliveryLine, ExchangeLine } from '../../send/journalLine.ts';
import { memberNamedBy } from '../member.ts';
import { countedIn, storyOf } from '../story.ts';
import type { PageEvidence, StateLine } from './pageData.ts';

/** Something that happened in a failing case. */
export type Moment = MomentPlace &
  (
    | { readonly kind: 'exchange'; readonly line: ExchangeLine }
    | { readonly kind: 'delivery'; readonly line: DeliveryLine }
    | { readonly kind: 'state'; readonly line: StateLine }
  );

interface MomentPlace {
  readonly at: number;
  readonly id: string;
  /** Number of requests and callbacks of the case that are left out directly before it, and after it if it is the last. */
  readonly before?: number;
  readonly after?: number;
}

/** Moments that differ only in their values, represented by one of them. */
export interface MomentGroup {
  readonly moments: readonly [Moment, ...Moment[]];
  /** True for the one that shows the violation. */
  readonly isDecisive: boolean;
  /** True for the request that has to be seen next to it. */
  readonly isTelling: boolean;
}

/** What matters for combining similar moments. */
interface Grouping {
  /** Counted requests are similar whatever they ask for. */
  readonly isCounted?: boolean;
  /** The member that is wrong. */
  readonly member?: string | null;
}

/** Number of consecutive similar moments that are combined. */
const fewestAlike = 3;

/** What happened in the case of a finding, in order of time: requests, callbacks, and states that were set for it. */
export function momentsOf(
  finding: Finding,
  evidence: Pick<PageEvidence, 'lines' | 'states'>,
): readonly Moment[] {
  const own = wireOf(finding, evidence.lines);
  if (own.length === 0) return [];
  // For counted requests, only states that affect all requests matter.
  const isCounted = countedIn(finding).length > 0;
  const states = statesOf(own, evidence.states).filter(
    ({ line }) => !isCounted || forAll.has((line as StateLine).data.state),
  );
  return [...own, ...states].sort(
    // A state is recorded once it is set, a request when it is sent: at the same instant, the state came first.
    (one, other) => one.at - other.at || Number(other.kind === 'state') - Number(one.kind === 'state'),
  );
}

/** The evidence of the finding, as far as there is any, with the size of the gaps in between. */
function wireOf(finding: Finding, lines: PageEvidence['lines']): readonly Moment[] {
  const told = new Set(storyOf(finding).filter((id) => lines[id] !== undefined));
  const own: Moment[] = [];
  let left = 0;
  for (const id of finding.exchanges) {
    const line = told.has(id) ? lines[id] : undefined;
    if (line === undefined) {
      left += 1;
      continue;
    }
    const place = { id, at: Date.parse(line.startedAt), ...(left > 0 ? { before: left } : {}) };
    own.push(
      line.type === 'exchange' ? { ...place, kind: 'exchange', line } : { ...place, kind: 'delivery', line },
    );
    left = 0;
  }
  const last = own.pop();
  if (last !== undefined) own.push(left > 0 ? { ...last, after: left } : last);
  return own;
}

/** States that name a flight, a request or a key of the case, and those that applied to everything while the case ran. */
function statesOf(own: readonly Moment[], states: readonly StateLine[]): readonly Moment[] {
  const times = own.map(({ at }) => at);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const said = own.map(textOf).join('\n');
  return states.flatMap((line, index): Moment[] => {
    const at = Date.parse(line.at);
    if (at > last) return [];
    const names = namesIn(line.data.params);
    const isOurs =
      names.length > 0
        ? names.every((name) => said.includes(name))
        : at >= first && forAll.has(line.data.state);
    return isOurs ? [{ kind: 'state', at, id: `s${index + 1}`, line }] : [];
  });
}

/** States that affect all requests. */
const forAll: ReadonlySet<string> = new Set(['clock.advance', 'automation.set', 'provider.fail']);

const naming = ['checkin_id', 'flightNumber', 'departureDate', 'key'];

/** Values in the parameters of a state that say what it is about. */
function namesIn(params: string): readonly string[] {
  const found = [...params.matchAll(/"(\w+)":"([^"]*)"/g)];
  return found.flatMap(([, name = '', value = '']) =>
    naming.includes(name) ? [value.replace(/^‹key (.*)›$/, '$1')] : [],
  );
}

function textOf(moment: Moment): string {
  if (moment.kind === 'state') return '';
  const { request } = moment.line;
  const answer = moment.kind === 'exchange' ? bodyText(moment.line.response?.body ?? null) : '';
  const target =
    moment.kind === 'exchange'
      ? `${moment.line.request.url} ${moment.line.key ?? ''}`
      : moment.line.request.target;
  return `${target} ${bodyText(request.body)} ${answer}`;
}

/** The text of a recorded body; for a body that is not text, a description. */
export function bodyText(body: ExchangeLine['request']['body']): string {
  if (body === null) return '';
  return 'text' in body ? body.text : `(bytes that are not text, in base64: ${body.base64})`;
}

/** Combines runs of similar moments, except the decisive one and the one to see next to it. */
export function grouped(
  moments: readonly Moment[],
  decisive: string | null,
  { isCounted = false, member = null }: Grouping = {},
): readonly MomentGroup[] {
  const telling = isCounted ? null : tellingOf(moments, decisive, member);
  const groups: { moments: [Moment, ...Moment[]]; likeness: string }[] = [];
  for (const moment of moments) {
    const isAlone = moment.id === decisive || moment.id === telling;
    const likeness = isAlone ? '' : isCounted ? countedLikeness(moment) : likenessOf(moment);
    const before = moment.before === undefined ? groups.at(-1) : undefined;
    if (before && likeness !== '' && before.likeness === likeness) before.moments.push(moment);
    else groups.push({ moments: [moment], likeness });
  }
  const kindOf = ({ id }: Moment) => ({ isDecisive: id === decisive, isTelling: id === telling });
  return groups.flatMap(({ moments: alike }): MomentGroup[] =>
    alike.length >= fewestAlike
      ? [{ moments: alike, ...kindOf(alike[0]) }]
      : alike.map((moment) => ({ moments: [moment], ...kindOf(moment) })),
  );
}

/**
 * The id of the request that has to be seen next to the decisive one: for a callback, the one that set the member; for the
 * answer to a read, the last one before it that changed its record, or tried to.
 */
function tellingOf(
  moments: readonly Moment[],
  decisive: string | null,
  member: string | null,
): string | null {
  const at = moments.findIndex(({ id }) => id === decisive);
  const decider = moments[at];
  const before = moments.slice(0, Math.max(0, at));
  if (decider?.kind === 'delivery') {
    const name = member?.split('.').at(-1) ?? 'callbackData';
    return moments.findLast((moment) => asked(moment).includes(`"${name}"`))?.id ?? null;
  }
  if (decider?.kind !== 'exchange') return null;
  const record = /[?&]checkin(?:_i|I)d=([^&]{4,})/.exec(decider.line.request.url)?.[1];
  const ofRecord =
    record === undefined ? undefined : before.findLast((moment) => asked(moment).includes(record));
  return (ofRecord ?? before.findLast((moment) => asked(moment) !== ''))?.id ?? null;
}

/** What a request said; empty for a state or a callback. */
function asked(moment: Moment): string {
  return moment.kind === 'exchange' ? bodyText(moment.line.request.body) : '';
}

/** How many requests and callbacks of the case are left out before and after a group. */
export function gapsOf({ moments }: Pick<MomentGroup, 'moments'>): readonly [before: number, after: number] {
  return [moments[0].before ?? 0, moments.at(-1)?.after ?? 0];
}

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

/** The path of an address, without host and query. */
export function pathOf(url: string): string {
  return url.replace(/^https?:\/\/[^/]*/, '').replace(/\?.*$/s, '');
}

/** The moment that shows the violation: named by the finding, unless another one has the value that the finding got; else the last. */
export function decisiveOf(finding: Finding, moments: readonly Moment[]): string | null {
  const wire = moments.filter(({ kind }) => kind !== 'state').toReversed();
  const named = wire.find(({ id }) => id === finding.decisive) ?? wire[0];
  const shown = [...(named ? [named] : []), ...wire].find((moment) => shows(moment, finding));
  return (shown ?? named)?.id ?? null;
}

const longest = 2000;

/** Whether an answer or a callback contains what the finding got: the status, or the value of the member. */
function shows(moment: Moment, finding: Finding): boolean {
  if (moment.kind === 'state') return false;
  const actual = finding.actual.slice(0, longest);
  const status = /^HTTP (\d{3})\b/.exec(actual)?.[1];
  if (status !== undefined)
    return moment.kind === 'exchange' && String(moment.line.response?.status) === status;
  const member = memberNamedBy(finding);
  if (member === null || !actual.startsWith(member)) return false;
  const value = actual.slice(member.length).replace(/^ (?:is )?/, '');
  const sought = `"${member.split('.').at(-1) ?? ''}":${value}`.replace(/\s+/g, '');
  const body = moment.kind === 'exchange' ? (moment.line.response?.body ?? null) : moment.line.request.body;
  return bodyText(body).replace(/\s+/g, '').includes(sought);
}
