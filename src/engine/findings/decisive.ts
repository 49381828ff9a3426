import { isDeepStrictEqual } from 'node:util';
import { bufferOf } from '../../core/bytes.ts';
import { isDelivery, type Evidence, isExchange } from '../../core/evidence.ts';
import { responseOf } from '../../judge/kernel/body.ts';
import { textsIn } from '../../spec/kernel/value.ts';
import type { Wrong, Reason } from '../../spec/kernel/findings.ts';
import { valueAt } from '../../spec/rules/legMembers.ts';
import { shownLegs } from '../../spec/world/legs.ts';
import { sightsIn } from '../../spec/world/sights.ts';
import type { JsonObject } from '../../trace/body.ts';
import { shownStart } from '../../core/ownStart.ts';
import type { Redactor } from '../../core/redact.ts';
import { isObject, type Json } from '../../trace/json.ts';
import { reasonWords } from '../../spec/wording/reasons.ts';
import { wordsOf } from '../../spec/wording/words.ts';
import type { Finding } from './finding.ts';

const longestBody = 100_000;

/**
 * The piece of evidence that shows a violation: the last of those that the judgement rests on; else the one that has most of the values
 * that came, and of equals the usual one. Where none has any, one that the case sent beside it may. Of a value in a callback, only a
 * callback: the answer to its subscribe may well contain the same value, and rightly.
 */
export function decisiveOf(
  wrong: Pick<Wrong, 'at' | 'got' | 'because'>,
  all: readonly Evidence[],
  { usual: likely, beside = [] }: { readonly usual: Evidence | null; readonly beside?: readonly Evidence[] },
): Evidence | null {
  const callbacks = isInCallback(wrong) ? all.filter(isDelivery) : [];
  const evidence = callbacks.length > 0 ? callbacks : all;
  const usual = likely !== null && !evidence.includes(likely) ? (evidence.at(-1) ?? likely) : likely;
  const named = lastNamed(wrong, evidence);
  if (named !== null) return named;
  const quoted = quotedBy(wrong);
  for (const some of [evidence, beside]) {
    const most = Math.max(0, ...some.map((one) => countIn(one, quoted)));
    if (most === 0) continue;
    if (usual !== null && countIn(usual, quoted) === most) return usual;
    return some.findLast((one) => countIn(one, quoted) === most) ?? usual;
  }
  return usual;
}

const callbackPlace = /^(callback|changes)\b/;

/** Whether what came is in a callback. */
function isInCallback({ at, got }: Pick<Wrong, 'at' | 'got'>): boolean {
  return callbackPlace.test(at) && got.kind !== 'absent';
}

/** The last piece of evidence that a judgement rests on. */
function lastNamed({ because = [] }: Pick<Wrong, 'because'>, evidence: readonly Evidence[]): Evidence | null {
  const last = shownBy({ because })?.at(-1);
  if (last !== undefined) return last;
  // Ids alone stand in no order.
  const ids = new Set(because.map(({ id }) => id));
  return evidence.findLast(({ id }) => ids.has(id)) ?? null;
}

/** What was on the wire of what a judgement rests on; null if it names nothing but ids. */
export function shownBy({ because = [] }: Pick<Wrong, 'because'>): readonly Evidence[] | null {
  const shown = because.filter((one) => 'timings' in one || 'registration' in one);
  return shown.length === 0 ? null : shown;
}

interface Quoted {
  readonly status: number | null;
  /** A member with its value, as JSON without blanks. */
  readonly member: string | null;
  readonly values: readonly string[];
}

/** The status of an answer, and what stands in it word for word: a member and its texts. */
function quotedBy({ at, got }: Pick<Wrong, 'at' | 'got'>): Quoted {
  const name = /\w+$/.exec(at)?.[0];
  const isMember = got.kind === 'value' && name !== undefined;
  return {
    status: got.kind === 'answer' ? got.status : null,
    member: isMember ? unspaced(`"${name}":${JSON.stringify(got.value)}`) : null,
    values: textsIn(got),
  };
}

function countIn(evidence: Evidence, { status, member, values }: Quoted): number {
  const response = isDelivery(evidence) ? null : responseOf(evidence);
  const { headers = [], body = new Uint8Array() } = isDelivery(evidence) ? evidence : (response ?? {});
  const isThere = (value: string) =>
    // As bytes: half of a surrogate pair in a text that is looked for ends the process.
    bufferOf(body).includes(Buffer.from(value)) || headers.some(([, sent]) => sent.includes(value));
  const isStatus = status !== null && response?.status === status;
  const isMember =
    member !== null && unspaced(bufferOf(body.subarray(0, longestBody)).toString()).includes(member);
  return Number(isStatus) + Number(isMember) + values.filter(isThere).length;
}

function unspaced(text: string): string {
  return text.replace(/\s+/g, '');
}

/** Where a member stands in the answer that shows it: whatever compares records and legs names it without what it is in. */
export function placeIn(decisive: Evidence | null, { at, got }: Pick<Wrong, 'at' | 'got'>): string {
  if (decisive === null || !isExchange(decisive) || !/^[a-z]\w*(?:\.\w+)*$/i.test(at)) return at;
  if (got.kind !== 'value' && got.kind !== 'absent') return at;
  // What a callback says, or that none came, stands in no answer.
  if (callbackPlace.test(at)) return at;
  const all = [
    ...sightsIn(decisive).map(({ at: place, record }) => ({ place, object: record })),
    ...shownLegs(decisive).map(({ at: place, leg }) => ({ place, object: leg })),
  ];
  if (all.some(({ place }) => at.startsWith(`${place}.`))) return at;
  const value = got.kind === 'value' ? got.value : undefined;
  const shows = (object: JsonObject) => isDeepStrictEqual(valueAt(object, at), value);
  const [one, ...more] = all.filter(({ object }) => shows(object));
  // Of several that have it in common, which one it is about is not known.
  if (one === undefined || one.place === '' || more.length > 0) return at;
  return `${one.place}.${at}`;
}

/** Longest text of a finding that comes from answers; the evidence has it whole. */
const longestText = 10_000;
/** Longest part of a value: there may be many in one. */
const longestPart = 1_000;
const mostReasons = 100;

type Shown = Required<Pick<Finding, 'at' | 'want' | 'got' | 'because' | 'expected' | 'actual'>>;

/** A violation as a finding shows it: without any secret, and short. Secrets are replaced before anything is cut. */
export function shownWrong(wrong: Wrong, redactor: Redactor): Shown {
  const clean = (text: string) => redactor.redact(text);
  const { at, want, got } = wrong;
  const place = shownStart(clean(at), longestPart);
  const cleaned = { ...wrong, at: place, want: cleanJson(want, clean), got: cleanJson(got, clean) } as Wrong;
  const { expected, actual } = wordsOf(cleaned);
  return {
    expected: shownStart(clean(expected), longestText),
    actual: shownStart(clean(actual), longestText),
    at: place,
    want: cutJson(cleaned.want) as Shown['want'],
    got: cutJson(cleaned.got) as Shown['got'],
    because: reasonsOf(wrong).map((reason) => ({
      exchange: reason.id,
      text: shownStart(clean(textOf(reason, at)), longestPart),
    })),
  };
}

function reasonsOf({ because = [] }: Wrong): readonly Reason[] {
  if (because.length <= mostReasons) return because;
  return [...because.slice(0, mostReasons / 2), ...because.slice(-mostReasons / 2)];
}

function textOf(reason: Reason, at: string): string {
  return 'timings' in reason || 'registration' in reason || 'type' in reason ? reasonWords(reason, at) : '';
}

/** A number may be a secret as well. */
function cleanJson(json: unknown, clean: (text: string) => string): Json {
  if (typeof json === 'string') return clean(json);
  if (typeof json === 'number') return clean(`${json}`) === `${json}` ? json : clean(`${json}`);
  if (Array.isArray(json)) return json.map((one) => cleanJson(one, clean));
  if (!isObject(json)) return json === true || json === false ? json : null;
  const members = Object.entries(json).filter(([, own]) => own !== undefined);
  return Object.fromEntries(members.map(([name, own]) => [clean(name), cleanJson(own, clean)]));
}

function cutJson(json: unknown): Json {
  if (typeof json === 'string') return shownStart(json, longestPart);
  if (Array.isArray(json)) return json.map(cutJson);
  if (!isObject(json)) return json as Json;
  return Object.fromEntries(
    Object.entries(json).map(([name, own]) => [shownStart(name, longestPart), cutJson(own)]),
  );
}
