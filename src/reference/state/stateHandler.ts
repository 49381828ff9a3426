import * as z from 'zod';
import type { Parts } from '../parts.ts';
import { respond } from '../shared/respond.ts';
import { flightStates } from './flightStates.ts';
import { BadState, type State, defineState, keyOf, keyText, wholeNumber } from './state.ts';
import { automatedProgress, moveAttempt } from '../webcheckin/progress.ts';
import { statuses, type Attempt, type Progress } from '../webcheckin/records.ts';
import type { Enterprise, KeyState } from '../shared/keys.ts';
import { randomToken } from '../shared/tokens.ts';

const keyCount = z.int().min(1).max(10_000);
const onlyKey = z.strictObject({ key: keyText });

/** States of enterprises, their keys and entitlements. */
const enterpriseStates: Readonly<Record<string, State>> = {
  'enterprise.create': defineState(
    z.strictObject({ included_units: wholeNumber, keys: keyCount }),
    ({ included_units, keys }, parts) => {
      const entitlement = { status: 'active', included_units, consumed_units: 0 } as const;
      return { keys: issue(parts.keys.found('created', entitlement), keys, parts) };
    },
  ),
  'keys.issue': defineState(z.strictObject({ key: keyText, count: keyCount }), ({ key, count }, parts) => ({
    keys: issue(keyOf(key, parts).enterprise, count, parts),
  })),
  'keys.revoke': defineState(onlyKey, ({ key }, parts) => bar(key, 'revoked', parts)),
  'keys.disable': defineState(onlyKey, ({ key }, parts) => bar(key, 'disabled', parts)),
  'entitlement.set': defineState(
    z.strictObject({
      key: keyText,
      status: z.enum(['active', 'suspended', 'none']),
      included_units: wholeNumber,
      consumed_units: wholeNumber,
    }),
    ({ key, ...entitlement }, parts) => {
      Object.assign(keyOf(key, parts).enterprise.entitlement, entitlement);
      return {};
    },
  ),
  'entitlement.get': defineState(onlyKey, ({ key }, parts) => ({
    ...keyOf(key, parts).enterprise.entitlement,
  })),
};

function issue(enterprise: Enterprise, count: number, { keys, random }: Parts): readonly string[] {
  const values = Array.from({ length: count }, () => `gk_test_${randomToken(random, 32)}`);
  for (const value of values) keys.issue(enterprise, value);
  return values;
}

function bar(key: string, state: KeyState, parts: Parts): Record<string, never> {
  const record = keyOf(key, parts);
  record.state = state;
  record.changedAt = parts.clock.now();
  const { policy, attempts } = parts.webCheckin;
  if (state === 'revoked' && policy.revocationTakes !== 'the key')
    attempts.dropMadeWith(key, policy.revocationTakes);
  return {};
}

const checkinId = z.string().min(1);

const progress = z.strictObject({
  checkin_id: checkinId,
  status: z.enum(statuses),
  sub_status: z.string().min(1).optional(),
  checkin_message: z.string().optional(),
  boarding_passes: z.array(z.url({ protocol: /^https$/ })).optional(),
});

/** States of the simulated airline. */
const checkinStates: Readonly<Record<string, State>> = {
  'automation.set': defineState(
    z.strictObject({ mode: z.enum(['manual', 'auto']) }),
    ({ mode }, { webCheckin }) => {
      webCheckin.automation.setMode(mode, webCheckin.attempts.all());
      return {};
    },
  ),
  'checkin.progress': defineState(progress, (params, parts) => {
    const attempt = attemptOf(params.checkin_id, parts);
    const next = automatedProgress(attempt, params.status, parts.policy, given(params));
    moveAttempt(attempt, next, 'automation', parts.webCheckin);
    parts.webCheckin.automation.plan(attempt);
    return {};
  }),
  'checkin.rejectResume': defineState(z.strictObject({ checkin_id: checkinId }), (params, parts) => {
    attemptOf(params.checkin_id, parts).rejectsResume = true;
    return {};
  }),
};

function attemptOf(id: string, { webCheckin }: Parts): Attempt {
  const attempt = webCheckin.attempts.findById(id);
  if (!attempt) throw new BadState('No such check-in request.');
  return attempt;
}

function given(params: z.output<typeof progress>): Partial<Progress> {
  return {
    ...(params.sub_status === undefined ? {} : { subStatus: params.sub_status }),
    ...(params.checkin_message === undefined ? {} : { message: params.checkin_message }),
    ...(params.boarding_passes === undefined ? {} : { boardingPasses: params.boarding_passes }),
  };
}

const nothing = z.strictObject({});

/** States of the deployment as a whole: its time, its callbacks, what it offers. */
function deploymentStates(names: () => readonly string[]): Readonly<Record<string, State>> {
  return {
    capabilities: defineState(nothing, (_params, { clock }) => ({
      states: names(),
      now: new Date(clock.now()).toISOString(),
      clock: ['rate-limits', 'lead-time', 'dates', 'check-in-window', 'callbacks'],
    })),
    'clock.advance': defineState(
      z.strictObject({
        seconds: z
          .number()
          .positive()
          .max(10 * 366 * 86_400),
      }),
      async ({ seconds }, { clock, queue }) => {
        await clock.advance(seconds * 1000, () => queue.settle());
        return { now: new Date(clock.now()).toISOString() };
      },
    ),
    'callbacks.route': defineState(
      z.strictObject({
        host: z.string().min(1),
        address: z.url({ protocol: /^https?$/ }),
        ca: z.string().optional(),
      }),
      ({ host, address, ca }, { queue }) => {
        queue.route(host, { address, ca: ca ?? null });
        return {};
      },
    ),
    'callbacks.pending': defineState(nothing, (_params, { queue }) => ({ pending: queue.size })),
    reset: defineState(z.strictObject({ key: keyText }), ({ key }, parts) => {
      const { enterprise } = keyOf(key, parts);
      parts.webCheckin.attempts.dropOf(enterprise);
      parts.flightAlerts.subscriptions.dropOf(enterprise.id);
      parts.queue.drop(enterprise.id);
      parts.limiter.reset(enterprise.id);
      return {};
    }),
  };
}

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
