import type { Finding } from '../../engine/findings/finding.ts';
import type { DeliveryLine, ExchangeLine } from '../../send/journalLine.ts';
import { isSilent } from '../silence.ts';
import { countedIn, namedBy, storyOf } from '../story.ts';
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

/** What happened in the case of a finding, in order of time: requests, callbacks, and states that were set for it. */
export function momentsOf(
  finding: Finding,
  evidence: Pick<PageEvidence, 'lines' | 'states'>,
): readonly Moment[] {
  const own = wireOf(finding, evidence.lines);
  if (own.length === 0) return [];
  // For counted requests, only states that affect all requests matter.
  const isCounted = countedIn(finding).length > 0;
  const states = statesOf(own, evidence.states, isSilent(finding)).filter(
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
  // What the finding names is part of it, even if its answer was right.
  const named = namedBy(finding).filter((id) => !finding.exchanges.includes(id));
  for (const id of named) if (lines[id] !== undefined) told.add(id);
  for (const id of [...named.filter((one) => told.has(one)), ...finding.exchanges]) {
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

/** Most states after the last request, where a callback of them is missing. */
const mostUntold = 2;

/**
 * States that name a flight, a request or a key of the case, and those that applied to everything while the case ran. Where no
 * callback came, the state that it should have told is after the last request.
 */
function statesOf(
  own: readonly Moment[],
  states: readonly StateLine[],
  isUntold: boolean,
): readonly Moment[] {
  const times = own.map(({ at }) => at);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const said = own.map(textOf).join('\n');
  let untold = isUntold ? mostUntold : 0;
  return states.flatMap((line, index): Moment[] => {
    const at = Date.parse(line.at);
    if (at > last && untold === 0) return [];
    const names = namesIn(line.data.params);
    const isOurs =
      names.length > 0
        ? names.every((name) => isSaid(name, said))
        : at >= first && at <= last && forAll.has(line.data.state);
    if (isOurs && at > last) untold -= 1;
    return isOurs ? [{ kind: 'state', at, id: `s${index + 1}`, line }] : [];
  });
}

/** States that affect all requests. */
const forAll: ReadonlySet<string> = new Set(['clock.advance', 'automation.set', 'provider.fail']);

const naming = ['checkin_id', 'flightNumber', 'departureDate', 'key'];

/** Values in the parameters of a state that say what it is about. */
function namesIn(params: string): readonly string[] {
  const found = [...params.matchAll(/"(\w+)":"([^"]*)"/g)];
  return found.flatMap(([, name = '', value = '']) => (naming.includes(name) ? [labelOf(value)] : []));
}

/** Whether a name is in a text; `issued#1` is not in `issued#12`. */
function isSaid(name: string, text: string): boolean {
  return text
    .split(name)
    .slice(1)
    .some((rest) => !/^\d/.test(rest));
}

/** `issued#12` of `‹key issued#12 of new-0067›`: whose key it is, requests do not say. */
function labelOf(value: string): string {
  return value.replace(/^‹key (\S+?)(?: of .*)?›$/, '$1');
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
  if ('text' in body) return body.text;
  return partsText(body.base64) ?? `(bytes that are not text, in base64: ${body.base64})`;
}

/** A multipart body with its text parts as text, and of the others the size; null for anything else. */
function partsText(base64: string): string | null {
  // Bodies may be cut before they are shown.
  const bytes = atob(base64.slice(0, base64.length - (base64.length % 4)).replace(/[^A-Za-z0-9+/=]/g, ''));
  const boundary = /^--[^\r\n]{1,100}(?=\r\nContent-Disposition: form-data)/i.exec(bytes)?.[0];
  if (boundary === undefined) return null;
  return bytes.split(boundary).map(partText).join(boundary);
}

function partText(part: string): string {
  const head = part.indexOf('\r\n\r\n') + 4;
  try {
    const bytes = Uint8Array.from(part, (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return `${part.slice(0, head)}(${part.length - head - 2} bytes that are not text)\r\n`;
  }
}

/** The path and query of an address, as in the first line of a request. */
export function targetOf(url: string): string {
  return url.replace(/^https?:\/\/[^/?]*/, '');
}

/** The path of an address, without host and query. */
export function pathOf(url: string): string {
  return url.replace(/^https?:\/\/[^/]*/, '').replace(/\?.*$/s, '');
}

/**
 * The moment that shows the violation: named by the finding, else the last.
 * Where a callback is missing, it is what should have been told: no callback that came breaks the rule.
 */
export function decisiveOf(finding: Finding, moments: readonly Moment[]): string | null {
  if (isSilent(finding)) {
    const named = moments.find(({ id, kind }) => id === finding.decisive && kind === 'exchange');
    return named?.id ?? moments.findLast(({ kind }) => kind !== 'delivery')?.id ?? null;
  }
  const wire = moments.filter(({ kind }) => kind !== 'state').toReversed();
  return (wire.find(({ id }) => id === finding.decisive) ?? wire[0])?.id ?? null;
}
