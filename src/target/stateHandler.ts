import type { JsonObject } from '../judge/kernel/body.ts';

/** The deployment's state handler, as far as a run has one. */
export interface StateHandler {
  /** Whether the deployment offers this state. */
  offers(state: string): boolean;
  /** Names of all states that it offers. */
  readonly states: readonly string[];
  /** What `clock.advance` moves: any of `rate-limits`, `lead-time`, `dates`, `check-in-window`, `callbacks`. */
  readonly clock: ReadonlySet<string>;
  /** Brings the deployment into a state; rejects with a StateHandlerError when it does not say that it did. */
  set(state: string, params: JsonObject): Promise<JsonObject>;
}

/** The state handler did not do what the protocol says: what depends on it is inconclusive, never failed. */
export class StateHandlerError extends Error {
  constructor(state: string, what: string) {
    super(`the state handler did not set ${state}: ${what}`);
    this.name = 'StateHandlerError';
  }
}

/** How a request reaches the handler: over HTTP, or in process. */
export type StateHandlerPost = (body: string) => Promise<{ readonly status: number; readonly body: string }>;

/** For runs without one: it offers nothing. */
export const noStateHandler: StateHandler = {
  offers: () => false,
  states: [],
  clock: new Set(),
  set: (state) => Promise.reject(new StateHandlerError(state, 'there is none')),
};

/** Asks a handler what it offers, and returns its client. Rejects when it does not speak the protocol. */
export async function connectStateHandler(post: StateHandlerPost): Promise<StateHandler> {
  const answer = await call(post, 'capabilities', {});
  const states = new Set(textsOf(answer.states));
  return {
    offers: (state) => states.has(state),
    states: [...states],
    clock: new Set(textsOf(answer.clock)),
    set: (state, params) => call(post, state, params),
  };
}

async function call(post: StateHandlerPost, state: string, params: JsonObject): Promise<JsonObject> {
  const { status, body } = await post(JSON.stringify({ state, params })).catch((error: unknown) => {
    throw new StateHandlerError(state, error instanceof Error ? error.message : String(error));
  });
  const parsed = parse(body);
  if (status === 200 && parsed?.ok === true) return parsed;
  const said = typeof parsed?.error === 'string' ? parsed.error : body.slice(0, 80);
  throw new StateHandlerError(state, `HTTP ${status} ${said}`);
}

function parse(body: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : null;
  } catch {
    return null;
  }
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
