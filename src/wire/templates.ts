import type { RecordedResponse } from '../core/evidence.ts';
import type { OperationId } from '../core/operations.ts';
import type { WireRequest, WireResult } from '../send/transport.ts';
import type { Asked, Carrier } from './asked.ts';

/** A request that was accepted, as a model of one that is valid. */
export interface Template {
  readonly operation: OperationId;
  readonly carrier: Carrier;
  readonly request: WireRequest;
}

/** What was accepted and refused before, as models for what an answer or a valid request looks like. */
export class TemplateBook {
  readonly #requests = new Map<string, Template>();
  readonly #accepted = new Map<OperationId, RecordedResponse>();
  readonly #refused = new Map<OperationId, RecordedResponse>();

  /** `given` are models for the time before anything was accepted. */
  constructor(given: readonly Template[] = []) {
    for (const one of given) this.#requests.set(nameOf(one), one);
  }

  get requests(): readonly Template[] {
    return [...this.#requests.values()];
  }

  requestLike({ operation, carrier }: Asked): WireRequest | undefined {
    if (operation === null) return undefined;
    const like = this.#requests.get(nameOf({ operation, carrier }));
    return (like ?? this.#requests.get(nameOf({ operation, carrier: carrier === 'none' ? 'query' : 'json' })))
      ?.request;
  }

  accepted(operation: OperationId): RecordedResponse | undefined {
    return this.#accepted.get(operation);
  }

  refused(operation: OperationId): RecordedResponse | undefined {
    return this.#refused.get(operation);
  }

  note(request: WireRequest, { operation, carrier }: Asked, { outcome }: WireResult): void {
    if (operation === null || outcome.kind === 'failure') return;
    const { response } = outcome;
    if (response.status >= 400) this.#refused.set(operation, response);
    if (response.status !== 200) return;
    this.#requests.set(nameOf({ operation, carrier }), { operation, carrier, request });
    this.#accepted.set(operation, response);
  }
}

function nameOf({ operation, carrier }: Pick<Template, 'operation' | 'carrier'>): string {
  return `${operation} ${carrier}`;
}
