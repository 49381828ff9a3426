import { Agent, request, type Dispatcher } from 'undici';

const TIMEOUT_MS = 10_000;

/** Sends callbacks over the network; redirects are recorded, not followed. */
export function httpDelivery(): { deliver: Deliver; close: () => Promise<void> } {
  const agents = new Map<string, Agent>();
  const agentFor = (outgoing: OutgoingRequest) => {
    const name = new URL(outgoing.url).hostname;
    const key = JSON.stringify([outgoing.route?.ca ?? null, name]);
    const agent = agents.get(key) ?? makeAgent(outgoing.route, name);
    agents.set(key, agent);
    return agent;
  };
  return {
    deliver: (outgoing) => send(outgoing, agentFor(outgoing)),
    close: async () => {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
    },
  };
}

function makeAgent(route: Route | null, servername: string): Agent {
  const timeouts = { headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS };
  if (!route) return new Agent({ ...timeouts, connect: { timeout: TIMEOUT_MS } });
  const trust = route.ca === null ? {} : { ca: route.ca };
  return new Agent({ ...timeouts, connect: { timeout: TIMEOUT_MS, servername, ...trust } });
}

async function send(outgoing: OutgoingRequest, dispatcher: Dispatcher): Promise<DeliveryAnswer> {
  const url = new URL(outgoing.url);
  const origin = outgoing.route?.address.replace(/\/$/, '') ?? url.origin;
  const response = await request(`${origin}${url.pathname}${url.search}`, {
    method: outgoing.method,
    headers: { ...outgoing.headers, host: url.host },
    body: outgoing.body,
    dispatcher,
  });
  await response.body.dump();
  const { location } = response.headers;
  return { status: response.statusCode, location: typeof location === 'string' ? location : null };
}

/** A callback on its way out. */
export interface OutgoingRequest {
  readonly method: 'POST' | 'PUT';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Where the host of `url` is reached instead of by its name, with the certificate authority to trust there. */
  readonly route: Route | null;
}

export interface Route {
  readonly address: string;
  readonly ca: string | null;
}

/** What came back: the HTTP status, or null where none did, and where a redirect points. */
export interface DeliveryAnswer {
  readonly status: number | null;
  readonly location?: string | null;
}

export type Deliver = (request: OutgoingRequest) => Promise<DeliveryAnswer>;
