import { exitCodes, GatecheckError } from '../core/errors.ts';
import type { JsonObject } from '../judge/kernel/body.ts';

/** The deployment's state handler, as far as a run has one. */
export interface StateHandler {
  /** Whether the deployment offers this state. */
  offers(state: string): boolean;
  /** Names of all states that it offers. */
  readonly states: readonly string[];
  /** What `clock.advance` moves: any of `rate-limits`, `lead-time`, `dates`, `check-in-window`, `callbacks`. */
  readonly clock: ReadonlySet<string>;
  /** Puts the deployment into a state; rejects with a StateHandlerError unless it confirms that. */
  set(state: string, params: JsonObject): Promise<JsonObject>;
}

/** The state handler did not follow the protocol: what depends on it is inconclusive, never failed. */
export class StateHandlerError extends GatecheckError {
  /** False if no whole answer came: asking for other states would only wait again. */
  readonly answered: boolean;

  constructor(state: string, what: string, answered = true) {
    super('STATE_NOT_SET', `the state handler did not set ${state}: ${oneLine(what)}`, {
      exitCode: exitCodes.inconclusive,
    });
    this.name = 'StateHandlerError';
    this.answered = answered;
  }
}

/** On one line, without control characters, and short enough to read. */
function oneLine(text: string): string {
  const line = text
    .slice(0, 300)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  return text.length > 300 ? `${line}…` : line;
}

/** How a request reaches the handler: over HTTP, or in process. */
export type StateHandlerPost = (body: string) => Promise<{ readonly status: number; readonly body: string }>;

/** For runs without a state handler: it offers nothing. */
export const noStateHandler: StateHandler = {
  offers: () => false,
  states: [],
  clock: new Set(),
  set: (state) => Promise.reject(new StateHandlerError(state, 'there is none')),
};

/** Most states that a handler may offer and keys that it may give, and the longest text of either. */
const most = { states: 200, keys: 1000, length: 512 };

/**
 * Asks a handler what it offers and returns its client, which sends by `later` if given. Rejects if the handler does not follow
 * the protocol.
 */
export async function connectStateHandler(
  post: StateHandlerPost,
  later: StateHandlerPost = post,
): Promise<StateHandler> {
  const answer = await call(post, 'capabilities', {});
  const states = new Set(textsOf(answer.states).slice(0, most.states));
  return {
    offers: (state) => states.has(state),
    states: [...states],
    clock: new Set(textsOf(answer.clock).slice(0, most.states)),
    set: (state, params) => call(later, state, params),
  };
}

/** States that are only told: with --read-only a run sets no others. */
export const queryStates: ReadonlySet<string> = new Set([
  'capabilities',
  'entitlement.get',
  'callbacks.pending',
]);

/** The same handler, without whatever changes the deployment. */
export function queriesOnly(handler: StateHandler): StateHandler {
  const states = handler.states.filter((state) => queryStates.has(state));
  return {
    ...{ states, clock: new Set() },
    offers: (state) => states.includes(state),
    set: (state, params) =>
      queryStates.has(state)
        ? handler.set(state, params)
        : Promise.reject(new StateHandlerError(state, '--read-only lets nothing be changed')),
  };
}

async function call(post: StateHandlerPost, state: string, params: JsonObject): Promise<JsonObject> {
  const { status, body } = await post(JSON.stringify({ state, params })).catch((error: unknown) => {
    throw new StateHandlerError(state, error instanceof Error ? error.message : String(error), false);
  });
  const parsed = parse(body);
  if (status === 200 && parsed?.ok === true) return usable(state, parsed);
  const said = typeof parsed?.error === 'string' ? parsed.error : body.slice(0, 80);
  const redirects =
    status >= 300 && status < 400 ? ' (redirects are not followed: name the last address)' : '';
  throw new StateHandlerError(state, `HTTP ${status} ${said}${redirects}`);
}

/** Validates what a run relies on: keys become headers, and times are calculated with. */
function usable(state: string, answer: JsonObject): JsonObject {
  const { keys, now, ...rest } = answer;
  if (keys !== undefined) {
    const isRight = Array.isArray(keys) && keys.length <= most.keys && keys.every(isKey);
    if (!isRight)
      throw new StateHandlerError(
        state,
        `expected keys: at most ${most.keys} texts of printable ASCII without blanks; got something else (not shown)`,
      );
  }
  return {
    ...rest,
    ...(keys === undefined ? {} : { keys: [...new Set(keys as readonly string[])] }),
    ...(isInstant(now) ? { now } : {}),
  };
}

function isKey(value: unknown): boolean {
  return typeof value === 'string' && value.length <= most.length && /^[\x21-\x7e]+$/.test(value);
}

/** Dates at the limits of the range cannot be calculated with. */
function isInstant(value: unknown): boolean {
  const year = typeof value === 'string' ? new Date(Date.parse(value)).getUTCFullYear() : Number.NaN;
  return year >= 1970 && year <= 9000;
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
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  return items.filter((item) => typeof item === 'string' && item.length <= most.length) as readonly string[];
}
