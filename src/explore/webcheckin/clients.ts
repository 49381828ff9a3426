import { brokenEscapes, ordinaryHeaders } from '../../generate/kit/clientHeaders.ts';
import { framings } from '../../generate/kit/framings.ts';
import { list, rawRequest, status, type ApiRequest, type RequestOptions } from '../../send/request.ts';
import type { Situation } from '../situation.ts';
import type { Stage } from '../stage.ts';
import { partsOf, written } from './requests.ts';
import { spending } from './subscribes.ts';

type Wci = Situation<Stage>;

/** What is read with headers that clients send besides; the made-up id is to be unknown all the same. */
const asked: Readonly<Record<string, (options: RequestOptions) => ApiRequest>> = {
  list: (options) => list({ limit: '5' }, options),
  'invalid status': (options) => status({}, options),
};

/** Requests as clients, proxies and caches write them. */
export const clients: readonly Wci[] = [
  ...ordinaryHeaders.flatMap(({ name, headers }) => [
    ...Object.entries(asked).map(([what, ask]) =>
      reading(
        `${what} with ${name}`,
        ['client', `client ${what}`, `client ${name}`, `client ${name} ${what}`],
        () => ask({ headers }),
      ),
    ),
    booked(`subscribe with ${name}`, ['client', 'client subscribe', `client ${name}`], (stage, body) =>
      written(stage, 'wci.subscribe', body, 'json', { headers }),
    ),
  ]),
  ...brokenEscapes.flatMap((escape) =>
    (['checkin_id', 'status'] as const).map((parameter) =>
      reading(
        `${parameter} of ${escape}`,
        ['escape', `escape ${parameter}`, `escape ${parameter} ${escape}`],
        () => ({
          ...(parameter === 'status' ? list() : status({})),
          query: `${parameter}=${escape}`,
        }),
      ),
    ),
  ),
  ...framings.map(({ name, write }) =>
    booked(`parts with ${name}`, ['framing', `framing ${name}`], (stage, body) => {
      const { bytes, contentType } = write(partsOf('wci.subscribe', body), stage.bench.identities.token());
      return rawRequest('wci.subscribe', bytes, contentType);
    }),
  ),
];

function reading(name: string, cells: readonly string[], ask: () => ApiRequest): Wci {
  return {
    ...{ name, family: 'clients', cells, price: 1, worth: 1 },
    isPossible: () => true,
    bring: async (stage) => {
      await stage.send(ask());
    },
  };
}

type Write = (stage: Stage, body: ReturnType<Stage['booking']>) => ApiRequest;

function booked(name: string, cells: readonly string[], write: Write): Wci {
  return {
    ...{ name, family: 'clients', cells, worth: 1, ...spending(1) },
    isPossible: () => true,
    bring: async (stage) => {
      const body = stage.booking();
      stage.subscribed(await stage.send(write(stage, body)), body, 'primary', `subscribe ${cells[0] ?? ''}`);
    },
  };
}
