import { request } from 'undici';
import type { Clock } from '../core/clock.ts';
import { targetError } from '../core/errors.ts';
import type { Settings, StateHandlerSettings } from '../core/settings.ts';
import { KeyRing } from '../send/keyRing.ts';
import { isLoopback } from '../core/loopback.ts';
import { createAgent, createUndiciTransport } from '../send/undiciTransport.ts';
import {
  connectStateHandler,
  noStateHandler,
  queriesOnly,
  type StateHandler,
  type StateHandlerPost,
} from './stateHandler.ts';
import { withBursts } from './bursts.ts';
import type { Target } from './target.ts';
import { undoing } from './undoing.ts';
import { describeFailure } from '../send/failure.ts';
import { resendPauses } from '../send/resend.ts';

/** A running deployment, reached over HTTP. */
export async function openUrlTarget(
  settings: Settings,
  clock: Clock,
  notice: (text: string) => void = () => undefined,
): Promise<Target> {
  if (settings.target.kind !== 'url') throw new Error('openUrlTarget needs a target given by its URL');
  const connected = await openStateHandler(settings.stateHandler, settings, clock);
  const isHeld = settings.readOnly && settings.stateHandler !== null;
  if (isHeld) notice('--read-only: the state handler is only asked, and sets nothing.');
  const { handler, undo } = undoing(isHeld ? queriesOnly(connected) : connected);
  const transport = withBursts(createUndiciTransport(settings.http, clock), settings.http, clock);
  return {
    kind: 'url',
    baseUrls: settings.target.baseUrls,
    transport,
    keys: keyRingOf(settings),
    stateHandler: handler,
    close: async () => {
      await undo();
      await transport.close();
    },
  };
}

export function keyRingOf({ keys }: Settings): KeyRing {
  const { revoked, disabled, noEntitlement, suspended, exhausted } = keys;
  return KeyRing.of({
    primary: keys.primary,
    other: keys.other,
    special: { revoked, disabled, noEntitlement, suspended, exhausted },
  });
}

/** Connects to a state handler that answers what it offers. */
export async function openStateHandler(
  settings: StateHandlerSettings | null,
  all: Settings,
  clock: Clock,
): Promise<StateHandler> {
  if (settings === null) return noStateHandler;
  const post = postOver(settings, all);
  try {
    // If it is missing at first, the address is wrong; if it was there before, it comes back.
    return await connectStateHandler(post, patientPost(post, clock));
  } catch (cause) {
    throw targetError(
      'STATE_HANDLER',
      `Expected a state handler at ${settings.url}: ${cause instanceof Error ? cause.message : String(cause)}`,
      'Check the address and GATECHECK_STATE_HANDLER_AUTH, or leave --state-handler out.',
      cause,
    );
  }
}

/** How requests reach a state handler over HTTP. */
export function postOver(settings: StateHandlerSettings, all: Settings): StateHandlerPost {
  const auth: Record<string, string> =
    settings.auth === null ? {} : { [settings.auth.name]: settings.auth.value };
  // Services on this machine are not behind a proxy.
  const http = isLoopback(settings.url) ? { ...all.http, proxy: null } : all.http;
  const dispatcher = createAgent(http, 1);
  return async (body) => {
    const response = await request(settings.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...auth },
      body,
      dispatcher,
      // A kept connection may just be closing when the next state is set, which must not be sent twice.
      reset: true,
      signal: AbortSignal.timeout(http.responseTimeoutMs),
    });
    return { status: response.statusCode, body: await readText(response.body) };
  };
}

/** More than any answer of the protocol needs. */
const mostBytes = 1 << 20;

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body) {
    bytes += part.byteLength;
    // Leaving the loop destroys the body, and with it the connection.
    if (bytes > mostBytes) throw new Error(`its answer is longer than ${mostBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

const gatewayStatuses: readonly number[] = [502, 503, 504];

/**
 * Retries if the state handler was not reached, for as long as a deployment takes to restart. If a gateway answered instead, it
 * may have passed the request on; then time is not moved again.
 */
export function patientPost(post: StateHandlerPost, clock: Clock): StateHandlerPost {
  return async (body) => {
    for (const pause of resendPauses) {
      const answer = await post(body).catch((error: unknown) => {
        if (describeFailure(error, false).reason !== 'refused') throw error;
        return null;
      });
      if (answer !== null && !(isOfGateway(answer) && mayRepeat(body))) return answer;
      await clock.sleep(pause);
    }
    return post(body);
  };
}

/** A state handler reports errors as JSON. */
function isOfGateway({ status, body }: { readonly status: number; readonly body: string }): boolean {
  return gatewayStatuses.includes(status) && !body.trimStart().startsWith('{');
}

function mayRepeat(body: string): boolean {
  return (JSON.parse(body) as { state?: unknown }).state !== 'clock.advance';
}
