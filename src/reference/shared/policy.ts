import type { KeyRecord, KeyRegistry } from './keys.ts';
import type { OperationId } from '../../core/operations.ts';
import type { Caller, Incoming } from './call.ts';
import type { CounterFactory } from './windowCounters.ts';
import type { RateLimits } from './limiter.ts';
import type { Moment } from './moment.ts';
import type { Refusal } from './refusal.ts';
import type { FilePart, SentParts, TextPart } from './multipart.ts';

export type AuthFailure = 'missing' | 'unknown' | 'revoked' | 'disabled';

export type AuthCodes = Readonly<Record<AuthFailure, string>>;

/** What the two APIs have in common: keys, rate limits, errors, bodies. */
export interface SharedPolicy {
  /** The key that a request presents; null where it presents none (Authentication 1). */
  readonly presentedKey: (request: Request) => string | null;
  /** The issued key that a presented value stands for (Authentication 2). */
  readonly matchKey: (presented: string, keys: KeyRegistry, incoming: Incoming) => KeyRecord | undefined;
  /** Whether a key lets a request in. */
  readonly admitsKey: (key: KeyRecord, operation: OperationId) => boolean;
  /** What a revocation takes with it. */
  readonly revocationTakes: 'the key' | 'its records' | 'their place in the list' | 'their webhooks';
  /** Whether a key still works so long after it was revoked or disabled. */
  readonly outlives: (key: KeyRecord, ageMs: number, incoming: Incoming) => boolean;
  /** Whether an operation asks for a key. */
  readonly needsKey: (incoming: Incoming) => boolean;
  /** Whether a request without a usable key is carried out before it is refused, by mistake. */
  readonly refusesKeyLate: (incoming: Incoming) => boolean;
  /** Whether the key is judged before the rest of the request. */
  readonly keyFirst: (incoming: Incoming) => boolean;
  /** The body of a 401. */
  readonly unauthorizedBody: (failure: AuthFailure, incoming: Incoming, codes: AuthCodes) => unknown;
  /** The codes of a 401 where it carries codes. */
  readonly authCodes: AuthCodes;
  /** How the two limits count. */
  readonly minuteCounter: CounterFactory;
  readonly hourCounter: CounterFactory;
  /** Whether the keys of an enterprise share one hour; no reading of the documents allows it. */
  readonly sharesHour: boolean;
  /** The limits in force, from the configured ones. */
  readonly limits: (configured: RateLimits) => RateLimits;
  /** What one budget is kept for: by the documents, a key. */
  readonly limitScope: (caller: Caller, incoming: Incoming) => string;
  /** Whether a request beyond a limit is refused. */
  readonly throttles: (incoming: Incoming) => boolean;
  /** Whether an answered request stays counted. */
  readonly counts: (operation: OperationId, status: number, incoming: Incoming) => boolean;
  /** Requests that an answer adds to the count beyond its own. */
  readonly surcharge: (operation: OperationId, body: unknown) => number;
  /** Whether a request refused with 429 takes a place in the windows. */
  readonly countsRefused: boolean;
  /** Whether the limits are judged before the rest of the request, after its validation, or after it is done. */
  readonly limitsStage: 'first' | 'validated' | 'done';
  /** Whether judging and counting a request is one step. */
  readonly atomicAdmission: boolean;
  /** Value of `retryAfter`. */
  readonly retryAfter: (waitMs: number, windowMs: number) => unknown;
  readonly throttleStatus: number;
  /** Headers of a 429. */
  readonly throttleHeaders: (retryAfter: unknown) => Record<string, string>;
  readonly throttleCode: string;
  /** Whether requests with an unknown key are throttled, by address. */
  readonly throttlesUnknownKeys: boolean;
  /** The body of any other error (Errors). */
  readonly errorHeaders: (operation: OperationId) => Readonly<Record<string, string>>;
  readonly errorBody: (refusal: Refusal, operation: OperationId) => unknown;
  /** What an error body says of the one request besides. */
  readonly noteOnError: (body: unknown, moment: Moment) => unknown;
  /** What the `Date` header of an answer tells, of the deployment's clock and of the machine's; null for none. */
  readonly dateShown: (now: number, machine: number) => number | null;
  /** The parameters of a query. */
  readonly parseQuery: (text: string) => URLSearchParams;
  /** Unknown members of bodies and unknown query parameters. */
  readonly unknownMembers: 'ignored' | 'refused';
  /** Called for a body that is neither JSON nor multipart by its content type; throws to refuse it. */
  readonly foreignContentType: (type: string) => void;
  /** Whether a multipart body is read that is written like this. */
  readonly readsParts: (sent: SentParts) => boolean;
  /** What stands in front of the application: it may answer by itself, hand on another request, or change an answer. */
  readonly front: (request: Request, answer: (instead?: Request) => Promise<Response>) => Promise<Response>;
  /** What becomes of a body that is sent in chunks: another request to read, or an answer. */
  readonly chunkedBody: (request: Request) => Promise<Request | Response>;
  /** Whether a JSON content type must have no parameters. */
  readonly bareContentType: boolean;
  /** What is read of a JSON body. */
  readonly jsonBody: (value: unknown) => unknown;
  /** What a body of broken JSON is refused with. */
  readonly brokenJson: (operation: OperationId) => Refusal;
  /** Whether a file part is accepted, by itself and its position among the file parts. */
  readonly acceptsFile: (file: FilePart, index: number) => boolean;
  /** The value of a multipart text part; `json` where the documents name it as JSON text. */
  readonly partValue: (part: TextPart, json: boolean) => unknown;
}
