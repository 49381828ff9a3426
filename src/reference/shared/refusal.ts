/** A request that is answered with an error; thrown anywhere in an operation, turned into a body in one place. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  /** Further members of the body, such as `retryAfter` or `reason`. */
  readonly extra: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    message: string,
    extra: Readonly<Record<string, unknown>> = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    // Nobody reads the stack of an answer, and collecting it takes longer than the rest of the answer.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.status = status;
    this.code = code;
    this.extra = extra;
    this.headers = headers;
  }
}

/** Missing or malformed data (Errors 400). */
export function invalid(message: string): Refusal {
  return new Refusal(400, 'VALIDATION_ERROR', message);
}

/** A missing record, or another enterprise's (Errors 404). */
export function notFound(message: string): Refusal {
  return new Refusal(404, 'NOT_FOUND', message);
}
