import type { Config } from '../../src/index.ts';
import { createDeployment } from '../../src/reference/deployment.ts';
import { defaultEnterprises } from '../../src/reference/enterprises.ts';
import { listen } from '../../src/reference/listen.ts';
import { openHostileServer, type Mischief } from '../support/hostileServer.ts';

export const groups = [
  'connections',
  'framing',
  'gateways',
  'encodings',
  'sizes',
  'steering values',
  'rate limits',
  'redirects',
  'TLS',
  'key echoes',
  'clock',
  'state handlers',
  'callers of the sink',
] as const;
export type Group = (typeof groups)[number];

/** A server that means ill, and what a run against it may come to. */
export interface HostileRow {
  readonly group: Group;
  readonly name: string;
  readonly open: () => Promise<HostileTarget>;
  /** `lost`: nothing can be said of it: exit 3, and no finding. `any`: it is judged, or left undecided. */
  readonly end: 'lost' | 'any';
  /** The deployment conforms, and only what stands beside it does not. */
  readonly blames?: 'nobody';
}

interface HostileTarget {
  readonly url: string;
  /** Settings that a run against it has besides those of every row. */
  readonly config?: Config;
  /** Requests that reached a place where none may come; absent where there is none. */
  readonly elsewhere?: () => number;
  close(): Promise<unknown>;
}

/** The keys of every run against a hostile server. */
export const { enterprises, keys: known } = defaultEnterprises(11);
export const sentKeys = known.primary.slice(0, 2);

export function raw(mischief: Mischief): HostileRow['open'] {
  return () => openHostileServer(mischief);
}

/** A conforming deployment whose answers are changed on their way. */
export function shaped(
  change: (response: Response, request: Request) => Promise<Response>,
): HostileRow['open'] {
  return async () => {
    const deployment = createDeployment({ enterprises, limits: { perMinute: 60, perHour: 1000 } });
    const listening = await listen({
      ...deployment,
      fetch: async (request, info) => change(await deployment.fetch(request, info), request),
    });
    return {
      url: listening.url,
      close: async () => {
        await listening.close();
        await deployment.close();
      },
    };
  };
}

/** Each JSON answer with every member of this name replaced, wherever it stands. */
export function steered(member: string, value: unknown): HostileRow['open'] {
  return shaped(async (response) => {
    const text = await response.text();
    const changed = replaceMember(JSON.parse(text), member, value);
    return new Response(JSON.stringify(changed), { status: response.status, headers: headersOf(response) });
  });
}

export function headersOf(response: Response): Headers {
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  return headers;
}

function replaceMember(value: unknown, member: string, by: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => replaceMember(item, member, by));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, own]) => [name, name === member ? by : replaceMember(own, member, by)]),
  );
}
