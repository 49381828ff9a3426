import type { RecordedRequest } from '../core/evidence.ts';
import { bufferOf, onceForBytes } from '../core/bytes.ts';
import { keptTexts } from '../core/latest.ts';
import { isTooDeep } from '../core/tooDeep.ts';
import { isObject, jsonTextOf, type Json, type JsonObject } from './body.ts';

const none: JsonObject = Object.freeze({});

/** The query parameters of a request, decoded; what is sent repeatedly is a list. */
export function queryMembers({ target }: RecordedRequest): JsonObject {
  return membersIn(target);
}

const membersIn = keptTexts((target) => {
  const query = target.slice(target.indexOf('?') + 1);
  return query.length === target.length ? none : (plainMembers(query) ?? decodedMembers(query));
});

/** Names and values of letters, digits, dots and dashes, each name once: nearly every query, which takes little to read. */
function plainMembers(text: string): JsonObject | null {
  if (!/^[\w.-]+=[\w.:~-]*(?:&[\w.-]+=[\w.:~-]*)*$/.test(text)) return null;
  const members: Record<string, string> = {};
  for (const part of text.split('&')) {
    const at = part.indexOf('=');
    const name = part.slice(0, at);
    if (name in members) return null;
    members[name] = part.slice(at + 1);
  }
  return members;
}

function decodedMembers(text: string): JsonObject {
  const query = new URLSearchParams(text);
  const members = [...new Set(query.keys())].map((name) => {
    const [value = '', ...more] = query.getAll(name);
    return [name, more.length === 0 ? value : [value, ...more]] as const;
  });
  return Object.fromEntries(members);
}

/** The JSON object in a request's body; none in one that is nested too deep. */
export const objectIn = onceForBytes(parseObject);

function parseObject(body: Uint8Array): JsonObject | null {
  // A body that is no object, such as multipart, starts with another character: no need to try.
  if (firstOf(body) !== 0x7b || isTooDeep(bufferOf(body))) return null;
  try {
    const value = JSON.parse(jsonTextOf(body) ?? '') as Json;
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** The first byte that is not a blank. */
function firstOf(body: Uint8Array): number | undefined {
  let at = 0;
  while (at < body.length && (body[at] ?? 0) <= 0x20) at += 1;
  return body[at];
}
