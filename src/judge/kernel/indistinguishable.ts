import { isDeepStrictEqual } from 'node:util';
import type { Exchange } from '../../core/evidence.ts';
import { describeResponse, noResponse } from './answer.ts';
import { bodyOf, isObject, responseOf, type Json } from './body.ts';
import { holds, unclear, violated, type Judgement } from './judgement.ts';
import { describeValue } from './rule.ts';

/** An answer and the id that its request named, which may stand in the answer. */
export interface AnswerAbout {
  readonly x: Exchange;
  readonly id: string | number;
}

/**
 * Whether two refusals differ in nothing but what differs from any request to the next: the id that was asked for,
 * request ids and timestamps. Status, error, message and members are compared; timing and headers are left alone.
 */
export function indistinguishable(foreign: AnswerAbout, missing: AnswerAbout): Judgement {
  const [one, other] = [responseOf(foreign.x), responseOf(missing.x)];
  if (!one) return noResponse(foreign.x);
  if (!other) return noResponse(missing.x);
  if (isOfTheWay(one.status) || isOfTheWay(other.status)) {
    return unclear(
      `${describeResponse(foreign.x)} and ${describeResponse(missing.x)} say nothing of the records`,
    );
  }
  if (one.status !== other.status) {
    return violated('status', describeResponse(missing.x), describeResponse(foreign.x));
  }
  const [mine, theirs] = [maskedBody(foreign), maskedBody(missing)];
  if (isDeepStrictEqual(mine, theirs)) return holds;
  return violated(
    'distinguishable',
    `${describeValue(theirs)}, as for a missing record`,
    describeValue(mine),
  );
}

function isOfTheWay(status: number): boolean {
  return status === 429 || status >= 500;
}

function maskedBody({ x, id }: AnswerAbout): Json {
  const response = responseOf(x);
  const body = response && bodyOf(response);
  if (body?.kind === 'json') return maskValue('', body.value, String(id));
  return response ? maskText(Buffer.from(response.body).toString('utf8'), String(id)) : null;
}

/** Members whose values belong to the single request or moment. */
const passing =
  /request.?id|trace|correlation|span|timestamp|time|date|instance|nonce|^ref(erence)?$|^id$|_id$|Id$/i;

function maskValue(name: string, value: Json | undefined, id: string): Json {
  if (value === undefined || value === null || typeof value === 'boolean') return value ?? null;
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => maskValue(name, item, id));
  if (isObject(value)) {
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(members.map(([member, inner]) => [member, maskValue(member, inner, id)]));
  }
  if (passing.test(name) || JSON.stringify(value) === id || value === id) return `‹${typeof value}›`;
  return typeof value === 'string' ? maskText(value, id) : value;
}

function maskText(text: string, id: string): string {
  const asked = new RegExp(
    `(?<![A-Za-z0-9])${id.replaceAll(/[^A-Za-z0-9]/g, String.raw`\$&`)}(?![A-Za-z0-9])`,
    'g',
  );
  return text
    .replaceAll(asked, '‹id›')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)?/g, '‹time›')
    .replaceAll(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi, '‹uuid›')
    .replaceAll(/\b(?=[A-Za-z0-9_-]*\d)[A-Za-z0-9_-]{8,}\b/g, '‹token›');
}
