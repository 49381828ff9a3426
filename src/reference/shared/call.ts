import type { Api, OperationId } from '../../core/operations.ts';
import type { Tally } from './tally.ts';
import type { Enterprise, KeyRecord } from './keys.ts';

/** Where a request came from, as far as the transport knows. */
export interface ConnectionInfo {
  readonly remoteAddress?: string;
  readonly connection?: string;
}

/** One request to a documented operation, before anything is known about its caller. */
export interface Incoming {
  readonly operation: OperationId;
  readonly api: Api;
  readonly request: Request;
  readonly query: URLSearchParams;
  readonly info: ConnectionInfo;
  /** What the deployment has met so far. */
  readonly tally: Tally;
}

/** The enterprise behind a request, by one of its keys. */
export interface Caller {
  readonly key: KeyRecord;
  readonly enterprise: Enterprise;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An operation in two steps: what can be judged from the request alone, and what needs the caller and the records. */
export interface Operation<Prepared> {
  prepare(incoming: Incoming): Promise<Prepared> | Prepared;
  run(caller: Caller, prepared: Prepared): Promise<Answer> | Answer;
}
