import { bufferOf } from '../core/bytes.ts';
import { isDelivery, type Evidence } from '../core/evidence.ts';
import { responseOf } from '../judge/kernel/body.ts';
import type { Violated } from '../judge/kernel/judgement.ts';

/** Longest part of a text in which values are looked for. */
const longest = 2_000;
const longestBody = 100_000;

/**
 * The piece of evidence that shows a violation: the last that the judgement names, as in `61 requests (x132 … x192) … are more than
 * 60 allow`; else the one that has most of the values that the judgement quotes, and of equals the usual one. Where none has any,
 * one that the case sent beside it may.
 */
export function decisiveOf(
  { actual }: Pick<Violated, 'actual'>,
  evidence: readonly Evidence[],
  { usual, beside = [] }: { readonly usual: Evidence | null; readonly beside?: readonly Evidence[] },
): Evidence | null {
  const named = namedLast(actual, evidence);
  if (named) return named;
  const quoted = quotedIn(actual.slice(0, longest));
  for (const some of [evidence, beside]) {
    const most = Math.max(0, ...some.map((one) => countIn(one, quoted)));
    if (most === 0) continue;
    if (usual !== null && countIn(usual, quoted) === most) return usual;
    return some.findLast((one) => countIn(one, quoted) === most) ?? usual;
  }
  return usual;
}

/** The last piece of evidence that a text names by its id. */
export function namedLast(text: string, evidence: readonly Evidence[]): Evidence | null {
  const named = new Set(text.slice(0, 8 * longest).match(/\b[xc]\d+\b/g));
  return evidence.findLast(({ id }) => named.has(id)) ?? null;
}

interface Quoted {
  readonly status: number | null;
  /** A member with its value, as JSON without blanks. */
  readonly member: string | null;
  readonly values: readonly string[];
}

/** The status of an answer, and what stands in it word for word: a member, texts in quotation marks and times. */
function quotedIn(text: string): Quoted {
  const [, name, value] =
    /^(?:[\w.[\]]+\.)?(\w+) (?:is )?((?:[[{"\d-]|true|false|null)[^]*)$/.exec(text) ?? [];
  const status = /^HTTP (\d{3})\b/.exec(text)?.[1];
  const texts = Array.from(text.matchAll(/"((?:[^"\\]|\\.)+)"/g), ([, inner = '']) => inner);
  const times = text.match(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g) ?? [];
  return {
    status: status === undefined ? null : Number(status),
    member: name === undefined || value === undefined ? null : unspaced(`"${name}":${value}`),
    values: [...texts, ...times],
  };
}

function countIn(evidence: Evidence, { status, member, values }: Quoted): number {
  const response = isDelivery(evidence) ? null : responseOf(evidence);
  const { headers = [], body = new Uint8Array() } = isDelivery(evidence) ? evidence : (response ?? {});
  const isThere = (value: string) =>
    bufferOf(body).includes(value) || headers.some(([, sent]) => sent.includes(value));
  const isStatus = status !== null && response?.status === status;
  const isMember =
    member !== null && unspaced(bufferOf(body.subarray(0, longestBody)).toString()).includes(member);
  return Number(isStatus) + Number(isMember) + values.filter(isThere).length;
}

function unspaced(text: string): string {
  return text.replace(/\s+/g, '');
}
