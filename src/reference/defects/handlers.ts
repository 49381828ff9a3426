import type { SharedPolicy } from '../shared/policy.ts';
import { isPart, type Part } from './part.ts';

type Front = SharedPolicy['front'];

/** A request as a handler finds it. */
export interface Found {
  readonly request: Request;
  /** The last part of its path. */
  readonly at: string;
  readonly query: URLSearchParams;
  readonly text: string;
  /** Its body; empty where there is no JSON object. */
  readonly body: Part;
}

/** A handler that answers an internal error where something is true of a request. */
export function breaking(has: (found: Found) => boolean): Front {
  return answering(has, 500, 'INTERNAL_ERROR');
}

/** A handler that refuses a request of which something is true. */
export function refusing(has: (found: Found) => boolean, status = 400, code = 'VALIDATION_ERROR'): Front {
  return answering(has, status, code);
}

/** A handler that reads another query than was sent. */
export function reading(name: string, change: (value: string) => string): Front {
  return async (request, answer) => {
    const url = new URL(request.url);
    const values = url.searchParams.getAll(name);
    if (values.length === 0) return answer();
    url.searchParams.delete(name);
    for (const value of values) url.searchParams.append(name, change(value));
    return answer(new Request(url, request));
  };
}

/** A handler that reads another JSON body than was sent; null for the same. */
export function rewriting(change: (found: Found) => Part | null): Front {
  return async (request, answer) => {
    const found = await find(request);
    const changed = change(found);
    if (changed === null || Object.keys(found.body).length === 0) return answer();
    const { url, method, headers } = request;
    // Over HTTP it is a request of another make, which the constructor does not take.
    return answer(new Request(url, { method, headers, body: JSON.stringify(changed) }));
  };
}

/** The elements of a list in a body that are objects. */
export function partsIn(body: Part, list: string): readonly Part[] {
  const elements = body[list];
  return Array.isArray(elements) ? elements.filter(isPart) : [];
}

function answering(has: (found: Found) => boolean, status: number, code: string): Front {
  return async (request, answer) => {
    if (!request.headers.get('x-api-key') || !has(await find(request))) return answer();
    return Response.json({ success: false, error: code, message: 'The request fails.' }, { status });
  };
}

async function find(request: Request): Promise<Found> {
  const { pathname, searchParams } = new URL(request.url);
  const text = request.method === 'GET' ? '' : await request.clone().text();
  return {
    ...{ request, text, query: searchParams },
    at: pathname.slice(pathname.lastIndexOf('/') + 1),
    body: bodyOf(request, text),
  };
}

function bodyOf(request: Request, text: string): Part {
  if (!/^application\/json/i.test(request.headers.get('content-type') ?? '')) return {};
  try {
    const value = JSON.parse(text) as unknown;
    return isPart(value) ? value : {};
  } catch {
    return {};
  }
}
