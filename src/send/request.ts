import { operations, type Api, type OperationId } from '../core/operations.ts';
import type { ApiKey, KeyRole } from './keyRing.ts';

/** Which key a request carries: any of an enterprise, a particular one, a made-up value, or none. */
export type KeyChoice =
  | { readonly kind: 'pool'; readonly enterprise: KeyRole }
  /** `otherwise`: while the key is full, any other of its enterprise among those of this role will do. */
  | { readonly kind: 'key'; readonly key: ApiKey; readonly otherwise?: KeyRole }
  /** `wire` replaces the header; the evidence shows its label. */
  | { readonly kind: 'invented'; readonly label: string; readonly value: string }
  | { readonly kind: 'none' };

/** A request without a key or a time yet. */
export interface ApiRequest {
  /** The documented operation that it addresses; null for anything else. */
  readonly operation: OperationId | null;
  readonly api: Api;
  readonly method: string;
  readonly path: string;
  /** Query exactly as it is sent, without the question mark. */
  readonly query: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | null;
  readonly key: KeyChoice;
  /** Spelling of the key header's name on the wire. */
  readonly keyHeader: string;
  /** The sender wants to see a 429: it is returned, never waited for. */
  readonly wantsRefusal: boolean;
  /** It is not sent again, whatever disturbed it; by default it may be. */
  readonly once?: boolean;
  /** Requests with the same name share one connection of their own; null if any will do. */
  readonly connection: string | null;
}

export type RequestOptions = Partial<
  Pick<ApiRequest, 'key' | 'keyHeader' | 'wantsRefusal' | 'headers' | 'connection'>
>;

/** Scalars of a query; a list of pairs if a name is repeated. */
export type Query = Readonly<Record<string, string>> | readonly (readonly [name: string, value: string])[];

export const primaryKey: KeyChoice = { kind: 'pool', enterprise: 'primary' };
export const otherKey: KeyChoice = { kind: 'pool', enterprise: 'other' };
export const noKey: KeyChoice = { kind: 'none' };

export function subscribe(body: unknown, options?: RequestOptions): ApiRequest {
  return jsonRequest('wci.subscribe', body, options);
}

export function update(body: unknown, options?: RequestOptions): ApiRequest {
  return jsonRequest('wci.update', body, options);
}

export function status(query: Query, options?: RequestOptions): ApiRequest {
  return queryRequest('wci.status', query, options);
}

export function list(query: Query = {}, options?: RequestOptions): ApiRequest {
  return queryRequest('wci.list', query, options);
}

export function lookup(query: Query, options?: RequestOptions): ApiRequest {
  return queryRequest('fla.lookup', query, options);
}

export function flightSubscribe(body: unknown, options?: RequestOptions): ApiRequest {
  return jsonRequest('fla.subscribe', body, options);
}

/** A body exactly as given, with the content type that it claims (null for none). */
export function rawRequest(
  operation: OperationId,
  body: string | Uint8Array,
  contentType: string | null,
  options: RequestOptions = {},
): ApiRequest {
  const headers = contentType === null ? [] : [['content-type', contentType] as const];
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return { ...base(operation, options), headers: [...headers, ...(options.headers ?? [])], body: bytes };
}

function jsonRequest(operation: OperationId, body: unknown, options?: RequestOptions): ApiRequest {
  return rawRequest(operation, JSON.stringify(body), 'application/json', options);
}

function queryRequest(operation: OperationId, query: Query, options: RequestOptions = {}): ApiRequest {
  const pairs: readonly (readonly [string, string])[] = isPairs(query) ? query : Object.entries(query);
  const encoded = pairs
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value.toWellFormed())}`)
    .join('&');
  return { ...base(operation, options), query: encoded };
}

function isPairs(query: Query): query is readonly (readonly [string, string])[] {
  return Array.isArray(query);
}

function base(operation: OperationId, options: RequestOptions): ApiRequest {
  const { api, method, path } = operations[operation];
  return {
    operation,
    api,
    method,
    path,
    query: '',
    headers: options.headers ?? [],
    body: null,
    key: options.key ?? primaryKey,
    keyHeader: options.keyHeader ?? 'X-API-Key',
    wantsRefusal: options.wantsRefusal ?? false,
    connection: options.connection ?? null,
  };
}
