import type { Headers } from '../core/evidence.ts';
import type { Api } from '../core/operations.ts';
import type { Intent } from './journalText.ts';
import type { ApiKey, KeyRing } from './keyRing.ts';
import type { Ticket } from './pacer.ts';
import { isSentOnce } from './resend.ts';
import type { ApiRequest } from './request.ts';
import type { WireRequest } from './transport.ts';

/** A request with its key, ready to be sent. */
export interface ReadyRequest {
  readonly id: string;
  readonly request: ApiRequest;
  readonly ticket: Ticket | null;
  readonly wire: WireRequest;
}

/** What a run adds to all its requests. */
export interface RequestSettings {
  readonly baseUrls: Readonly<Record<Api, string>>;
  readonly keys: KeyRing;
  /** Header fields that every request carries, such as those of a gateway. */
  readonly extraHeaders: Headers;
  /** Number of exchanges of earlier parts, in a continued run; 0 by default. */
  readonly numberedBefore?: number;
}

/** Numbers the requests of a run, and gives each its address, key and header fields. */
export class RequestMaker {
  readonly #settings: RequestSettings;
  #count: number;

  constructor(settings: RequestSettings) {
    this.#settings = settings;
    this.#count = settings.numberedBefore ?? 0;
  }

  /** The keys of the run that a request may carry. */
  candidates({ key }: ApiRequest): readonly ApiKey[] {
    if (key.kind === 'pool') return this.#settings.keys.pool(key.enterprise);
    return key.kind === 'key' ? [key.key] : [];
  }

  /** The keys that a request may carry while the one that it prefers is full. */
  substitutes({ key }: ApiRequest): readonly ApiKey[] {
    if (key.kind !== 'key' || key.otherwise === undefined) return [];
    const { enterprise } = key.key;
    return this.#settings.keys
      .pool(key.otherwise)
      .filter((other) => other !== key.key && other.enterprise === enterprise);
  }

  make(request: ApiRequest, ticket: Ticket | null): ReadyRequest {
    this.#count += 1;
    return { id: `x${this.#count}`, request, ticket, wire: this.#wire(request, ticket?.key ?? null) };
  }

  #wire(request: ApiRequest, key: ApiKey | null): WireRequest {
    const { extraHeaders } = this.#settings;
    const value = key?.value ?? (request.key.kind === 'invented' ? request.key.value : null);
    return {
      baseUrl: this.#settings.baseUrls[request.api],
      method: request.method,
      target: request.query === '' ? request.path : `${request.path}?${request.query}`,
      headers:
        value === null
          ? [...extraHeaders, ...request.headers]
          : [...extraHeaders, [request.keyHeader, value], ...request.headers],
      body: request.body,
      ...(request.connection === null ? {} : { connection: request.connection }),
      ...(isSentOnce(request) && { once: true }),
    };
  }
}

/** A request as it is noted before it is sent. */
export function intentOf({ id, request, ticket, wire }: ReadyRequest, check: string): Intent {
  return {
    id,
    check,
    operation: request.operation,
    enterprise: ticket === null || isInactive(ticket.key) ? null : ticket.key.enterprise,
    key: ticket?.key.label ?? (request.key.kind === 'invented' ? request.key.label : null),
    request: wire,
  };
}

/** Given as a key that is refused, so its enterprise is not known; it may well be the primary one. */
function isInactive({ label }: ApiKey): boolean {
  return label === 'revoked' || label === 'disabled';
}
