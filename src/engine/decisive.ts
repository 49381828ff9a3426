import { bufferOf } from '../core/bytes.ts';
import { isDelivery, type Evidence } from '../core/evidence.ts';
import { responseOf } from '../judge/kernel/body.ts';
import { textsIn } from '../spec/kernel/value.ts';
import type { Wrong } from '../spec/kernel/violation.ts';

const longestBody = 100_000;

/**
 * The piece of evidence that shows a violation: the last of those that the judgement rests on; else the one that has most of the values
 * that came, and of equals the usual one. Where none has any, one that the case sent beside it may.
 */
export function decisiveOf(
  wrong: Pick<Wrong, 'at' | 'got' | 'because'>,
  evidence: readonly Evidence[],
  { usual, beside = [] }: { readonly usual: Evidence | null; readonly beside?: readonly Evidence[] },
): Evidence | null {
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
