import { isDeepStrictEqual } from 'node:util';
import type { Exchange } from '../../core/evidence.ts';
import { bodyOf, isObject, responseOf, type Json } from '../../trace/body.ts';
import type { Wrong } from '../kernel/findings.ts';
import * as is from '../kernel/value.ts';
import { withoutNumbers } from '../kit/withoutNumbers.ts';

/** An answer and the id that its request named, which the answer may repeat. */
export interface AnswerAbout {
  readonly x: Exchange;
  readonly id: string | number;
}

/**
 * What tells refusals for a foreign record from those for a missing one; null where they differ only in what differs from any
 * request to the next: the id that was asked for, and whatever differs among the answers of one kind as well, such as numbers of the
 * request and times. Status, error, message and members are compared; timing and headers are left alone.
 */
export function tellingIn(foreign: readonly AnswerAbout[], missing: readonly AnswerAbout[]): Wrong | null {
  const ids = idsOf([...foreign, ...missing]);
  const [mine, theirs] = [foreign.map(({ x }) => partsOf(x, ids)), missing.map(({ x }) => partsOf(x, ids))];
  const names = new Set([...mine, ...theirs].flatMap((parts) => [...parts.keys()]));
  const telling = [...names].find((name) => tells(valuesOf(mine, name), valuesOf(theirs, name)));
  if (telling === undefined) return null;
  const [want, got] = [theirs, mine].map((answers) => is.value(answers[0]?.get(telling)));
  return {
    ...{ code: 'distinguishable', at: telling.replace(/^body\.?(?=.)/, '') },
    want: is.noted(want ?? is.absent, 'as for a missing record'),
    got: got ?? is.absent,
    because: [...missing, ...foreign].map(({ x }) => x),
  };
}

/** The ids of both kinds, the longest first: a short id may be a word that all the texts have. */
function idsOf(all: readonly AnswerAbout[]): readonly string[] {
  const ids = new Set(all.map(({ id }) => String(id)).filter((id) => id !== ''));
  return [...ids].toSorted((one, other) => other.length - one.length);
}

/** What an answer consists of: its status, and each value of its body by its place. */
type Parts = ReadonlyMap<string, Json>;

/** Whether a value separates the two kinds: the same in all answers of each kind, and different between them. */
function tells(mine: readonly (Json | undefined)[], theirs: readonly (Json | undefined)[]): boolean {
  if (isSteady(mine) && isSteady(theirs)) return !isDeepStrictEqual(mine[0], theirs[0]);
  // Only the words of a text: any other value that differs among answers of one kind proves nothing.
  const [mineAlike, theirsAlike] = [mine.map(withoutNumbers), theirs.map(withoutNumbers)];
  return isSteady(mineAlike) && isSteady(theirsAlike) && !isDeepStrictEqual(mineAlike[0], theirsAlike[0]);
}

function isSteady(values: readonly unknown[]): boolean {
  return values.every((value) => isDeepStrictEqual(value, values[0]));
}

function valuesOf(answers: readonly Parts[], name: string): readonly (Json | undefined)[] {
  return answers.map((parts) => parts.get(name));
}

function partsOf(x: Exchange, ids: readonly string[]): Parts {
  const response = responseOf(x);
  const body = response && bodyOf(response);
  const parts = new Map<string, Json>([['status', response?.status ?? 0]]);
  if (body?.kind === 'json') addParts(parts, body.value, { name: '', at: 'body', ids });
  else if (response) parts.set('body', maskText(Buffer.from(response.body).toString('utf8'), ids));
  return parts;
}

interface Place {
  readonly name: string;
  readonly at: string;
  readonly ids: readonly string[];
}

/** Members whose values belong to the single request or moment. */
const passing =
  /request.?id|trace|correlation|span|timestamp|time|date|instance|nonce|^ref(erence)?$|^id$|_id$|Id$/i;

function addParts(parts: Map<string, Json>, value: Json | undefined, place: Place): void {
  const { name, at, ids } = place;
  if (Array.isArray(value)) {
    parts.set(at, '‹array›');
    for (const [index, item] of (value as readonly Json[]).entries())
      addParts(parts, item, { name, at: `${at}[${index}]`, ids });
  } else if (isObject(value)) {
    parts.set(at, '‹object›');
    for (const [member, inner] of Object.entries(value))
      addParts(parts, inner, { name: member, at: `${at}.${member}`, ids });
  } else parts.set(at, maskLeaf(name, value ?? null, ids));
}

function maskLeaf(name: string, value: Json, ids: readonly string[]): Json {
  if (value === null || typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (passing.test(name) || ids.includes(text)) return `‹${typeof value}›`;
  return typeof value === 'string' ? maskText(value, ids) : value;
}

function maskText(text: string, ids: readonly string[]): string {
  const names = ids.map((id) => id.replaceAll(/[^A-Za-z0-9]/g, String.raw`\$&`)).join('|');
  const asked = new RegExp(`(?<![A-Za-z0-9])(?:${names})(?![A-Za-z0-9])`, 'g');
  return text
    .replaceAll(asked, '‹id›')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)?/g, '‹time›')
    .replaceAll(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi, '‹uuid›')
    .replaceAll(/\b(?=[A-Za-z0-9_-]{0,200}\d)[A-Za-z0-9_-]{8,}\b/g, '‹token›');
}
