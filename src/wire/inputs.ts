import type { WireRequest } from '../send/transport.ts';
import { readRequest, withBody, withField, withQuery, type Asked } from './asked.ts';
import { isItems, isMembers, isSame, type Json, type JsonObject } from './json.ts';
import { fieldOf } from './multipart.ts';

/**
 * Everything that a request puts in, as one value: `key` and `type` (the content type) of the header, `query` and `body`,
 * so that one path names any input.
 */
export function inputsOf(request: WireRequest, asked: Asked = readRequest(request)): JsonObject {
  const { key, query, body, carrier } = asked;
  const type = carrier === 'multipart' ? null : fieldOf(request.headers, 'content-type');
  return {
    ...(key === null ? {} : { key }),
    ...(type === null ? {} : { type }),
    ...(Object.keys(query).length === 0 ? {} : { query }),
    ...(body === undefined ? {} : { body }),
  };
}

/** The request with other inputs; what is the same as before stays as it was spelt. */
export function withInputs(request: WireRequest, inputs: JsonObject): WireRequest {
  const before = inputsOf(request);
  let edited = request;
  if (!isSame(before.key, inputs.key)) edited = withHeader(edited, 'x-api-key', inputs.key);
  if (!isSame(before.type, inputs.type)) edited = withHeader(edited, 'content-type', inputs.type);
  if (!isSame(before.query, inputs.query))
    edited = withQuery(edited, isMembers(inputs.query) ? inputs.query : {});
  if (!isSame(before.body, inputs.body)) edited = withBody(edited, inputs.body);
  return edited;
}

/** The paths of all places in which two values differ, the deepest first; items are compared with those of the same place. */
export function differences(value: Json | undefined, other: Json | undefined): readonly string[] {
  const found = new Map<string, number>();
  const visit = (path: string, depth: number, one: Json | undefined, two: Json | undefined): void => {
    if (isSame(one, two)) return;
    found.set(path, depth);
    if (isItems(one) && isItems(two))
      one.forEach((item, index) => visit(`${path}[]`, depth + 1, item, two[index] ?? two[0]));
    else if (isMembers(one) && isMembers(two))
      for (const name of new Set([...Object.keys(one), ...Object.keys(two)]))
        visit(path === '' ? name : `${path}.${name}`, depth + 1, one[name], two[name]);
  };
  visit('', 0, value, other);
  return [...found].sort(([, one], [, two]) => two - one).map(([path]) => path);
}

/** The value with what stands at a path taken from another; items are taken from those of the same place. */
export function takenOver(value: Json, path: string, other: Json | undefined): Json {
  return taken(value, path.split(/\.|(?=\[\])/), other) ?? value;
}

function taken(value: Json | undefined, steps: readonly string[], other: Json | undefined): Json | undefined {
  const [step, ...rest] = steps;
  if (step === undefined) return other;
  if (step === '[]')
    return isItems(value) && isItems(other)
      ? value.map((item, index) => taken(item, rest, other[index] ?? other[0]) ?? item)
      : value;
  if (!isMembers(value)) return value;
  const edited = taken(value[step], rest, isMembers(other) ? other[step] : undefined);
  if (edited !== undefined) return { ...value, [step]: edited };
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== step));
}

function withHeader(request: WireRequest, name: string, value: Json | undefined): WireRequest {
  const text = typeof value === 'string' ? value : null;
  return { ...request, headers: withField(request.headers, name, text) };
}
