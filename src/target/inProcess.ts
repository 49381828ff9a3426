import type { Clock } from '../core/clock.ts';
import { checkOptions } from '../core/knownOptions.ts';
import type { Settings } from '../core/settings.ts';
import { closest } from '../core/suggest.ts';
import { createInProcessTransport } from '../send/inProcessTransport.ts';
import { connectStateHandler, noStateHandler, type StateHandlerPost } from './stateHandler.ts';
import type { Target } from './target.ts';
import { undoing } from './undoing.ts';
import { keyRingOf } from './url.ts';

/** A server in this process: both APIs as one `fetch` handler, as with Hono, Elysia, Next.js and workers. */
export interface FetchServer {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  /** Its state handler, for the POST requests of the protocol; without one, checks that need states are skipped. */
  readonly stateHandler?: (request: Request) => Response | Promise<Response>;
}

/**
 * Makes a server in this process the target of `run`, without a port: `run(settings, { openTarget: openTarget(app) })`. The keys
 * come from the settings, whose target is an address of this machine; requests have that address in their URL. Callbacks are
 * sent over loopback as from any server.
 * @throws TypeError for a server without fetch, or with an option that does not exist.
 */
export function openTarget(server: FetchServer): (settings: Settings, clock: Clock) => Promise<Target> {
  checkServer(server);
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

/** Apps of frameworks and workers have further members: of those, only one that resembles a known one is refused. */
function checkServer(server: FetchServer): void {
  const given: Partial<FetchServer> = Object(server) as object;
  const unknown = Object.keys(given).filter(
    (name) => !(name in known) && closest(name, names, () => 1) !== null,
  );
  const misspelled = Object.fromEntries(unknown.map((name) => [name, true]));
  checkOptions('openTarget', misspelled as Partial<FetchServer>, known);
  const { fetch, stateHandler } = given;
  if (typeof fetch !== 'function' || (stateHandler !== undefined && typeof stateHandler !== 'function'))
    throw new TypeError(
      'openTarget expects { fetch, stateHandler? }: functions from a Request to a Response.',
    );
}

const known = { fetch: true, stateHandler: true } as const;
const names = Object.keys(known);

function postTo(handler: NonNullable<FetchServer['stateHandler']>, baseUrl: string): StateHandlerPost {
  return async (body) => {
    const headers = { 'content-type': 'application/json' };
    const response = await handler(new Request(`${baseUrl}/_state`, { method: 'POST', headers, body }));
    return { status: response.status, body: await response.text() };
  };
}
