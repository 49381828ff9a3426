import { defaultEnterprises } from '../../src/reference/enterprises.ts';
import type { Config } from '../../src/index.ts';
import { createDeployment, type Deliver } from '../../src/reference/deployment.ts';
import { listen } from '../../src/reference/listen.ts';
import { answer, drip, openHostileServer, pour, type Mischief } from '../support/hostileServer.ts';
import { enterprises, known, type HostileRow } from './row.ts';

// State handlers that lie, and callers that treat the sink badly: the deployment beside them conforms.

const json = { 'Content-Type': 'application/json' };
const patterns = ['fla.upstream.*', 'wci.entitlement.*', 'wci.callbacks.changes', 'wci.callbacks.unasked'];

/** Checks that bring the deployment into states and wait for callbacks. */
export const stateConfig = (stateHandler: string, only: readonly string[] = patterns): Config => ({
  profile: 'standard',
  only: [...only],
  stateHandler: { url: stateHandler },
  budgets: { maxRequests: 40, maxDuration: '8s', maxQuota: 20, maxSubscriptions: 8 },
});

type Change = (answer: Readonly<Record<string, unknown>>, state: string) => unknown;

/** A conforming deployment, whose state handler's answers may be changed. */
export function deploymentWith(deliver?: Deliver) {
  const limits = { perMinute: 60, perHour: 1000 };
  const deployment = createDeployment({ enterprises, limits, ...(deliver ? { deliver } : {}) });
  return {
    deployment,
    open: async (change?: Change, instead?: (request: Request) => Promise<Response>) => {
      const stateHandler = async (request: Request) => {
        if (instead !== undefined) return instead(request);
        const { state } = (await request.clone().json()) as { state: string };
        const response = await deployment.stateHandler(request);
        if (change === undefined || !response.ok) return response;
        const changed = change((await response.json()) as Readonly<Record<string, unknown>>, state);
        return new Response(typeof changed === 'string' ? changed : JSON.stringify(changed));
      };
      const listening = await listen({ ...deployment, stateHandler }, { statePort: 0 });
      return {
        url: listening.url,
        stateHandler: listening.stateHandlerUrl ?? '',
        close: async () => {
          await listening.close();
          await deployment.close();
        },
      };
    },
  };
}

/** A handler whose answers, but those to some states, are changed on their way. */
function lying(change: Change): HostileRow['open'] {
  return async () => {
    const { url, stateHandler, close } = await deploymentWith().open(change);
    return { url, close, config: stateConfig(stateHandler) };
  };
}

const offers = JSON.stringify({
  ok: true,
  now: new Date().toISOString(),
  states: [
    'clock.advance',
    'enterprise.create',
    'keys.issue',
    'entitlement.set',
    'provider.fail',
    'flights.put',
  ],
  clock: ['rate-limits'],
});

/** A handler that speaks HTTP badly, at once or after it has said what it offers. */
function rude(mischief: Mischief, at: 'at once' | 'later'): HostileRow['open'] {
  return async () => {
    const { url, close } = await deploymentWith().open();
    const handler = await openHostileServer((socket, count) => {
      if (at === 'later' && count === 0) socket.end(answer('200 OK', json, offers));
      else mischief(socket, count);
    });
    return {
      ...{ url, config: stateConfig(handler.url) },
      close: () => Promise.all([handler.close(), close()]),
    };
  };
}

/** What is large is made when it is asked for, so that rows which run beside it or alone do not hold it. */
const says = (status: string, body: string | (() => string)) => (socket: Parameters<Mischief>[0]) =>
  socket.end(answer(status, json, typeof body === 'function' ? body() : body));

const rudeness: Readonly<Record<string, Mischief>> = {
  'never answers': () => undefined,
  'resets the connection': (socket) => socket.resetAndDestroy(),
  'answers with garbage': (socket) => socket.end('garbage\r\n\r\n'),
  'answers without end': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{"ok":true,"x":"');
    pour(socket, Buffer.alloc(1 << 20, 'a'));
  },
  'drips its answer': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n{');
    drip(socket, ' ', 50);
  },
  'answers with 200 MB': (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${200 << 20}\r\n\r\n`);
    pour(socket, Buffer.alloc(1 << 20, ' '), 200);
  },
  'answers with very deep JSON': says('200 OK', () => '['.repeat(100_000) + ']'.repeat(100_000)),
  'fails with a text of 3 MB': says('500 Oops', () =>
    JSON.stringify({ ok: false, error: 'e'.repeat(3 << 20) }),
  ),
  'fails with control characters': says('500 Oops', '{"ok":false,"error":"\\u001b[2J\\u001b]0;x\\u0007\\n"}'),
  'answers with a login page': says('200 OK', '<html>Sign in</html>'),
  'takes it that all is well': says('200 OK', '{"ok":true}'),
};

/** A redirect to a server that no request, and so no key, may come to. */
const redirecting: HostileRow['open'] = async () => {
  const other = await openHostileServer(says('200 OK', offers));
  const server = await rude(
    (socket) => socket.end(answer('307 Temporary Redirect', { Location: other.url }, '')),
    'at once',
  )();
  return {
    ...{ url: server.url, config: server.config ?? {}, elsewhere: other.requests },
    close: () => Promise.all([server.close(), other.close()]),
  };
};

const only =
  (name: string, by: Readonly<Record<string, unknown>>): Change =>
  (given, state) =>
    state === name ? { ...given, ...by } : given;
const nowIs = (now: unknown): Change => only('capabilities', { now });
const keysAre =
  (keys: readonly unknown[] | (() => readonly unknown[])): Change =>
  (given) =>
    'keys' in given ? { ...given, keys: typeof keys === 'function' ? keys() : keys } : given;
const offered =
  (states: () => readonly unknown[]): Change =>
  (given, state) =>
    state === 'capabilities' ? { ...given, states: states() } : given;
const foreignKeys = defaultEnterprises(99).keys.primary;

/** Answers that say it was done, to all of these states, while nothing is done. */
const idle: Readonly<Record<string, readonly string[]>> = {
  'puts no flights': ['flights.put'],
  'changes no flights': ['flights.change'],
  'moves no records': ['checkin.progress'],
  'makes no enterprises': ['enterprise.create'],
  'does nothing at all': [
    ...[
      'flights.put',
      'flights.change',
      'checkin.progress',
      'enterprise.create',
      'keys.issue',
      'keys.revoke',
    ],
    ...['entitlement.set', 'provider.fail', 'clock.advance', 'checkin.rejectResume', 'callbacks.route'],
  ],
};
const restsOnStates = ['fla.lookup.known', 'fla.legs.latest', 'fla.subscribe.unseen', 'wci.list.empty'];
const madeUp = Array.from({ length: 8 }, (_, index) => `gk_live_${index}MadeUpMadeUpMadeUpMadeUp`);

const idling = Object.entries(idle).map(([name, states]): HostileRow => ({
  ...{ group: 'state handlers', name: `says that it does, and ${name}`, end: 'any', blames: 'nobody' },
  open: async () => {
    const { deployment, open } = deploymentWith();
    const done = () =>
      Response.json({ ok: true, keys: madeUp, now: new Date(Date.now() + 9e6).toISOString() });
    const stateHandler = async (request: Request) => {
      const { state } = (await request.clone().json()) as { state: string };
      return states.includes(state) ? done() : deployment.stateHandler(request);
    };
    const opened = await open(undefined, stateHandler);
    const only = [...patterns, ...restsOnStates, 'wci.progress.filter', 'wci.callbacks.forms'];
    return { url: opened.url, close: opened.close, config: stateConfig(opened.stateHandler, only) };
  },
}));

const lies: Readonly<Record<string, Change>> = {
  'offers a million states': offered(() => Array.from({ length: 1_000_000 }, (_, index) => `state.${index}`)),
  'offers states that are no texts': offered(() => [null, 7, { length: 1e9 }, ['clock.advance']]),
  'offers members of the prototype': offered(() => ['__proto__', 'constructor', 'toString']),
  'its time is the last that there is': nowIs('+275760-09-13T00:00:00.000Z'),
  'its time is the first that there is': nowIs('-271821-04-20T00:00:00.000Z'),
  'its time is no text': nowIs(1e308),
  'its clock does not move': only('clock.advance', { now: '2026-01-01T00:00:00.000Z' }),
  'gives a hundred thousand keys': keysAre(() =>
    Array.from({ length: 100_000 }, (_, index) => `key-${index}-aaaaaaaaaaaaaaaaaa`),
  ),
  'gives keys with line breaks': keysAre(['a\r\nX-Evil: 1', 'b\nc', '\0']),
  'gives keys that are empty': keysAre(['', ' ', '']),
  'gives a key of 1 MB': keysAre(() => ['k'.repeat(1 << 20)]),
  'gives keys that are no texts': keysAre([1, null, {}, []]),
  'gives the same key again and again': keysAre(Array<string>(64).fill(known.primary[0] ?? '')),
  'gives keys that nobody takes': keysAre(foreignKeys),
  'always has callbacks pending': only('callbacks.pending', { pending: 1e308 }),
  'has callbacks pending that are no number': only('callbacks.pending', { pending: 'many' }),
  'answers a name twice': (given) => JSON.stringify(given).replace('{', '{"ok":false,'),
  'adds a prototype': (given) => JSON.stringify(given).replace('{', '{"__proto__":{"ok":true},'),
};

/** State handlers that lie or speak HTTP badly. */
export const handlerRows: readonly HostileRow[] = [
  ...Object.entries(rudeness).flatMap(([name, mischief]) =>
    (['at once', 'later'] as const).map((at): HostileRow => ({
      ...{ group: 'state handlers', name: `${name}, ${at}`, blames: 'nobody', open: rude(mischief, at) },
      // One that offers nothing is no reason not to judge the rest.
      end: at === 'later' || name === 'takes it that all is well' ? 'any' : 'lost',
    })),
  ),
  { group: 'state handlers', name: 'redirects to another server', end: 'lost', open: redirecting },
  ...idling,
  ...Object.entries(lies).map(([name, change]): HostileRow => ({
    ...{ group: 'state handlers', name, end: 'any', blames: 'nobody', open: lying(change) },
  })),
];
