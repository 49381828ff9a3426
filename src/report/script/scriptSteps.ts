import type { Headers } from '../../core/evidence.ts';
import type { Finding } from '../../engine/finding.ts';
import type { ExchangeLine } from '../../send/journalLine.ts';
import type { EvidenceById } from '../evidence/loadEvidence.ts';

/** A request of a failing case, as a script sends it again. */
export interface ScriptStep {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Headers;
  readonly body: string | null;
  /** The body is base64 of bytes that are no text. */
  readonly isBinary: boolean;
  /** Environment variable of its key; null where it goes without. */
  readonly keyVariable: string | null;
  /** What was answered in the run. */
  readonly then: string;
}

/** A value that a script has to find anew, and where: in the answer to a step, made up, or as the run had it. */
export interface ScriptVariable {
  readonly name: string;
  /** As it stood in the run, in requests. */
  readonly value: string;
  readonly from: { readonly step: number; readonly member: string } | 'pnr' | 'text' | 'run';
}

/** Fields that every client sets for itself. */
const own = new Set(['host', 'content-length', 'connection', 'user-agent', 'accept-encoding', 'x-api-key']);

/** The requests of a finding, from the evidence; callbacks are no requests. */
export function scriptSteps({ exchanges }: Finding, evidence: EvidenceById): readonly ScriptStep[] {
  return exchanges.flatMap((id) => {
    const line = evidence.get(id);
    return line?.type === 'exchange' ? [stepOf(line)] : [];
  });
}

function stepOf({ request, response, key, enterprise }: ExchangeLine): ScriptStep {
  const { body } = request;
  return {
    method: request.method,
    target: request.url.replace(/^https?:\/\/[^/]*/, ''),
    headers: request.headers.filter(([name]) => !own.has(name.toLowerCase())),
    body: body === null ? null : 'text' in body ? body.text : body.base64,
    isBinary: body !== null && 'base64' in body,
    keyVariable: variableOf(key, enterprise),
    then: response === null ? 'no answer' : `HTTP ${response.status}`,
  };
}

/** Keys that were made for the run are stood for by one of the same enterprise. */
function variableOf(key: string | null, enterprise: string | null): string | null {
  if (key === null) return null;
  if (enterprise === 'primary') return 'GATECHECK_KEYS_PRIMARY';
  if (enterprise === 'other') return 'GATECHECK_KEYS_OTHER';
  return /^[a-z]+(?:[A-Z][a-z]+)*$/.test(key)
    ? `GATECHECK_KEY_${key.replace(/[A-Z]/g, '_$&').toUpperCase()}`
    : 'GATECHECK_KEY';
}

/** Ids that answers gave and later requests name, locators that a repeat needs anew, and secrets, which are not stored. */
export function scriptVariables(finding: Finding, evidence: EvidenceById): readonly ScriptVariable[] {
  const lines = finding.exchanges.flatMap((id) => {
    const line = evidence.get(id);
    return line?.type === 'exchange' ? [line] : [];
  });
  const sent = lines.map(({ request }) => `${request.url}\n${textOf(request.body)}`);
  const found: ScriptVariable[] = [];
  const add = (variable: Omit<ScriptVariable, 'name'>, name: string) => {
    if (found.some(({ value }) => value === variable.value)) return;
    const taken = found.filter((one) => one.name.replace(/_\d+$/, '') === name).length;
    found.push({ ...variable, name: taken === 0 ? name : `${name}_${taken + 1}` });
  };
  for (const text of sent) {
    for (const [, value = ''] of text.matchAll(/"pnr"\s*:\s*"([A-Z0-9]{6})"/g))
      add({ value, from: 'pnr' }, 'PNR');
    for (const [, value = ''] of text.matchAll(/"fid"\s*:\s*"([\w-]{8,})"/g))
      add({ value, from: 'text' }, 'FID');
  }
  for (const { request } of lines) {
    const all = [
      textOf(request.body),
      ...request.headers.filter(([name]) => !own.has(name.toLowerCase())).flat(),
    ];
    for (const [value] of all.join('\n').matchAll(/‹[^›]*›/g)) add({ value, from: 'text' }, 'SECRET');
  }
  lines.forEach(({ response }, step) => {
    const later = sent.slice(step + 1).join('\n');
    const before = sent.slice(0, step + 1).join('\n');
    for (const [, member = '', value = ''] of textOf(response?.body ?? null).matchAll(leaves))
      if (later.includes(value) && !before.includes(value))
        add({ value, from: { step, member } }, member.replace(/\W/g, '_').toUpperCase());
  });
  for (const text of sent)
    for (const [, value = ''] of text.matchAll(recordNames)) add({ value, from: 'run' }, 'RECORD');
  return found;
}

/** Records that a check shares with others were made before its case: who repeats it names one of their own. */
const recordNames = /(?:checkin_id|checkinId|booking_id)(?:=|"\s*:\s*"?)([\w-]{4,200})/g;

const leaves = /"(\w{1,60})"\s*:\s*"?([\w-]{4,200})"?(?=\s*[,}\]])/g;

function textOf(body: ExchangeLine['request']['body']): string {
  return body !== null && 'text' in body ? body.text : '';
}

/** A text in pieces: as it is, or the variable that stands in its place. */
export function piecesOf(
  text: string,
  variables: readonly ScriptVariable[],
): readonly (string | ScriptVariable)[] {
  let pieces: (string | ScriptVariable)[] = [text];
  for (const variable of variables.toSorted((a, b) => b.value.length - a.value.length))
    pieces = pieces.flatMap((piece) =>
      typeof piece === 'string'
        ? piece.split(variable.value).flatMap((part, index) => (index === 0 ? [part] : [variable, part]))
        : [piece],
    );
  return pieces.filter((piece) => piece !== '');
}
