/** An answer that is not 200. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: Record<string, unknown>;

  constructor(status: number, error: string, message: string, more: Record<string, unknown> = {}) {
    super(message);
    this.status = status;
    this.body = { success: false, error, message, ...more };
  }
}

export function invalid(what: string): Refusal {
  return new Refusal(400, 'VALIDATION_ERROR', `Please check ${what}.`, { details: [{ path: what }] });
}

export function rejected(reason: string): Refusal {
  return new Refusal(422, 'REJECTED', reason, { reason });
}
