import type { Headers } from '../core/evidence.ts';

/** Bytes as recorded: text where they are valid UTF-8, else base64. Secrets are replaced by labels before. */
export type RecordedBody = { readonly text: string } | { readonly base64: string } | null;

/** One line of `evidence.ndjson`. */
export type JournalLine = ExchangeLine | DeliveryLine | EventLine | SendingLine;

export interface ExchangeLine {
  readonly type: 'exchange';
  readonly id: string;
  readonly check: string;
  readonly operation: string | null;
  readonly enterprise: string | null;
  readonly key: string | null;
  /** ISO 8601 UTC instant at which the request was sent. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Headers;
    readonly body: RecordedBody;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Headers;
    readonly body: RecordedBody;
    readonly truncated: boolean;
  } | null;
  readonly failure: {
    readonly reason: string;
    readonly message: string;
    readonly maybeDelivered: boolean;
  } | null;
  /** What the passive oracles found wrong with it: requirement ids. */
  readonly violated?: readonly string[];
}

/** A request that may leave something behind, written before it leaves; its exchange follows, unless the run is killed. */
export type SendingLine = { readonly type: 'sending' } & Pick<
  ExchangeLine,
  'id' | 'check' | 'operation' | 'enterprise' | 'key' | 'startedAt' | 'request'
>;

export interface DeliveryLine {
  readonly type: 'delivery';
  readonly id: string;
  /** Token of the mailbox that it came to. */
  readonly registration: string;
  /** Tells the connections of a run apart. */
  readonly connection: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly request: {
    readonly method: string;
    readonly target: string;
    readonly headers: Headers;
    readonly body: RecordedBody;
    readonly truncated: boolean;
  };
  /** What the sink answered, or how it broke the connection. */
  readonly answer: string;
  readonly violated?: readonly string[];
}

export interface EventLine {
  readonly type: 'event';
  readonly at: string;
  /** Name of the run event, such as `check-finished` or `waiting`. */
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
}
