import type { Clock } from '../core/clock.ts';
import type { Settings } from '../core/settings.ts';
import { createInProcessTransport } from '../send/inProcessTransport.ts';
import { connectStateHandler, noStateHandler, type StateHandlerPost } from './stateHandler.ts';
import type { Target } from './target.ts';
import { undoing } from './undoing.ts';
import { keyRingOf } from './url.ts';

/** A server in this process: both APIs as one `fetch` handler, as Hono, Elysia, Next.js and workers have it. */
export interface FetchServer {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  /** Its state handler, which takes the POST of the protocol; checks that need states are skipped without one. */
  readonly stateHandler?: (request: Request) => Response | Promise<Response>;
}

/**
 * Makes a server of this process the target of `run`, without a port: `run(settings, { openTarget: openTarget(app) })`.
 * The keys come from the settings, whose target is an address of this machine; requests bear its name. Callbacks go out
 * over loopback as from any server.
 */
export function openTarget(server: FetchServer): (settings: Settings, clock: Clock) => Promise<Target> {
  return async (settings, clock) => {
    const baseUrl = settings.target.kind === 'url' ? settings.target.baseUrls.webcheckin : 'http://127.0.0.1';
    const { stateHandler } = server;
    const connected = stateHandler
      ? await connectStateHandler(postTo(stateHandler, baseUrl))
      : noStateHandler;
    const { handler, undo } = undoing(connected);
    return {
      kind: 'url',
      baseUrls: { webcheckin: baseUrl, 'flight-alerts': baseUrl },
      transport: createInProcessTransport(async (request) => server.fetch(request), clock),
      keys: keyRingOf(settings),
      stateHandler: handler,
      close: undo,
    };
  };
}

function postTo(handler: NonNullable<FetchServer['stateHandler']>, baseUrl: string): StateHandlerPost {
  return async (body) => {
    const headers = { 'content-type': 'application/json' };
    const response = await handler(new Request(`${baseUrl}/_state`, { method: 'POST', headers, body }));
    return { status: response.status, body: await response.text() };
  };
}
