import type { Headers } from '../../core/evidence.ts';
import type { ExchangeLine } from '../../send/journalLine.ts';
import { bodyText } from '../page/moments.ts';
import { answerText } from '../page/storyLines.ts';
import type { CaseEvent } from './scriptCase.ts';

/** A step of a failing case, as a script repeats it: a request, or a state that the state handler sets. */
export type ScriptStep = RequestStep | StateStep;

export interface RequestStep {
  readonly kind: 'request';
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Headers;
  readonly body: string | null;
  /** Whether the body is base64 of bytes that are not text. */
  readonly isBinary: boolean;
  /** Label of its key; null if it has none. */
  readonly key: string | null;
  /** The answer in the run. */
  readonly then: string;
  readonly line: ExchangeLine;
}

interface StateStep {
  readonly kind: 'state';
  readonly state: string;
  /** JSON with labels in place of keys. */
  readonly params: string;
}

/** A key of the case, and where a script gets it. */
export interface ScriptKey {
  readonly label: string;
  /** Its variable in the script. */
  readonly name: string;
  /** Variable of the environment. */
  readonly from: string;
  /** Which of the keys of that variable, from 1. */
  readonly number: number;
}

/** A value that a script has to determine anew, and how: from the answer to a step, made up, or as in the run. */
export interface ScriptVariable {
  readonly name: string;
  /** As it was in the run, in requests. */
  readonly value: string;
  readonly from: { readonly step: number; readonly member: string } | 'pnr' | 'text' | 'key' | 'run';
}

/** Header fields that every client sets by itself. */
const own = new Set(['host', 'content-length', 'connection', 'user-agent', 'accept-encoding']);

/** The steps of a case, in order. */
export function scriptSteps(events: readonly CaseEvent[]): readonly ScriptStep[] {
  return events.map((event): ScriptStep => {
    if (event.kind === 'exchange') return stepOf(event.line);
    const { state, params } = event.line.data;
    return { kind: 'state', state, params };
  });
}

/** Labels of keys that a user has or the state handler makes; anything else that was sent as a key is sent unchanged. */
export const realKey =
  /^(?:(?:primary|other|issued)#\d+|revoked|disabled|noEntitlement|suspended|exhausted)$/;

function stepOf(line: ExchangeLine): ScriptStep {
  const { request } = line;
  const key = line.key !== null && realKey.test(line.key) ? line.key : null;
  const { body } = request;
  return {
    kind: 'request',
    method: request.method,
    target: request.url.replace(/^https?:\/\/[^/]*/, ''),
    headers: request.headers.filter(
      ([name]) => !own.has(name.toLowerCase()) && (key === null || name.toLowerCase() !== 'x-api-key'),
    ),
    body: body === null ? null : 'text' in body ? body.text : body.base64,
    isBinary: body !== null && 'base64' in body,
    key,
    then: answerText(line),
    line,
  };
}

const keyLabel = /‹key ([^›]{1,60})›/g;

/** The keys of a case: for each enterprise, as many as the case distinguishes. */
export function scriptKeys(steps: readonly ScriptStep[]): readonly ScriptKey[] {
  const enterprises = new Map<string, string | null>();
  for (const step of steps) {
    if (step.kind === 'request' && step.key !== null)
      enterprises.set(step.key, enterprises.get(step.key) ?? step.line.enterprise);
    if (step.kind === 'state')
      for (const [, label = ''] of step.params.matchAll(keyLabel))
        if (!enterprises.has(label)) enterprises.set(label, null);
  }
  const variables = variablesOf(enterprises);
  const counts = new Map<string, number>();
  return [...enterprises.keys()].map((label, index) => {
    const from = variables.get(label) ?? 'GATECHECK_KEYS_PRIMARY';
    const number = (counts.get(from) ?? 0) + 1;
    counts.set(from, number);
    return { label, name: `KEY_${index + 1}`, from, number };
  });
}

/** Keys that were made for the run are replaced by those of the environment, enterprise by enterprise. */
function variablesOf(enterprises: ReadonlyMap<string, string | null>): ReadonlyMap<string, string> {
  const names = [...new Set(enterprises.values())].filter((name) => name !== null);
  const made = names.filter((name) => !/^(?:primary|other)\b/.test(name) && name.includes('-'));
  const free = ['primary', 'other']
    .filter((name) => !names.some((one) => one.startsWith(name)))
    .map((name) => `GATECHECK_KEYS_${name.toUpperCase()}`);
  const ownOf = (name: string) => free[made.indexOf(name)] ?? `GATECHECK_KEYS_NEW_${made.indexOf(name) + 1}`;
  return new Map(
    [...enterprises].map(([label, name]): [string, string] => {
      if (name !== null && made.includes(name)) return [label, ownOf(name)];
      if (/^other\b/.test(name ?? label)) return [label, 'GATECHECK_KEYS_OTHER'];
      if (/^(?:primary|issued)\b/.test(name ?? label)) return [label, 'GATECHECK_KEYS_PRIMARY'];
      return [label, `GATECHECK_KEY_${label.replace(/[A-Z]/g, '_$&').toUpperCase().replace(/\W+/g, '_')}`];
    }),
  );
}

/** Ids that answers gave and later steps name, or that the last answer has to show, locators that must be new in a repetition, keys, and secrets, which are not stored. */
export function scriptVariables(
  steps: readonly ScriptStep[],
  due: readonly string[] = [],
): readonly ScriptVariable[] {
  const found: ScriptVariable[] = [];
  const add = (variable: Omit<ScriptVariable, 'name'>, name: string) => {
    if (found.some(({ value }) => value === variable.value)) return;
    const taken = found.filter((one) => one.name.replace(/_\d+$/, '') === name).length;
    found.push({ ...variable, name: taken === 0 ? name : `${name}_${taken + 1}` });
  };
  const sent = steps.map(sentBy);
  for (const { label, name } of scriptKeys(steps)) found.push({ name, value: `‹key ${label}›`, from: 'key' });
  for (const text of sent) {
    for (const [, value = ''] of text.matchAll(/"pnr"\s*:\s*"([A-Z0-9]{6})"/g))
      add({ value, from: 'pnr' }, 'PNR');
    for (const [, value = ''] of text.matchAll(/"fid"\s*:\s*"([\w-]{8,})"/g))
      add({ value, from: 'text' }, 'FID');
    for (const [value] of text.matchAll(/‹[^›]*›/g)) add({ value, from: 'text' }, 'SECRET');
  }
  steps.forEach((step, index) => {
    if (step.kind === 'state') return;
    const later = [...sent.slice(index + 1), ...due].join('\n');
    const before = sent.slice(0, index + 1).join('\n');
    for (const [, member = '', value = ''] of bodyText(step.line.response?.body ?? null).matchAll(ids))
      if (later.includes(value) && !before.includes(value))
        add({ value, from: { step: index, member } }, member.replace(/\W/g, '_').toUpperCase());
  });
  for (const text of sent)
    for (const [, value = ''] of text.matchAll(recordNames)) add({ value, from: 'run' }, 'RECORD');
  return found;
}

/** Everything that a step sends, in one text. */
function sentBy(step: ScriptStep): string {
  if (step.kind === 'state') return step.params;
  return [step.target, ...step.headers.flat(), step.isBinary ? '' : (step.body ?? '')].join('\n');
}

/** Records that were made before the evidence begins: someone who repeats the case uses one of their own. */
const recordNames = /(?:checkin_id|checkinId|booking_id)(?:=|"\s*:\s*"?)([\w-]{4,200})/g;

const ids = /"(\w{0,60}(?:id|Id|ID|Key))"\s*:\s*"?([\w-]{4,200})"?(?=\s*[,}\]])/g;

/** A text in pieces: literal text, or the variable that replaces it. */
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
