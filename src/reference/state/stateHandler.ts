import * as z from 'zod';
import type { Parts } from '../parts.ts';
import { respond } from '../shared/respond.ts';
import { checkinStates } from './checkinStates.ts';
import { deploymentStates } from './deploymentStates.ts';
import { enterpriseStates } from './enterpriseStates.ts';
import { flightStates } from './flightStates.ts';
import { BadState, type State } from './state.ts';

const states: Readonly<Record<string, State>> = {
  ...deploymentStates(() => Object.keys(states)),
  ...enterpriseStates,
  ...checkinStates,
  ...flightStates,
};

const envelope = z.strictObject({ state: z.string(), params: z.record(z.string(), z.unknown()) });

/** The state-handler protocol: `POST {"state", "params"}`, 200 with `ok` true once the effect is visible. */
export function createStateHandler(parts: Parts): (request: Request) => Promise<Response> {
  return async (request) => {
    const { status, body } = await answer(request, parts);
    return respond({ status, body }, parts.clock.now());
  };
}

interface StateAnswer {
  readonly status: 200 | 400 | 501;
  readonly body: Readonly<Record<string, unknown>>;
}

async function answer(request: Request, parts: Parts): Promise<StateAnswer> {
  try {
    if (request.method !== 'POST') throw new BadState('Send the state with POST.');
    const { state, params } = parse(envelope, await readJson(request));
    const known = Object.hasOwn(states, state) ? states[state] : undefined;
    if (!known) return { status: 501, body: { ok: false, error: 'UNSUPPORTED_STATE' } };
    return { status: 200, body: { ok: true, ...(await known.enter(parse(known.params, params), parts)) } };
  } catch (error) {
    if (error instanceof BadState) return { status: 400, body: { ok: false, error: error.message } };
    throw error;
  }
}

async function readJson(request: Request): Promise<unknown> {
  try {
    return await request.json();
  } catch {
    throw new BadState('The body must be JSON.');
  }
}

function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (!result.success) throw new BadState(z.prettifyError(result.error));
  return result.data;
}
